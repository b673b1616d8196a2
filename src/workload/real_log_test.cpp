// Against logs as released. They are not in the repository: LOADLINE_SHARED names the folder that holds
// traces/, else they are looked for beside it.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "workload/draw.h"
#include "workload/hit_rate_test.h"
#include "workload/sample_distance.h"
#include "workload/sharing.h"

namespace loadline {
namespace {

constexpr const char* no_logs = "no released logs here: LOADLINE_SHARED names the folder that holds traces/";

/// Path of a released log; empty where there is none.
std::string released_log(const std::string& name) {
  const char* folder = std::getenv("LOADLINE_SHARED");
  const std::string path = (folder == nullptr ? "../shared" : std::string(folder)) + "/traces/" + name;
  return std::filesystem::exists(path) ? path : "";
}

std::int64_t number_after(const std::string& line, const std::string& key) {
  return std::stoll(line.substr(line.find(key) + key.size()));
}

Trace read_mooncake(const std::string& path) {
  Trace trace;
  trace.source = "mooncake_conversation.jsonl";
  trace.block_size = 512;
  trace.sharing = SharingOrigin::hashed;
  trace.has_times = true;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    TraceRow row;
    row.prompt = Tokens(number_after(line, "\"input_length\": "));
    row.completion = Tokens(std::max<std::int64_t>(1, number_after(line, "\"output_length\": ")));
    row.arrival = std::chrono::milliseconds(number_after(line, "\"timestamp\": "));
    row.first_block = trace.blocks.size();
    std::istringstream ids(line.substr(line.find('[') + 1));
    std::uint64_t id = 0;
    for (char comma = ','; comma == ',' && ids >> id; ids >> comma) trace.blocks.push_back(id);
    row.block_count = static_cast<std::uint32_t>(trace.blocks.size() - row.first_block);
    trace.rows.push_back(row);
  }
  return trace;
}

Trace read_azure(const std::string& path) {
  Trace trace;
  trace.source = "azure.csv";
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    const std::size_t prompt = line.find(',') + 1, completion = line.find(',', prompt) + 1;
    TraceRow row;
    row.prompt = Tokens(std::stoll(line.substr(prompt)));
    row.completion = Tokens(std::stoll(line.substr(completion)));
    trace.rows.push_back(row);
  }
  return trace;
}

TEST(RealLog, MooncakeKeepsItsSharingInAWindow) {
  const std::string path = released_log("mooncake_conversation.jsonl");
  if (path.empty()) GTEST_SKIP() << no_logs;
  const Trace trace = read_mooncake(path);
  ASSERT_EQ(trace.rows.size(), 12031U);
  UnboundedCache whole_log(trace.blocks, trace.block_size);
  for (const TraceRow& row : trace.rows) whole_log.take({row.prompt, row.first_block, row.block_count, 0, 0});

  double low = 1, high = 0, mean = 0;
  constexpr int seeds = 40;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    DrawSettings settings;
    settings.seed = seed;
    settings.count = 1200;
    settings.sampler = Sampler::replay;
    const double rate = hit_rate_of(draw_workload(trace, settings));
    low = std::min(low, rate);
    high = std::max(high, rate);
    mean += rate / seeds;
  }
  EXPECT_NEAR(whole_log.token_hit_rate(), 0.3736, 0.0001);
  // A window knows less history than the log: 40 of them gave 0.155 to 0.256, 0.212 in the mean.
  EXPECT_GT(low, 0.14);
  EXPECT_LT(high, 0.28);
  EXPECT_NEAR(mean, 0.212, 0.01);
}

Workload draw_mooncake_rows(const Trace& trace, Sampler sampler, std::uint64_t seed, std::size_t count) {
  DrawSettings settings;
  settings.seed = seed;
  settings.count = count;
  settings.sampler = sampler;
  return draw_workload(trace, settings);
}

TEST(RealLog, WholeFamiliesKeepMooncakesSharingAndRowsDoNot) {
  const std::string path = released_log("mooncake_conversation.jsonl");
  if (path.empty()) GTEST_SKIP() << no_logs;
  const Trace trace = read_mooncake(path);
  int within = 0;
  double by_rows = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const double rate = hit_rate_of(draw_mooncake_rows(trace, Sampler::sessions, seed, 1200));
    RecordProperty("seed_" + std::to_string(seed), std::to_string(rate));
    within += std::abs(rate - 0.3736) <= 0.04 ? 1 : 0;
    by_rows += hit_rate_of(draw_mooncake_rows(trace, Sampler::rows, seed, 1200)) / 10;
  }
  EXPECT_GE(within, 9) << "of 10 seeds within 4 points of the log";
  EXPECT_NEAR(by_rows, 0.11, 0.02);
  // A whole pass has all that the log shares, in another order.
  EXPECT_NEAR(hit_rate_of(draw_mooncake_rows(trace, Sampler::sessions, 0, trace.rows.size())), 0.3736, 0.001);
}

