#include "wire/event_shape.h"

#include <gtest/gtest.h>

#include "wire/stream_event.h"

namespace loadline {
namespace {

constexpr std::string_view chat =
    R"({"id":"c-7","object":"chat.completion.chunk","created":1790000000,"model":"m","choices":[{"index":0,)"
    R"("delta":{"content":" word"},"logprobs":null,"finish_reason":null,"token_ids":[17]}]})";

std::string changed(std::string_view from, std::string_view what, std::string_view to) {
  std::string text(from);
  text.replace(text.find(what), what.size(), to);
  return text;
}

TEST(EventShape, holes_take_what_does_not_matter) {
  EventShape shape;
  EXPECT_FALSE(shape.matches(chat)) << "nothing was learned";
  shape.learn(chat);
  EXPECT_TRUE(shape.matches(chat));
  EXPECT_TRUE(shape.matches(changed(chat, " word", "x")));
  EXPECT_TRUE(shape.matches(changed(chat, " word", "\xe6\xbc\xa2\xe5\xad\x97")));
  EXPECT_TRUE(shape.matches(changed(chat, "c-7", "another-and-longer-id")));
  EXPECT_TRUE(shape.matches(changed(chat, "1790000000", "3")));
  EXPECT_TRUE(shape.matches(changed(chat, "[17]", "[128009]")));
}

TEST(EventShape, anything_else_is_another_event) {
  EventShape shape;
  shape.learn(chat);
  const std::string others[] = {
      changed(chat, " word", ""),
      changed(chat, " word", "a\\nb"),
      changed(chat, " word", "a\nb"),
      changed(chat, " word", "\xe6\xbc"),
      changed(chat, " word", "a\"},{\"b"),
      changed(chat, "\"finish_reason\":null", "\"finish_reason\":\"stop\""),
      changed(chat, "[17]", "[17,18]"),
      changed(chat, "[17]", "[]"),
      changed(chat, "[17]", "[07]"),
      changed(chat, "[17]", "[-1]"),
      changed(chat, "content", "refusal"),
      changed(chat, "\"m\"", "\"n\""),
      changed(chat, "}]}", "}]"),
      std::string(chat) + " ",
      {},
  };
  for (const std::string& other : others) EXPECT_FALSE(shape.matches(other)) << other;
}

bool same(const StreamEvent& a, const StreamEvent& b) {
  return a.done == b.done && a.malformed == b.malformed && a.carries_output == b.carries_output &&
         a.carries_answer == b.carries_answer && a.finished == b.finished && a.token_ids == b.token_ids &&
         a.usage.has_value() == b.usage.has_value() && a.counts_on == b.counts_on && a.is_error == b.is_error &&
         a.error_message == b.error_message;
}

// One byte of an event is replaced by each of these, everywhere; a reader that knows the event's shape must find in it
// what one finds that knows nothing.
TEST(EventShape, a_reader_finds_the_same_with_and_without_it) {
  const std::string_view events[] = {
      chat,
      R"({"id":"x","choices":[{"index":0,"text":" a","logprobs":null,"finish_reason":null}],"usage":null})",
      R"({"choices":[{"delta":{"reasoning_content":"hm","content":null}}],"id" : "k", "created" : 5})",
      R"({"choices":[{"delta":{"content":[{"type":"text","text":"a\\b"},{"type":"text","text":"c"}]}}]})",
      R"({"id":"x","detail":"d","choices":[{"text":"t"}]})",
  };
  constexpr std::string_view bytes = "\"\\{}[],: 0a9-\x01\xc3\xa9\n";
  StreamEventReader warm;
  for (const std::string_view event : events) {
    for (std::size_t at = 0; at < event.size(); ++at) {
      for (const char byte : bytes) {
        std::string other(event);
        other[at] = byte;
        StreamEventReader cold;
        warm.read(StreamFormat::openai, "message", event);
        const StreamEvent found = warm.read(StreamFormat::openai, "message", other);
        EXPECT_TRUE(same(found, cold.read(StreamFormat::openai, "message", other))) << other;
        EXPECT_EQ(warm.words_of(other), cold.words_of(other)) << other;
      }
    }
  }
}

}  // namespace
}  // namespace loadline
