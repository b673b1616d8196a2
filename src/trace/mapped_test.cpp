#include "trace/mapped.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

ReadOptions mapped_by(std::string_view map) { return {.map = parse_field_map(map, "--map")}; }

std::string mapped_error(std::string_view log, std::string_view map) {
  try {
    read_trace_bytes("log", log, map.empty() ? ReadOptions{} : mapped_by(map));
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

TEST(Mapped, NestedAndFlatKeysOfJson) {
  const Trace trace = read_trace_bytes(
      "log",
      R"({"usage": {"in": 100, "out": "20", "hit": 64}, "when": 1793610900000, "who": {"id": 7}, "s.id": "s-1", "code": 200})"
      "\n"
      R"({"usage": {"in": 50, "out": 5}, "when": 1793610900412.5, "who": {"id": 9007199254740993}, "s.id": "s-1", "code": 200})"
      "\n"
      R"({"usage": {"in": 50, "out": 5}, "when": 1793610900500, "code": 500})"
      "\n"
      R"({"usage": {"in": [50], "out": 5}, "when": 1793610900500, "code": 200})"
      "\n"
      R"({"usage": {"in": 50, "out": 5}, "when": "soon", "code": 200})"
      "\n"
      R"({"usage": {"in": 50, "out": 99999999999}, "when": 1793610900500, "code": 200})"
      "\n"
      R"({"usage": {"in": 50, "out": 5}, "code": 200})"
      "\n"
      R"({"usage": {"in": 50, "ou)",
      mapped_by("prompt=usage.in,completion=usage.out,cached=usage.hit,time=when:ms,client=who.id,session=s.id,"
                "status=code"));
  EXPECT_EQ(trace.format, "mapped");
  EXPECT_EQ(trace.time_zone, "UTC");
  EXPECT_EQ(trace.time_resolution_ms, 0.1);
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.rows[0].completion.value(), 20);
  EXPECT_EQ(trace.rows[0].cached, std::optional(Tokens(64)));
  EXPECT_EQ(trace.rows[1].arrival, 412'500us);
  EXPECT_EQ(trace.rows[1].turn, 1u);
  EXPECT_EQ(trace.clients, (std::vector<std::string>{"7", "9007199254740993"}));
  const auto lines = [&](const char* reason) { return trace.refused.at(reason).first_lines; };
  EXPECT_EQ(lines("failed"), std::vector<std::uint64_t>{3});
  EXPECT_EQ(lines("malformed"), std::vector<std::uint64_t>{4});
  EXPECT_EQ(lines("bad_timestamp"), (std::vector<std::uint64_t>{5, 7}));
  EXPECT_EQ(lines("out_of_range"), std::vector<std::uint64_t>{6});
  EXPECT_EQ(lines("truncated_last_line"), std::vector<std::uint64_t>{8});
}

TEST(Mapped, ColumnsOfATable) {
  const Trace trace = read_trace_bytes("log",
                                       "id,ended,took,\"in\",out,text\r\n"
                                       "1,2026-11-02 09:15:03.904,3904,100,20,\"a, b\"\r\n"
                                       "\r\n"
                                       "2,2026-11-02 09:15:01.143,731,50,5,c\r\n"
                                       "3,2026-11-02 09:15:01.143,731,50\r\n"
                                       "4,2026-11-02 09:15:01.143,731,50,,c\r\n"
                                       "5,2026-11-02 09:15:01.143,731,50,5,too,many\r\n"
                                       "6,2026-11-02 09:15:01.143,731,50,5,\xff\r\n",
                                       mapped_by("prompt=in,completion=out,end=ended,duration=took:ms,client=text"));
  EXPECT_EQ(trace.time_zone, "local");
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.rows[1].arrival, 412ms);
  EXPECT_EQ(trace.clients, (std::vector<std::string>{"a, b", "c"}));
  EXPECT_EQ(trace.filtered.at("blank"), 1u);
  EXPECT_EQ(trace.refused.at("malformed").first_lines, (std::vector<std::uint64_t>{5, 7}));
  EXPECT_EQ(trace.refused.at("no_completion_length").first_lines, std::vector<std::uint64_t>{6});
  EXPECT_EQ(trace.refused.at("not_utf8").first_lines, std::vector<std::uint64_t>{8});
}

