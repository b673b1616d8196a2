// The samples and real traces of data sets: what they hold is written here as it was counted by other means.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>
#include <string>

#include "core/error.h"
#include "trace/format.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

namespace fs = std::filesystem;

/// The folder of samples; empty where there is none.
fs::path datasets_folder() {
  if (const char* const folder = std::getenv("LOADLINE_SHARED")) return folder;
  const fs::path beside = fs::path(LOADLINE_SOURCE_DIR) / ".." / "shared";
  return fs::exists(beside / "logs") ? beside : fs::path();
}

class DatasetSamples : public testing::Test {
 protected:
  void SetUp() override {
    if (datasets_folder().empty()) GTEST_SKIP() << "neither LOADLINE_SHARED nor ../shared is there: no samples at hand";
  }
  static Trace log(const char* name, ReadOptions options = {}) {
    return read_trace({(datasets_folder() / "logs" / name).string()}, options);
  }
  static Trace real(const char* name, ReadOptions options = {}) {
    return read_trace({(datasets_folder() / "traces" / name).string()}, options);
  }
};

struct DatasetRequest {
  double time_s;
  std::int64_t prompt, completion, cached;
  const char* session;
};
constexpr std::array dataset_requests{
    DatasetRequest{0.0, 1843, 212, 0, "s-41"},      DatasetRequest{0.412, 961, 37, 0, "s-42"},
    DatasetRequest{1.207, 4096, 603, 1536, "s-43"}, DatasetRequest{6.204, 2087, 148, 1840, "s-41"},
    DatasetRequest{7.955, 975, 1, 960, "s-42"},     DatasetRequest{63.02, 15872, 890, 0, "s-44"},
};

/// The six requests that samples share; times to the format's resolution, rounded up or down.
void expect_dataset_requests(const Trace& trace, std::string_view format, double resolution_ms) {
  EXPECT_EQ(trace.format, format);
  EXPECT_TRUE(trace.has_times);
  EXPECT_EQ(trace.time_resolution_ms, resolution_ms);
  ASSERT_EQ(trace.rows.size(), dataset_requests.size());
  for (std::size_t i = 0; i < dataset_requests.size(); ++i) {
    const TraceRow& row = trace.rows[i];
    EXPECT_EQ(row.prompt.value(), dataset_requests[i].prompt);
    EXPECT_EQ(row.completion.value(), dataset_requests[i].completion);
    if (row.arrival_known) {
      EXPECT_NEAR(milliseconds(row.arrival), 1e3 * dataset_requests[i].time_s, std::max(resolution_ms, 1e-3));
    }
  }
}

void expect_dataset_sessions(const Trace& trace) {
  for (std::size_t i = 0; i < dataset_requests.size(); ++i) {
    EXPECT_EQ(trace.sessions.at(trace.rows.at(i).session), dataset_requests[i].session);
  }
  EXPECT_EQ(trace.rows[3].turn, 1u);
}

TEST_F(DatasetSamples, AzureOfBothYears) {
  expect_dataset_requests(log("azure-2023.csv"), "azure", 0.0001);
  expect_dataset_requests(log("azure-2024.csv"), "azure", 0.001);
  EXPECT_EQ(log("azure-2023.csv").started, log("azure-2024.csv").started);
}

TEST_F(DatasetSamples, MooncakeAndItsRelatives) {
  expect_dataset_requests(log("mooncake.jsonl"), "mooncake", 1);
  expect_dataset_requests(log("aiperf-mooncake-lengths-only.jsonl"), "aiperf-mooncake", 1);
  const Trace sessions = log("aiperf-mooncake-sessions.jsonl");
  expect_dataset_requests(sessions, "aiperf-mooncake", 1);
  expect_dataset_sessions(sessions);
  EXPECT_EQ(sessions.details.at(3).delay, Nanos(std::chrono::milliseconds(2300)));
  EXPECT_EQ(sessions.blocks.size(), 52u);
  const Trace texts = log("aiperf-mooncake-text.jsonl", {.tokens_per_character = 0.25});
  EXPECT_EQ(texts.format, "aiperf-mooncake");
  ASSERT_EQ(texts.rows.size(), 7u);
  EXPECT_EQ(texts.rows[0].prompt.value(), 18);  // 70 characters
  EXPECT_EQ(texts.rows[2].completion.value(), 603);
  EXPECT_EQ(texts.rows[6].completion.value(), 40);
}

