// One table over all sample logs: which format each is, what it gives, and the six requests that most of them describe.

#include <gtest/gtest.h>
#include <simdjson.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "trace/format.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

/// What a format carries of the six requests.
enum Carries : unsigned {
  prompts = 1,
  completions = 2,
  times = 4,
  cached = 8,
  sessions = 16,  ///< which requests belong together, by whatever name
  limits = 32,    ///< the completion that a request allowed
  hits = 64,      ///< cached tokens only where there were any
  lengths = prompts | completions,
};

using Counts = std::map<std::string, std::uint64_t>;

struct Sample {
  const char* file;
  const char* format;
  std::size_t rows;
  unsigned carries;
  Counts refused = {}, filtered = {};
  bool text_only = false;       ///< lengths are estimated: tokens per character are given
  bool six = true;              ///< it describes the six requests
  const char* named = nullptr;  ///< to be named with --trace-format
};

void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.file; }

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all{
      {"aiperf-baseten.parquet", "baseten", 6, lengths | times | sessions},
      {"aiperf-mooncake-lengths-only.jsonl", "aiperf-mooncake", 6, lengths | times},
      {"aiperf-mooncake-sessions.jsonl", "aiperf-mooncake", 6, lengths | sessions},
      {"aiperf-mooncake-text.jsonl", "aiperf-mooncake", 7, 0, {}, {}, true, false},
      {"azure-2023.csv", "azure", 6, lengths | times},
      {"azure-2024.csv", "azure", 6, lengths | times},
      {"burstgpt-3.csv", "burstgpt", 6, lengths | times | sessions, {{"failed", 1}}},
      {"burstgpt.csv", "burstgpt", 6, lengths | times, {{"failed", 1}}},
      {"envoy-ai-gateway.jsonl", "envoy-ai-gateway", 6, lengths | times | sessions},
      {"evalscope-workload-trace.jsonl", "evalscope-trace", 6, completions | times | sessions | limits, {}, {}, true},
      {"genai-bench.csv", "genai-bench", 6, 0, {}, {}, true, false},
      {"genai-bench.txt", "genai-bench-text", 6, 0, {}, {}, true, false, "genai-bench-text"},
      {"generic.parquet", "parquet-generic", 6, lengths | times | cached | sessions},
      {"helicone-export.jsonl", "helicone", 6, lengths | times | cached | sessions},
      {"langfuse-observations.csv", "langfuse", 6, lengths | times | hits, {}, {{"other", 1}}},
      {"langfuse-observations.json", "langfuse", 6, lengths | times | hits | limits, {}, {{"other", 1}}},
      {"litellm-spendlogs.csv", "litellm", 6, lengths | times | cached | sessions, {{"failed", 1}}},
      {"litellm-spendlogs.json", "litellm", 6, lengths | times | cached | sessions, {{"failed", 1}}},
      {"litellm-standard-logging.jsonl", "litellm-logging", 6, lengths | times | cached | sessions | limits},
      {"llama-server-responses.jsonl", "llama-server-responses", 6, lengths | times | cached},
      {"llama-server.log", "llama-server-log", 6, lengths | times | cached, {}, {{"intermediate", 24}, {"other", 6}}},
      {"messages.jsonl", "messages", 2, 0, {}, {}, true, false},
      {"mooncake.jsonl", "mooncake", 6, lengths | times},
      {"nginx-access-usage.jsonl", "nginx-usage", 6, lengths | times | sessions},
      {"ollama-responses.jsonl", "ollama-responses", 6, lengths | times},
      {"openai-chat-responses.jsonl", "openai-responses", 6, lengths | cached},
      {"openqa.jsonl", "openqa", 3, 0, {}, {}, true, false},
      {"otel-genai-otlp.json", "otel-genai", 6, lengths | times | hits | sessions | limits, {}, {{"other", 1}}},
      {"qwen-bailian.jsonl", "qwen-bailian", 6, lengths | times | sessions},
      {"sagemaker-capture.jsonl", "sagemaker", 6, lengths | times | limits},
      {"sglang-log-requests-json.log", "sglang-log", 6, lengths | times | cached | limits, {}, {{"intermediate", 6}}},
      {"sglang-log-requests-text.log",
       "sglang-log-text",
       6,
       lengths | times | cached | limits,
       {},
       {{"intermediate", 6}}},
      {"sglang-otlp.jsonl", "sglang-otlp", 6, lengths | times | cached | limits},
      {"sharegpt.json", "sharegpt", 3, 0, {{"no_prompt_length", 1}}, {}, true, false},
      {"tokenless.jsonl", "gateway-characters", 6, times, {}, {}, true},
      {"vllm-otlp.jsonl", "vllm-otlp", 6, lengths | times | limits},
      {"weka.json", "weka", 3, 0, {}, {}, false, false},
  };
  return all;
}

