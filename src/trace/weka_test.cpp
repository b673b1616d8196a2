#include <gtest/gtest.h>

#include <string>

#include "trace/read_trace.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

std::string weka_request(int input, const char* ids, const char* think, const char* type = "n") {
  return std::string("{\"t\": 0.0, \"type\": \"") + type + "\", \"in\": " + std::to_string(input) +
         ", \"out\": 7, \"hash_ids\": [" + ids + "], \"api_time\": 1.5, \"think_time\": " + think + "}";
}

/// The facts of a session stand behind its requests: their order is nobody's promise.
std::string weka_session(const char* id, const std::string& requests, const char* scope = "local") {
  return std::string("{\"id\": \"") + id + "\", \"requests\": [" + requests +
         "], \"block_size\": 64, \"hash_id_scope\": \"" + scope + "\"}";
}

TEST(Weka, SessionsSubagentsAndPauses) {
  const std::string agent = "{\"t\": 4.5, \"type\": \"subagent\", \"agent_id\": \"x\", \"requests\": [" +
                            weka_request(70, "1", "0.0") + "," + weka_request(128, "1, 9", "2.25") + "]}";
  const std::string log = weka_session("a", weka_request(130, "1, 2", "0.0") + "," + agent + "," +
                                                weka_request(200, "1, 2, 3", "5.6", "s") + "," +
                                                weka_request(200, "1, 2, 3", "null", "s")) +
                          "\n\n" + weka_session("b", weka_request(63, "", "0.0")) + "\n";
  const Trace trace = read_trace_bytes("log", log);
  EXPECT_EQ(trace.format, "weka");
  EXPECT_FALSE(trace.has_times);
  EXPECT_EQ(trace.remarks.size(), 1u);
  EXPECT_EQ(trace.sharing, SharingOrigin::hashed);
  EXPECT_EQ(trace.block_size, 64u);
  EXPECT_FALSE(trace.partial_tail);
  EXPECT_EQ(trace.filtered.at("blank"), 1u);
  ASSERT_EQ(trace.rows.size(), 6u);
  EXPECT_EQ(trace.sessions, (std::vector<std::string>{"a", "a/1", "b"}));
  const auto name = [&](std::size_t row) { return trace.sessions[trace.rows[row].session]; };
  EXPECT_EQ(name(0), "a");
  EXPECT_EQ(name(1), "a/1");
  EXPECT_EQ(name(3), "a");
  EXPECT_EQ(trace.rows[2].turn, 1u);
  EXPECT_EQ(trace.rows[4].turn, 2u);
  EXPECT_FALSE(trace.details[1].delay);
  EXPECT_EQ(trace.details[2].delay, Nanos(2250ms));
  EXPECT_EQ(trace.details[3].delay, Nanos(5600ms));
  EXPECT_FALSE(trace.details[4].delay);
  const auto id = [&](std::size_t row, std::size_t block) { return trace.blocks[trace.rows[row].first_block + block]; };
  EXPECT_EQ(id(0, 0), id(1, 0));  // a sub-agent's ids are of its parent's scope
  EXPECT_EQ(id(2, 1), id(0, 0) + 8);
  EXPECT_EQ(trace.rows[5].block_count, 0u);
}

TEST(Weka, LocalIdsMeanNothingElsewhere) {
  const std::string requests = weka_request(64, "1", "0.0");
  const Trace local = read_trace_bytes("log", weka_session("a", requests) + "\n" + weka_session("b", requests));
  EXPECT_NE(local.blocks.at(0), local.blocks.at(1));
  const Trace twice = read_trace_bytes("log", weka_session("a", requests) + "\n" + weka_session("a", requests));
  EXPECT_NE(twice.blocks.at(0), twice.blocks.at(1));
  const Trace global =
      read_trace_bytes("log", weka_session("a", requests, "global") + "\n" + weka_session("b", requests, "global"));
  EXPECT_EQ(global.blocks, (std::vector<std::uint64_t>{1, 1}));
}

TEST(Weka, EveryRequestIsInTheBooks) {
  const std::string good = weka_request(64, "1", "0.0");
  const std::string log =
      weka_session("a", good + "," + weka_request(128, "1", "1.0") + "," + weka_request(64, "1", "1.0", "compact") +
                            "," + weka_request(0, "", "0.0") + "," + weka_request(64, "\"x\"", "0.0")) +
      "\n{\"id\": \"c\", \"block_size\": 32, \"requests\": [" + weka_request(64, "1, 2", "0.0") + "]}\n" +
      "{\"id\": \"d\", \"block_size\": 64}\n" + weka_session("e", good + "," + good).substr(0, 150);
  const Trace trace = read_trace_bytes("log", log);
  EXPECT_EQ(trace.rows.size(), 1u);
  EXPECT_EQ(trace.read, 8u);
  EXPECT_EQ(trace.filtered.at("other"), 1u);
  EXPECT_EQ(trace.refused.at("hash_count_disagrees").first_lines, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(trace.refused.at("prompt_zero").count, 1u);
  EXPECT_EQ(trace.refused.at("malformed").first_lines, (std::vector<std::uint64_t>{1, 3}));
  EXPECT_EQ(trace.refused.at("truncated_last_line").first_lines, std::vector<std::uint64_t>{4});
}

TEST(Weka, PrettyPrintedToo) {
  const std::string pretty =
      "{\n  \"id\": \"a\",\n  \"block_size\": 64,\n  \"hash_id_scope\": \"local\",\n  \"requests\": [\n" +
      weka_request(64, "1", "0.0") + "\n  ]\n}\n";
  EXPECT_EQ(read_trace_bytes("log", pretty).rows.size(), 1u);
}

}  // namespace
}  // namespace loadline