TEST(RealLog, MooncakeSamplesAreCloseAndSaySo) {
  const std::string path = released_log("mooncake_conversation.jsonl");
  if (path.empty()) GTEST_SKIP() << no_logs;
  const Trace trace = read_mooncake(path);
  const SampleDistance sessions = sample_distance(trace, draw_mooncake_rows(trace, Sampler::sessions, 1, 3000), 3000);
  EXPECT_NEAR(*sessions.log_hit_rate, 0.3736, 0.0001);
  EXPECT_LT(*sessions.prompt_ks, 0.05);
  EXPECT_LT(*sessions.completion_ks, 0.05);
  EXPECT_TRUE(reasons_for_doubt(sessions).empty());
  const SampleDistance rows = sample_distance(trace, draw_mooncake_rows(trace, Sampler::rows, 1, 3000), 3000);
  ASSERT_EQ(reasons_for_doubt(rows).size(), 1U) << "rows have the lengths, but share little";
  EXPECT_NE(reasons_for_doubt(rows)[0].find("37.4%"), std::string::npos);
}

TEST(RealLog, AWarmWindowHasTheHitsOfTheLog) {
  const std::string path = released_log("mooncake_conversation.jsonl");
  if (path.empty()) GTEST_SKIP() << no_logs;
  const Trace trace = read_mooncake(path);
  UnboundedCache log(trace.blocks, trace.block_size);
  std::vector<Tokens> hits;
  for (const TraceRow& row : trace.rows) hits.push_back(log.take({row.prompt, row.first_block, row.block_count, 0, 0}));
  DrawSettings settings;
  settings.sampler = Sampler::replay;
  settings.count = 1200;
  settings.history = trace.rows.size();
  for (settings.seed = 0; settings.seed < 5; ++settings.seed) {
    const Workload workload = draw_workload(trace, settings);
    std::int64_t hit = 0, asked = 0;
    for (const Request& request : workload.requests) {
      hit += hits[request.row].value();
      asked += request.prompt.length.value();
    }
    EXPECT_DOUBLE_EQ(*sample_distance(trace, workload, 1200).sample_hit_rate,
                     static_cast<double>(hit) / static_cast<double>(asked));
  }
}

/// Bins of the prompt length that hold a tenth of the log each.
struct PromptBins {
  std::vector<std::int64_t> edges;  // the largest prompt of each bin but the last
  std::size_t bin_of(Tokens prompt) const {
    return static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), prompt.value()) - edges.begin());
  }
};

PromptBins tenths_of(const Trace& trace) {
  std::vector<std::int64_t> prompts;
  for (const TraceRow& row : trace.rows) prompts.push_back(row.prompt.value());
  std::sort(prompts.begin(), prompts.end());
  PromptBins bins;
  for (std::size_t tenth = 1; tenth < 10; ++tenth) bins.edges.push_back(prompts[tenth * prompts.size() / 10]);
  bins.edges.erase(std::unique(bins.edges.begin(), bins.edges.end()), bins.edges.end());
  return bins;
}

TEST(RealLog, AzureKeepsTheMedianCompletionOfEachPromptBin) {
  const std::string path = released_log("azure_llm_2023_conv.csv");
  if (path.empty()) GTEST_SKIP() << no_logs;
  const Trace trace = read_azure(path);
  ASSERT_EQ(trace.rows.size(), 19'366U);
  const PromptBins bins = tenths_of(trace);
  std::vector<std::vector<std::int64_t>> logged(bins.edges.size() + 1), drawn(logged.size());
  for (const TraceRow& row : trace.rows) logged[bins.bin_of(row.prompt)].push_back(row.completion.value());
  DrawSettings settings;
  settings.seed = 1;
  settings.count = 20'000;
  for (const Request& request : draw_workload(trace, settings).requests) {
    drawn[bins.bin_of(request.prompt.length)].push_back(request.completion.value());
  }
  std::vector<std::int64_t> medians;
  for (std::size_t bin = 0; bin < logged.size(); ++bin) {
    std::vector<std::int64_t>& log = logged[bin];
    std::sort(log.begin(), log.end());
    ASSERT_GT(drawn[bin].size(), 1000U);
    // The sample's median has its rank in the log within four standard errors of the middle: 4 * 0.5 / sqrt n.
    const std::int64_t median = summarise_lengths(drawn[bin]).p50;
    const double error = 2 / std::sqrt(static_cast<double>(drawn[bin].size()));
    const auto rank_of = [&log](auto place) {
      return static_cast<double>(place - log.begin()) / static_cast<double>(log.size());
    };
    EXPECT_LE(rank_of(std::lower_bound(log.begin(), log.end(), median)), 0.5 + error) << bin;
    EXPECT_GE(rank_of(std::upper_bound(log.begin(), log.end(), median)), 0.5 - error) << bin;
    medians.push_back(median);
  }
  // Independent lengths would give every bin one median.
  EXPECT_GT(*std::max_element(medians.begin(), medians.end()), 2 * *std::min_element(medians.begin(), medians.end()));
}

TEST(RealLog, AzureBuiltinIsCloseToItsLog) {
  const std::string path = released_log("azure_llm_2023_conv.csv");
  if (path.empty()) GTEST_SKIP() << no_logs;
  std::vector<std::int64_t> logged, drawn;
  for (const TraceRow& row : read_azure(path).rows) logged.push_back(row.prompt.value());
  DrawSettings settings;
  settings.count = 50'000;
  for (const Request& request : draw_builtin("chat-azure-2023", settings).requests) {
    drawn.push_back(request.prompt.length.value());
  }
  EXPECT_LT(ks_distance(logged, drawn), 0.03);
}

}  // namespace
}  // namespace loadline