/// Samples that are refused whole, and words of what to log instead.
struct Unusable {
  const char* file;
  const char* format;
  const char* instead;
};
constexpr Unusable unusable_samples[] = {
    {"nginx-access.log", "access-log", "$upstream_http_x_prompt_tokens"},
    {"ollama-server.log", "ollama-log", "keep the responses"},
    {"openai-usage.json", "openai-usage", "keep the `usage` of every response"},
    {"tgi-router-json.log", "tgi-log", "log at a gateway"},
    {"tgi-router.log", "tgi-log", "log at a gateway"},
    {"vllm-log-requests-0.10.log", "vllm-log", "--otlp-traces-endpoint"},
    {"vllm-log-requests.log", "vllm-log", "--otlp-traces-endpoint"},
};

std::filesystem::path samples_folder() {
  if (const char* const folder = std::getenv("LOADLINE_SHARED")) return std::filesystem::path(folder) / "logs";
  const std::filesystem::path beside = std::filesystem::path(LOADLINE_SOURCE_DIR) / ".." / "shared" / "logs";
  return std::filesystem::exists(beside) ? beside : std::filesystem::path();
}

std::string head_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return text.substr(0, std::size_t{1} << 16);
}

struct ExpectedRequest {
  double arrival_s;
  std::int64_t prompt, completion, cached, limit;
  std::string session;
};

std::vector<ExpectedRequest> expected_requests() {
  simdjson::dom::parser parser;
  std::vector<ExpectedRequest> expected;
  for (const auto request : parser.load((samples_folder() / "EXPECTED.json").string())["requests"]) {
    expected.push_back({double(request["t_s"]), std::int64_t(request["prompt"]), std::int64_t(request["completion"]),
                        std::int64_t(request["cached"]), std::int64_t(request["max_tokens"]),
                        std::string(std::string_view(request["session"]))});
  }
  return expected;
}

Counts refused_counts(const Trace& trace) {
  Counts counts;
  for (const auto& [reason, refused] : trace.refused) counts[reason] = refused.count;
  return counts;
}

class SampleLogs : public testing::Test {
 protected:
  void SetUp() override {
    if (samples_folder().empty()) GTEST_SKIP() << "LOADLINE_SHARED is not set: the sample logs are not at hand";
  }
};

class SampleLog : public SampleLogs, public testing::WithParamInterface<Sample> {
 protected:
  static Trace read(const Sample& sample) {
    ReadOptions options;
    if (sample.named != nullptr) options.format = sample.named;
    if (sample.text_only) options.tokens_per_character = 0.25;
    return read_trace({(samples_folder() / sample.file).string()}, options);
  }
};

void expect_details(const Trace& trace, std::size_t i, const ExpectedRequest& expected, unsigned carries) {
  const TraceRow& row = trace.rows[i];
  if ((carries & cached) != 0 || ((carries & hits) != 0 && expected.cached > 0)) {
    EXPECT_EQ(row.cached, std::optional(Tokens(expected.cached))) << i;
  } else {
    EXPECT_FALSE(row.cached) << i;
  }
  if ((carries & limits) != 0) {
    ASSERT_EQ(trace.details.size(), trace.rows.size());
    EXPECT_EQ(trace.details[i].max_completion, std::optional(Tokens(expected.limit))) << i;
  }
}

/// Rows of one session in the log are rows of one session in the trace.
void expect_sessions(const Trace& trace, const std::vector<ExpectedRequest>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NE(trace.rows[i].session, no_session) << i;
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_EQ(trace.rows[i].session == trace.rows[j].session, expected[i].session == expected[j].session) << i << j;
  }
}