TEST(Mapped, TextAndNoTimes) {
  const Trace trace =
      read_trace_bytes("log", "{\"q\": \"12345678\", \"n\": 3}\n{\"q\": \"\", \"n\": 3}\n",
                       {.map = parse_field_map("text=q,completion=n", "--map"), .tokens_per_character = 0.5});
  EXPECT_FALSE(trace.has_times);
  ASSERT_EQ(trace.rows.size(), 1u);
  EXPECT_EQ(trace.rows[0].prompt.value(), 4);
  EXPECT_EQ(trace.refused.at("no_prompt_length").first_lines, std::vector<std::uint64_t>{2});
}

TEST(Mapped, EndsWithoutDurationsAreNoArrivals) {
  const Trace trace = read_trace_bytes("log", "{\"p\": 1, \"e\": 1793610900}\n", mapped_by("prompt=p,end=e"));
  EXPECT_FALSE(trace.has_times);
  EXPECT_EQ(trace.remarks.size(), 2u);  // neither arrivals nor completions
}

TEST(Mapped, AFieldThatNoRecordHasIsAnError) {
  EXPECT_EQ(mapped_error("prompt_len,out,t\n1,2,3\n", "prompt=prompt_lens,completion=out,time=t"),
            "log has no field \"prompt_lens\", did you mean prompt_len? It has 3 fields: prompt_len, out, t");
  EXPECT_EQ(mapped_error("{\"in\": 1, \"out\": 2}\n", "prompt=in,completion=out,session=user.session"),
            "log has no field \"user.session\"; it has 2 fields: in, out");
  EXPECT_NE(mapped_error("nothing\nat all\n", "prompt=in").find("it has 1 field: nothing"), std::string::npos);
  EXPECT_NE(mapped_error("{broken\n", "prompt=in").find("no usable row"), std::string::npos);
}

TEST(Mapped, MessagesEchoNoTextAndEnd) {
  EXPECT_EQ(mapped_error("my secret prompt text,5\n", "prompt=p"),
            "log has no field \"p\"; it has 2 fields, none with what looks like a name: is the header missing?");
  EXPECT_EQ(mapped_error("secret text,tokens\n", "prompt=p"),
            "log has no field \"p\"; it has 2 fields: tokens (1 without a name)");
  std::string header = std::string(50, 'x');
  for (int i = 1; i < 1000; ++i) header += "," + std::string(50, 'x') + std::to_string(i);
  const std::string message = mapped_error(header + "\n", "prompt=p");
  EXPECT_NE(message.find("it has 1000 fields: " + std::string(40, 'x') + "..., "), std::string::npos) << message;
  EXPECT_LT(message.size(), 1000u);
  EXPECT_EQ(mapped_error(std::string(65, 'x') + ",n\n", "prompt=p").find("xx"), std::string::npos);
}

TEST(Mapped, NumbersInAnotherUnitNameIt) {
  const auto error_of = [](std::string_view stamp, std::string_view time) {
    return mapped_error("p,c,t\n5,6," + std::string(stamp) + "\n", "prompt=p,completion=c,time=" + std::string(time));
  };
  EXPECT_EQ(
      error_of("1793610900412", "t"),
      "log: no number of t is a time in the unit it was read in; by their size they are in ms: write time=t:ms in "
      "--map");
  EXPECT_NE(error_of("1793610900412000", "t").find("time=t:us"), std::string::npos);
  EXPECT_NE(error_of("1793610900412000000", "t:ms").find("time=t:ns"), std::string::npos);
  EXPECT_EQ(error_of("1793610900", "t"), "read");
  const Trace mixed =
      read_trace_bytes("log", "p,c,t\n5,6,1793610900\n5,6,1793610900412\n", mapped_by("prompt=p,completion=c,time=t"));
  EXPECT_EQ(mixed.refused.at("bad_timestamp").first_lines, std::vector<std::uint64_t>{3});
}