TEST_F(DatasetSamples, QwenBailian) {
  const Trace trace = log("qwen-bailian.jsonl");
  expect_dataset_requests(trace, "qwen-bailian", 1);
  EXPECT_EQ(trace.block_size, 16u);
  EXPECT_EQ(trace.rows[3].session, trace.rows[0].session);
  EXPECT_EQ(trace.rows[4].session, trace.rows[1].session);
  EXPECT_EQ(trace.rows[3].turn, 1u);
}

TEST_F(DatasetSamples, Burstgpt) {
  const Trace first = log("burstgpt.csv");
  expect_dataset_requests(first, "burstgpt", 1000);
  EXPECT_EQ(first.refused.at("failed").first_lines, std::vector<std::uint64_t>{8});
  const Trace third = log("burstgpt-3.csv");
  expect_dataset_requests(third, "burstgpt", 100);
  EXPECT_EQ(third.sessions, (std::vector<std::string>{"41", "42", "43", "44"}));
  EXPECT_EQ(third.refused.at("failed").count, 1u);
}

TEST_F(DatasetSamples, TextsToSend) {
  const ReadOptions kept{.keep_texts = true};
  EXPECT_EQ(log("genai-bench.csv", kept).rows.size(), 6u);
  ReadOptions named = kept;
  named.format = "genai-bench-text";
  EXPECT_EQ(log("genai-bench.txt", named).rows.size(), 6u);
  EXPECT_EQ(log("openqa.jsonl", kept).rows.size(), 3u);
  const Trace lists = log("messages.jsonl", kept);
  EXPECT_EQ(lists.rows.size(), 2u);
  EXPECT_NE(lists.texts.at(0).text.find("Now as a table."), std::string::npos);
  const Trace talks = log("sharegpt.json", {.tokens_per_character = 1.0});
  ASSERT_EQ(talks.rows.size(), 3u);
  EXPECT_EQ(talks.rows[0].completion.value(), 58);
  EXPECT_EQ(talks.refused.at("no_prompt_length").count, 1u);
}

TEST_F(DatasetSamples, Parquet) {
  try {
    const Trace general = log("generic.parquet");
    expect_dataset_requests(general, "parquet-generic", 0.001);
    expect_dataset_sessions(general);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(general.rows[i].cached, Tokens(dataset_requests[i].cached));
    EXPECT_EQ(general.block_size, 512u);
    EXPECT_EQ(general.blocks.size(), 52u);
    EXPECT_EQ(general.time_zone, "UTC");
    const Trace baseten = log("aiperf-baseten.parquet");
    expect_dataset_requests(baseten, "baseten", 1);
    expect_dataset_sessions(baseten);
    EXPECT_EQ(baseten.started, general.started);
    EXPECT_EQ(baseten.blocks, general.blocks);
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.find("pip install pyarrow") == std::string::npos) throw;
    GTEST_SKIP() << "python3 has no pyarrow: Parquet samples cannot be converted here";
  }
}

TEST_F(DatasetSamples, WekaSessions) {
  EXPECT_EQ(log("weka.json").rows.size(), 3u);
  EXPECT_EQ(real("weka_trace_single.json").rows.size(), 8u);
  const Trace trace = real("weka_agentic_coding.jsonl.gz");
  EXPECT_EQ(trace.read, 2282u);
  EXPECT_EQ(trace.rows.size(), 2281u);
  EXPECT_EQ(trace.refused.at("completion_zero").count, 1u);
  EXPECT_EQ(trace.sessions.size(), 67u);
  std::map<SessionIndex, std::uint32_t> next_turn;
  std::size_t delays = 0, skipped = 0;
  for (std::size_t i = 0; i < trace.rows.size(); ++i) {
    std::uint32_t& turn = next_turn[trace.rows[i].session];
    skipped += trace.rows[i].turn - turn;
    turn = trace.rows[i].turn + 1;
    delays += trace.details[i].delay ? 1 : 0;
  }
  EXPECT_EQ(next_turn.size(), 67u);
  EXPECT_EQ(skipped, 1u);
  EXPECT_GT(delays, 2000u);
}

TEST_F(DatasetSamples, VidurHoldsWhatAzureHolds) {
  const Trace vidur = real("vidur_splitwise_conv.csv"), azure = real("azure_llm_2023_conv.csv");
  EXPECT_EQ(vidur.format, "vidur");
  EXPECT_EQ(vidur.time_resolution_ms, 0.001);
  ASSERT_EQ(vidur.rows.size(), azure.rows.size());
  for (std::size_t i = 0; i < vidur.rows.size(); ++i) {
    ASSERT_EQ(vidur.rows[i].prompt, azure.rows[i].prompt) << i;
    ASSERT_EQ(vidur.rows[i].completion, azure.rows[i].completion) << i;
    ASSERT_NEAR(milliseconds(vidur.rows[i].arrival), milliseconds(azure.rows[i].arrival), 0.001) << i;
  }
}