void expect_six(const Trace& trace, unsigned carries) {
  const std::vector<ExpectedRequest> expected = expected_requests();
  ASSERT_EQ(trace.rows.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if ((carries & prompts) != 0) {
      EXPECT_EQ(trace.rows[i].prompt.value(), expected[i].prompt) << i;
    }
    if ((carries & completions) != 0) {
      EXPECT_EQ(trace.rows[i].completion.value(), expected[i].completion) << i;
    }
    if ((carries & times) != 0) {
      EXPECT_NEAR(milliseconds(trace.rows[i].arrival), 1e3 * expected[i].arrival_s,
                  std::max(0.5, trace.time_resolution_ms))
          << i;
    }
    expect_details(trace, i, expected[i], carries);
  }
  if ((carries & sessions) != 0) expect_sessions(trace, expected);
}

TEST_P(SampleLog, GivesWhatItHolds) {
  const Sample& sample = GetParam();
  Trace trace;
  try {
    trace = read(sample);
  } catch (const Error& error) {
    if (std::string_view(error.what()).find("pip install pyarrow") != std::string_view::npos) {
      GTEST_SKIP() << "python3 has no pyarrow: " << sample.file << " cannot be converted here";
    }
    FAIL() << error.what();
  }
  EXPECT_EQ(trace.format, sample.format);
  EXPECT_EQ(trace.rows.size(), sample.rows);
  EXPECT_EQ(refused_counts(trace), sample.refused);
  EXPECT_EQ(trace.filtered, sample.filtered);
  EXPECT_EQ(trace.tokens_estimated, sample.text_only);
  if (sample.six) expect_six(trace, sample.carries);
}

TEST_P(SampleLog, IsOfOneFormatOnly) {
  const Sample& sample = GetParam();
  const std::string text = head_of(samples_folder() / sample.file);
  if (sample.named != nullptr || text.starts_with("PAR1")) GTEST_SKIP() << sample.file << " is not told by its text";
  const LogHead head(text);
  ASSERT_NE(format_of(head), nullptr);
  EXPECT_EQ(format_of(head)->name, sample.format);
  for (const TraceFormat& format : trace_formats()) {
    // Spans of engines are spans of the conventions too, and the generic names are those that everybody uses.
    const bool general = format.name == "otel-genai" || format.name == "generic";
    if (general) continue;
    EXPECT_EQ(format.recognised(head), format.name == sample.format) << format.name;
  }
}

TEST(Formats, TheReferenceNamesEach) {
  std::ifstream file(LOADLINE_SOURCE_DIR "/docs/reference/trace.md");
  const std::string reference{std::istreambuf_iterator<char>(file), {}};
  for (const TraceFormat& format : trace_formats()) {
    EXPECT_NE(reference.find("`" + std::string(format.name) + "`"), std::string::npos)
        << "docs/reference/trace.md does not tell of " << format.name;
  }
}

std::string name_of(const testing::TestParamInfo<Sample>& sample) {
  std::string name = sample.param.file;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, SampleLog, testing::ValuesIn(samples()), name_of);

TEST_F(SampleLogs, UnusableOnesAreRefusedWithWhatToLogInstead) {
  for (const Unusable& sample : unusable_samples) {
    const std::string path = (samples_folder() / sample.file).string();
    const TraceFormat* const format = format_of(LogHead(head_of(path)));
    ASSERT_NE(format, nullptr) << sample.file;
    EXPECT_EQ(format->name, sample.format);
    try {
      read_trace({path});
      ADD_FAILURE() << sample.file << " was read";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(sample.instead), std::string::npos) << error.what();
    }
  }
}

/// No sample is left out of the tables, so that a new one is looked at.
TEST_F(SampleLogs, AreAllInTheTables) {
  std::vector<std::string> known{"EXPECTED.json", "README.md"};
  for (const Sample& sample : samples()) known.emplace_back(sample.file);
  for (const Unusable& sample : unusable_samples) known.emplace_back(sample.file);
  std::ranges::sort(known);
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(samples_folder()))
    found.push_back(entry.path().filename().string());
  std::ranges::sort(found);
  EXPECT_EQ(found, known);
}

}  // namespace
}  // namespace loadline
