// The samples of engines' logs, where they are at hand: the same six requests, as far as each format tells of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "core/error.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

struct LoggedRequest {
  double time_s;
  std::int64_t prompt, completion, cached, max;
  const char* session;
};

constexpr LoggedRequest six_requests[] = {
    {0.0, 1843, 212, 0, 512, "s-41"},      {0.412, 961, 37, 0, 256, "s-42"},  {1.207, 4096, 603, 1536, 1024, "s-43"},
    {6.204, 2087, 148, 1840, 512, "s-41"}, {7.955, 975, 1, 960, 256, "s-42"}, {63.02, 15872, 890, 0, 2048, "s-44"},
};

enum class Cached { never, always, where_not_zero };

struct EngineSample {
  const char* file;
  const char* format;
  double tolerance_s;  ///< of arrivals: what the log's clock resolves
  Cached cached;
  bool has_max, has_sessions;
  const char* time_zone;
  std::uint64_t filtered;
};

std::filesystem::path shared_folder() {
  if (const char* const folder = std::getenv("LOADLINE_SHARED")) return folder;
  const std::filesystem::path beside = std::filesystem::path(LOADLINE_SOURCE_DIR) / ".." / "shared";
  return std::filesystem::exists(beside / "logs") ? beside : std::filesystem::path();
}

class EngineSamples : public testing::TestWithParam<EngineSample> {};

TEST_P(EngineSamples, TellTheSixRequests) {
  const EngineSample& sample = GetParam();
  if (shared_folder().empty()) GTEST_SKIP() << "no folder of sample logs: " << sample.file << " is not at hand";
  const Trace trace = read_trace({(shared_folder() / "logs" / sample.file).string()});
  EXPECT_EQ(trace.format, sample.format);
  EXPECT_EQ(trace.time_zone, sample.time_zone);
  EXPECT_TRUE(trace.has_times);
  EXPECT_TRUE(trace.refused.empty());
  EXPECT_LE(trace.time_resolution_ms, sample.tolerance_s * 1e3);
  EXPECT_EQ(trace.read, 6 + sample.filtered);
  ASSERT_EQ(trace.rows.size(), 6u);
  std::vector<bool> seen(6, false);
  for (const TraceRow& row : trace.rows) {
    const auto* const request =
        std::ranges::find_if(six_requests, [&](const LoggedRequest& r) { return r.prompt == row.prompt.value(); });
    ASSERT_NE(request, std::end(six_requests)) << row.prompt.value();
    const auto index = static_cast<std::size_t>(&row - trace.rows.data());
    seen[static_cast<std::size_t>(request - six_requests)] = true;
    EXPECT_EQ(row.completion.value(), request->completion);
    EXPECT_NEAR(seconds(row.arrival), request->time_s, sample.tolerance_s);
    const bool tells =
        sample.cached == Cached::always || (sample.cached == Cached::where_not_zero && request->cached > 0);
    EXPECT_EQ(row.cached, tells ? std::optional(Tokens(request->cached)) : std::nullopt);
    EXPECT_EQ(!trace.details.empty() && trace.details[index].max_completion == Tokens(request->max), sample.has_max);
    EXPECT_EQ(row.session == no_session ? "" : trace.sessions[row.session],
              sample.has_sessions ? request->session : "");
  }
  EXPECT_EQ(std::ranges::count(seen, true), 6);
}

INSTANTIATE_TEST_SUITE_P(
    Logs, EngineSamples,
    testing::Values(
        EngineSample{"vllm-otlp.jsonl", "vllm-otlp", 0.001, Cached::never, true, false, "UTC", 0},
        EngineSample{"sglang-otlp.jsonl", "sglang-otlp", 0.001, Cached::always, true, false, "UTC", 0},
        EngineSample{"sglang-log-requests-json.log", "sglang-json", 0.001, Cached::always, true, false, "local", 6},
        EngineSample{"sglang-log-requests-text.log", "sglang-text", 1, Cached::always, true, false, "local", 6},
        EngineSample{"llama-server.log", "llama-server-log", 0.001, Cached::always, false, false, "", 30},
        EngineSample{"otel-genai-otlp.json", "otel-genai", 0.001, Cached::where_not_zero, true, true, "UTC", 1}),
    [](const auto& sample) {
      std::string name = sample.param.file;
      for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
      return name;
    });

TEST(EngineSamplesRefused, SayWhatToLogInstead) {
  if (shared_folder().empty()) GTEST_SKIP() << "no folder of sample logs";
  const std::pair<const char*, const char*> samples[] = {
      {"vllm-log-requests.log", "--otlp-traces-endpoint"}, {"vllm-log-requests-0.10.log", "--otlp-traces-endpoint"},
      {"ollama-server.log", "keep the responses"},         {"tgi-router.log", "holds no prompt lengths"},
      {"tgi-router-json.log", "holds no prompt lengths"},
  };
  for (const auto& [file, advice] : samples) {
    std::string message;
    try {
      read_trace({(shared_folder() / "logs" / file).string()});
    } catch (const Error& error) {
      message = error.what();
    }
    EXPECT_NE(message.find(advice), std::string::npos) << file << ": " << message;
  }
}

}  // namespace
}  // namespace loadline