TEST_F(DatasetSamples, LengthsWithoutTimes) {
  const Trace etalon = real("etalon_sharegpt_8k_lengths.csv"), arxiv = real("vidur_arxiv_summarization_lengths.csv");
  EXPECT_EQ(etalon.rows.size(), 30'731u);
  EXPECT_EQ(arxiv.rows.size(), 28'257u);
  EXPECT_FALSE(etalon.has_times);
  EXPECT_EQ(etalon.rows.back().prompt.value(), 2285);
  EXPECT_EQ(arxiv.rows.back().completion.value(), 313);
}

TEST_F(DatasetSamples, AgentsOfLmcache) {
  const std::array<std::pair<const char*, std::size_t>, 4> files{{{"text/lmcache_miniswe_189f.jsonl", 6},
                                                                  {"text/lmcache_miniswe_c7d0.jsonl", 6},
                                                                  {"text/lmcache_magagent_7b6.jsonl", 13},
                                                                  {"text/lmcache_magagent_b31.jsonl", 10}}};
  for (const auto& [name, rows] : files) {
    const Trace trace = real(name, {.tokens_per_character = 1.0});
    EXPECT_EQ(trace.format, "lmcache") << name;
    EXPECT_EQ(trace.rows.size(), rows) << name;
    EXPECT_EQ(trace.sessions.size(), 1u) << name;
    EXPECT_EQ(trace.sharing, SharingOrigin::hashed) << name;
  }
  const Trace trace = real("text/lmcache_miniswe_189f.jsonl", {.tokens_per_character = 1.0});
  EXPECT_EQ(trace.rows[0].prompt.value(), 5080);
  EXPECT_EQ(trace.rows[3].completion.value(), 555);  // the last line of the file is the fourth in time
}

TEST_F(DatasetSamples, EachIsOfOneFormat) {
  const std::array<std::pair<const char*, const char*>, 22> files{{
      {"logs/azure-2023.csv", "azure"},
      {"logs/azure-2024.csv", "azure"},
      {"logs/mooncake.jsonl", "mooncake"},
      {"logs/aiperf-mooncake-lengths-only.jsonl", "aiperf-mooncake"},
      {"logs/aiperf-mooncake-sessions.jsonl", "aiperf-mooncake"},
      {"logs/aiperf-mooncake-text.jsonl", "aiperf-mooncake"},
      {"logs/qwen-bailian.jsonl", "qwen-bailian"},
      {"logs/burstgpt.csv", "burstgpt"},
      {"logs/burstgpt-3.csv", "burstgpt"},
      {"logs/weka.json", "weka"},
      {"logs/sharegpt.json", "sharegpt"},
      {"logs/messages.jsonl", "messages"},
      {"logs/openqa.jsonl", "openqa"},
      {"logs/genai-bench.csv", "genai-bench"},
      {"traces/mooncake_conversation.jsonl", "mooncake"},
      {"traces/vidur_splitwise_conv.csv", "vidur"},
      {"traces/etalon_sharegpt_8k_lengths.csv", "vidur"},
      {"traces/weka_agentic_coding.jsonl.gz", "weka"},
      {"traces/text/lmcache_miniswe_189f.jsonl", "lmcache"},
      {"traces/quantiles.json", "quantiles"},
      {"traces/servegen/language-m-small/chunk-12-trace.csv", "servegen-rates"},
      {"traces/servegen/language-m-small/chunk-12-dataset.json", "servegen-lengths"},
  }};
  for (const auto& [name, right] : files) {
    ByteSource source = ByteSource::open((datasets_folder() / name).string());
    TextWindow window(source);
    const LogHead head(window.head(std::size_t{1} << 16));
    for (const TraceFormat& format : trace_formats()) {
      EXPECT_EQ(format.recognised(head), format.name == right) << name << " and " << format.name;
    }
  }
}

TEST_F(DatasetSamples, TablesAreRefusedByName) {
  for (const char* const name :
       {"quantiles.json", "servegen/reason-deepseek-r1/chunk-35-trace.csv",
        "servegen/reason-deepseek-r1/chunk-35-dataset.json", "servegen/language-m-small/chunk-14-trace.csv",
        "servegen/language-m-small/chunk-27-dataset.json"}) {
    try {
      real(name);
      ADD_FAILURE() << name << " was read";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("builtin:reason-servegen-r1"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace loadline
