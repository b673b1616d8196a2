#include "trace/embedded_json.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace loadline {
namespace {

using Texts = std::vector<std::string>;

Texts objects_in(std::string_view text) {
  EmbeddedJson embedded;
  embedded.open(text);
  Texts objects;
  for (std::string_view object; !(object = embedded.next()).empty();) objects.emplace_back(object);
  return objects;
}

TEST(EmbeddedJson, AnObject) {
  EXPECT_EQ(objects_in(R"({"a": 7})"), Texts{R"({"a": 7})"});
  EXPECT_EQ(objects_in("  {\n \"a\": 7}\n"), Texts{"{\n \"a\": 7}"});
}

TEST(EmbeddedJson, ServerSentEvents) {
  EXPECT_EQ(objects_in("data: {\"a\": 1}\n\ndata:{\"a\": 2}\r\n\r\ndata: [DONE]\n\n"),
            (Texts{R"({"a": 1})", R"({"a": 2})"}));
  EXPECT_EQ(objects_in(": hello\nevent: message\ndata: {\"a\": 3}"), Texts{R"({"a": 3})"});
}

TEST(EmbeddedJson, Base64OfEither) {
  EXPECT_EQ(objects_in("eyJhIjogN30="), Texts{R"({"a": 7})"});
  EXPECT_EQ(objects_in("eyJhIjogMTJ9"), Texts{R"({"a": 12})"});
  EXPECT_EQ(objects_in("ZGF0YTogeyJhIjogMX0KCmRhdGE6IHsiYSI6IDJ9Cg=="), (Texts{R"({"a": 1})", R"({"a": 2})"}));
}

TEST(EmbeddedJson, WhatIsNone) {
  for (const char* const text : {"", "[1]", "plain text", "abcd", "data: [DONE]", "eyJh*jogN30=", "===="})
    EXPECT_EQ(objects_in(text), Texts{}) << text;
}

}  // namespace
}  // namespace loadline
