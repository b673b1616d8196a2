#include "wire/chat_messages.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(ChatMessages, WhatCanBeSent) {
  ChatMessagesReader reader;
  EXPECT_EQ(reader.fault_of(R"([{"role":"user","content":"a"}])"), "");
  EXPECT_EQ(reader.fault_of(" [ {} ,\n{\"anything\":[1]} ] "), "");
  EXPECT_EQ(reader.fault_of("[]"), "there are none in the array");
  EXPECT_EQ(reader.fault_of(R"({"role":"user"})"), "they are no JSON array");
  EXPECT_EQ(reader.fault_of(R"([{"role":"user"}, "b"])"), "one of them is no JSON object");
  EXPECT_EQ(reader.fault_of(R"([{"role":"user"})"), "they are not valid JSON");
  EXPECT_EQ(reader.fault_of("[{\"role\":\"\xFF\"}]"), "they are not valid JSON") << "bytes that are not UTF-8";
  EXPECT_EQ(reader.fault_of(R"([{}],"stream":false)"), "they are not valid JSON") << "it would forge a member";
  EXPECT_EQ(reader.fault_of(""), "they are not valid JSON");
}

TEST(ChatMessages, LinesForAnEndpointWithoutThem) {
  ChatMessagesReader reader;
  std::string out = "kept ";
  reader.append_lines(R"([{"role":"system","content":"be \"brief\"\u0001"},
      {"content":[{"type":"text","text":"one "},{"type":"image_url","image_url":{}},{"type":"text","text":"two"}],"role":"user"},
      {"role":"assistant","content":null,"tool_calls":[]}, {"role":7}])",
                      out);
  EXPECT_EQ(out, "kept system: be \"brief\"\x01\nuser: one two\nassistant: \n: \n");
  reader.append_lines("{}", out);
  reader.append_lines("[", out);
  EXPECT_EQ(out.size(), std::string_view("kept system: be \"brief\"\x01\nuser: one two\nassistant: \n: \n").size());
}

}  // namespace
}  // namespace loadline
