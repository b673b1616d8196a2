#include "wire/running_tokens.h"

#include <gtest/gtest.h>

#include <vector>

namespace loadline {
namespace {

/// An event as a list of what it tells: text or not, ids, a running count, an end.
StreamEvent event_of(bool text, std::optional<std::uint32_t> ids, std::optional<std::int64_t> count, bool end = false) {
  StreamEvent event;
  event.carries_output = text || ids.value_or(0) > 0;
  event.token_ids = ids;
  event.counts_on = count.has_value();
  if (count) event.usage = Usage{.completion_tokens = count};
  event.finished = end;
  return event;
}

/// Per event: "-" no output, "?" output of an unknown number of tokens, else their number.
std::string steps_of(StreamFormat format, const std::vector<StreamEvent>& events) {
  RunningTokens running;
  running.reset(format);
  std::string steps;
  for (const StreamEvent& event : events) {
    const RunningTokens::Step step = running.take(event);
    steps += !step.is_output ? "-" : step.tokens ? std::to_string(*step.tokens) : "?";
  }
  return steps;
}

TEST(RunningTokens, TellsTokensByIdsAndByCounts) {
  const auto none = std::nullopt;
  constexpr StreamFormat openai = StreamFormat::openai;
  EXPECT_EQ(steps_of(openai, {event_of(true, none, none), event_of(true, none, none)}), "??");
  EXPECT_EQ(steps_of(openai, {event_of(true, 1, none), event_of(false, 2, none)}), "12");
  EXPECT_EQ(steps_of(openai, {event_of(true, none, 1), event_of(true, none, 4), event_of(false, none, 4)}), "13-");
  EXPECT_EQ(steps_of(openai, {event_of(false, none, 0), event_of(false, none, 1), event_of(true, none, 2)}), "-11")
      << "a token without text";
  EXPECT_EQ(steps_of(openai, {event_of(true, none, 1), event_of(false, none, 2, true)}), "11")
      << "the end token, where the count is known to run on";
  EXPECT_EQ(steps_of(openai, {event_of(true, none, none), event_of(false, none, 5, true)}), "?-")
      << "the sum at the end is no event's";
  EXPECT_EQ(steps_of(openai, {event_of(false, none, 5, true)}), "-");
  EXPECT_EQ(steps_of(openai, {event_of(true, none, 3, true)}), "3") << "one event with all";
  EXPECT_EQ(steps_of(openai, {event_of(true, none, 1), event_of(true, none, none), event_of(true, none, 4)}), "1??");
  EXPECT_EQ(steps_of(openai, {event_of(true, none, 1), event_of(true, none, 1), event_of(true, none, 2)}), "1?1")
      << "two choices, each with its own count";
}

TEST(RunningTokens, AReportIsNoToken) {
  const auto none = std::nullopt;
  const StreamEvent text = event_of(true, none, none);
  constexpr StreamFormat openai = StreamFormat::openai;
  EXPECT_EQ(steps_of(openai, {text, event_of(false, none, none, true), event_of(false, none, 2)}), "?--")
      << "after the end";
  EXPECT_EQ(steps_of(openai, {text, event_of(false, none, 2)}), "?-") << "before the end, of events that told none";
  EXPECT_EQ(steps_of(openai, {event_of(false, none, 5)}), "-") << "alone";
  EXPECT_EQ(steps_of(openai, {text, event_of(false, none, 0), event_of(false, none, 2, true)}), "?--")
      << "0 beside text";
  EXPECT_EQ(steps_of(StreamFormat::llamacpp, {text, event_of(false, none, 2, true)}), "?-");
}

TEST(RunningTokens, SomeFormatsAlwaysCountOn) {
  EXPECT_EQ(steps_of(StreamFormat::sglang, {event_of(false, std::nullopt, 3, true)}), "3");
  EXPECT_EQ(steps_of(StreamFormat::llamacpp, {event_of(true, std::nullopt, 1), event_of(false, std::nullopt, 1, true)}),
            "1-");
}

}  // namespace
}  // namespace loadline