TEST(Mapped, AStatusIsANumberOrAWord) {
  std::string table = "p,c,s\n";
  for (const char* good :
       {"200", "302", "200.0", "ok", "Success", "SUCCESS", "succeeded", "completed", "true", "2xx", ""})
    table += std::string("5,6,") + good + "\n";
  for (const char* bad : {"500", "404", "0", "-1", "error", "failed", "timeout", "false", "5xx", "1000"})
    table += std::string("5,6,") + bad + "\n";
  const Trace trace = read_trace_bytes("log", table, mapped_by("prompt=p,completion=c,status=s"));
  EXPECT_EQ(trace.rows.size(), 11u);
  EXPECT_EQ(trace.refused.at("failed").count, 10u);
  EXPECT_EQ(trace.details.at(2).status, std::optional<std::uint16_t>(200));
  EXPECT_FALSE(trace.details.at(3).status);  // a word is no HTTP status
}

TEST(Mapped, TwoColumnsOfOneNameAreRefused) {
  EXPECT_EQ(mapped_error("p,c,p\n1,2,3\n", "prompt=p,completion=c"),
            "log: line 1 names two columns \"p\"; rename or remove one");
  EXPECT_EQ(mapped_error("p,c,x,x\n1,2,3,4\n", "prompt=p,completion=c"), "read");  // of no column that is asked for
  EXPECT_EQ(mapped_error("TIMESTAMP,ContextTokens,GeneratedTokens,ContextTokens\n2026-11-02 09:15:00,1,2,3\n", ""),
            "log: line 1 names two columns \"ContextTokens\"; rename or remove one");
}

TEST(Mapped, TheSameForEveryFragmentation) {
  const std::string text = "[\n {\"in\": 10, \"out\": 2, \"t\": 5},\n {\"in\": 20,\n  \"out\": 3, \"t\": 6}\n]";
  const ReadOptions options = mapped_by("prompt=in,completion=out,time=t");
  for (std::size_t step = 1; step <= text.size(); ++step) {
    const Trace trace = read_trace_bytes("log", text, options, step);
    ASSERT_EQ(trace.rows.size(), 2u) << step;
    EXPECT_EQ(trace.rows[1].prompt.value(), 20);
    EXPECT_EQ(trace.rows[1].arrival, 1s);
  }
}

TEST(Generic, NamesThatEverybodyUses) {
  const Trace table =
      read_trace_bytes("log",
                       "timestamp,input_tokens,output_tokens,session_id\n"
                       "2026-11-02T09:15:00+02:00,100,20,s-1\n2026-11-02T09:15:00.412+02:00,50,5,s-1\n");
  EXPECT_EQ(table.format, "generic");
  EXPECT_EQ(table.time_zone, "offset");
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[1].arrival, 412ms);
  EXPECT_EQ(table.sessions, std::vector<std::string>{"s-1"});
  const Trace json = read_trace_bytes(
      "log", "broken\n{\"ts\": 1793610900412, \"prompt_tokens\": 7, \"completion_tokens\": 8, \"cached_tokens\": 3}\n");
  EXPECT_EQ(json.format, "generic");
  ASSERT_EQ(json.rows.size(), 1u);
  EXPECT_EQ(json.started, Nanos(1793610900'412'000'000));
  EXPECT_EQ(json.rows[0].cached, std::optional(Tokens(3)));
  EXPECT_EQ(json.refused.at("malformed").first_lines, std::vector<std::uint64_t>{1});
  const Trace timeless = read_trace_bytes("log", "prompt_tokens,completion_tokens\n5,6\n");
  EXPECT_FALSE(timeless.has_times);
}

TEST(Generic, WhatWouldBeAGuessAsksForAMap) {
  EXPECT_NE(mapped_error("time,prompt_tokens,completion_tokens\n412,5,6\n", "")
                .find("--map prompt=prompt_tokens,completion=completion_tokens,time=time:s (or ms, us, ns)"),
            std::string::npos);
  EXPECT_NE(mapped_error("time,ts,prompt_tokens,completion_tokens\n412,412,5,6\n", "").find("both time and ts may be"),
            std::string::npos);
  EXPECT_NE(mapped_error("prompt_tokens,words\n5,6\n", "").find("no known trace format"), std::string::npos);
}

}  // namespace
}  // namespace loadline
