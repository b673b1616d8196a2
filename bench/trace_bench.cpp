// What it costs to read and describe a log: a CSV like a week of Azure's, JSON lines with block ids like Mooncake's,
// spans like an OpenTelemetry collector's, and the curve of hit rates over cache sizes. The reference is a count of the
// lines of the same file with memchr, which is what reading costs at the least. Each measurement is a process of its
// own; times are processor time, since machines are shared, and memory is the process's peak.
//
//   trace_bench [MILLIONS OF CSV ROWS] [FOLDER]
//
// writes its logs into FOLDER and leaves them there for bench/trace_reference.py; without a folder they are temporary.

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/random.h"
#include "prefix/profile.h"
#include "trace/byte_source.h"
#include "trace/read_trace.h"
#include "trace/summary.h"

namespace {

using namespace loadline;
namespace fs = std::filesystem;

struct Cost {
  double cpu_s = 0;
  double peak_mib = 0;
};

double cpu_seconds_of(const rusage& used) {
  const auto seconds_of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
}

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return cpu_seconds_of(used);
}

/// Runs `action` in a child process. It returns the processor seconds to count, of which it may leave out its setting
/// up.
Cost cost_of(const std::function<double()>& action) {
  std::fflush(stdout);
  int ends[2];
  if (::pipe(ends) != 0) std::exit(1);
  const pid_t child = ::fork();
  if (child == 0) {
    const double cpu_s = action();
    const bool told = ::write(ends[1], &cpu_s, sizeof cpu_s) == sizeof cpu_s;
    std::fflush(stdout);
    ::_exit(told ? 0 : 1);
  }
  Cost cost;
  int status = 0;
  rusage used{};
  ::wait4(child, &status, 0, &used);
  if (status != 0 || ::read(ends[0], &cost.cpu_s, sizeof cost.cpu_s) != sizeof cost.cpu_s) std::exit(1);
  ::close(ends[0]);
  ::close(ends[1]);
  cost.peak_mib = static_cast<double>(used.ru_maxrss) / 1024;
  return cost;
}

double cpu_of(const std::function<void()>& action) {
  const double before = cpu_seconds();
  action();
  return cpu_seconds() - before;
}

void count_lines(const std::string& path) {
  ByteSource source = ByteSource::open(path);
  std::vector<char> buffer(std::size_t{1} << 20);
  std::uint64_t lines = 0;
  while (const std::size_t count = source.read(buffer)) {
    const char* at = buffer.data();
    const char* const end = at + count;
    while ((at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)))) != nullptr) {
      ++lines;
      if (++at == end) break;
    }
  }
  fmt::print("  {:<52} {:>12} lines\n", "memchr", lines);
}

/// Rows to both summaries, as the program describes a log.
class Summaries : public RowSink {
 public:
  void take(const TraceRow& row, const RowDetail& detail, std::span<const std::uint64_t> ids) override {
    trace.add(row, detail);
    sharing.add(row, ids);
  }
  void take_pause(Nanos pause) override { trace.add_pause(pause); }
  void end_source(const Trace& facts) override {
    trace.end_source(facts);
    sharing.end_source(facts);
  }
  TraceSummary trace;
  SharingSummary sharing;
};

class NoSink : public RowSink {
 public:
  void take(const TraceRow&, const RowDetail&, std::span<const std::uint64_t>) override {}
  void take_pause(Nanos) override {}
  void end_source(const Trace&) override {}
};

void only_read(const std::string& path) {
  NoSink sink;
  read_into({path}, {}, [&](std::size_t) -> RowSink& { return sink; });
}

void describe_log(const std::string& path) {
  Summaries sink;
  const double before = cpu_seconds();
  read_into({path}, {}, [&](std::size_t) -> RowSink& { return sink; });
  const double read = cpu_seconds();
  const TraceStats stats = sink.trace.stats();
  const double described = cpu_seconds();
  const PrefixProfile sharing = sink.sharing.profile();
  fmt::print("  {:<52} {:>12} rows; prompt p50 {}, rank correlation {:.4f}\n", "read and described", stats.rows,
             stats.prompt_tokens.p50, stats.spearman.value_or(0));
  fmt::print("    of it reading and counting {:.2f} s, statistics {:.2f} s, sharing {:.2f} s\n", read - before,
             described - read, cpu_seconds() - described);
  if (sharing.blocks > 0) fmt::print("    {} blocks, token hit rate {:.4f}\n", sharing.blocks, sharing.token_hit_rate);
}

void print_cost(const char* what, double bytes, const Cost& cost) {
  fmt::print("{:<22} {:8.2f} s  {:6.2f} GB/s a core  {:7.0f} MiB at most", what, cost.cpu_s, bytes / cost.cpu_s / 1e9,
             cost.peak_mib);
}

void compare(const char* what, const std::string& path) {
  const auto bytes = static_cast<double>(fs::file_size(path));
  fmt::print("{} ({:.2f} GB)\n", what, bytes / 1e9);
  const Cost reference = cost_of([&] { return cpu_of([&] { count_lines(path); }); });
  const Cost parsing = cost_of([&] { return cpu_of([&] { only_read(path); }); });
  const Cost ours = cost_of([&] { return cpu_of([&] { describe_log(path); }); });
  print_cost("  reference, memchr", bytes, reference);
  fmt::print("\n");
  print_cost("  only read", bytes, parsing);
  fmt::print(", {:.1f} times the reference's time\n", parsing.cpu_s / reference.cpu_s);
  print_cost("  read and described", bytes, ours);
  fmt::print(", {:.1f} times the reference's time\n", ours.cpu_s / reference.cpu_s);
}

class LogFile {
 public:
  explicit LogFile(const std::string& path) : file_(std::fopen(path.c_str(), "w")) {
    if (file_ == nullptr) {
      fmt::print(stderr, "{} cannot be written\n", path);
      std::exit(1);
    }
  }
  ~LogFile() {
    flush(0);
    std::fclose(file_);
  }
  std::string& text() { return text_; }
  void flush(std::size_t above) {
    if (text_.size() <= above) return;
    std::fwrite(text_.data(), 1, text_.size(), file_);
    text_.clear();
  }

 private:
  std::FILE* file_;
  std::string text_;
};

std::int64_t lognormal(Random& random, double median, double sigma, std::int64_t most) {
  const auto length = static_cast<std::int64_t>(median * std::exp(sigma * random.normal()));
  return std::clamp<std::int64_t>(length, 1, most);
}

void write_azure(const std::string& path, std::int64_t rows) {
  LogFile file(path);
  Random random(1);
  file.text() = "TIMESTAMP,ContextTokens,GeneratedTokens\n";
  double now_s = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    now_s += random.exponential(0.02);
    const auto micros = static_cast<std::int64_t>(now_s * 1e6);
    const std::int64_t second = micros / 1'000'000;
    fmt::format_to(std::back_inserter(file.text()), "2024-05-{:02} {:02}:{:02}:{:02}.{:06}+00:00,{},{}\n",
                   10 + second / 86400, second / 3600 % 24, second / 60 % 60, second % 60, micros % 1'000'000,
                   lognormal(random, 1000, 1.0, 16'384), lognormal(random, 150, 0.9, 4'096));
    file.flush(std::size_t{1} << 20);
  }
}

/// Conversations over blocks of 512 tokens until `blocks` are named; ids are numbered by first sight, as Mooncake's
/// are.
void write_mooncake(const std::string& path, std::int64_t blocks) {
  LogFile file(path);
  Random random(2);
  std::vector<std::vector<std::int64_t>> chats(20'000);
  std::int64_t next_id = 1, milliseconds = 0;
  while (blocks > 0) {
    std::vector<std::int64_t>& chat = chats[random.below(chats.size())];
    if (chat.empty() || random.below(4) == 0) chat = {0};
    for (std::uint64_t grown = 1 + random.below(24); grown > 0; --grown) chat.push_back(next_id++);
    milliseconds += static_cast<std::int64_t>(random.below(30));
    const std::int64_t prompt =
        static_cast<std::int64_t>(chat.size()) * 512 - static_cast<std::int64_t>(random.below(512));
    fmt::format_to(std::back_inserter(file.text()),
                   "{{\"timestamp\": {}, \"input_length\": {}, \"output_length\": {}, \"hash_ids\": [{}]}}\n",
                   milliseconds, prompt, lognormal(random, 300, 0.8, 2'000), fmt::join(chat, ", "));
    blocks -= static_cast<std::int64_t>(chat.size());
    file.flush(std::size_t{1} << 20);
  }
}

/// Exports of eight spans a line, each with the attributes that instrumented servers send.
void write_spans(const std::string& path, std::int64_t spans) {
  LogFile file(path);
  Random random(3);
  std::int64_t nanoseconds = 1'793'610'900'000'000'000;
  for (std::int64_t i = 0; i < spans; ++i) {
    const bool first = i % 8 == 0, last = i % 8 == 7 || i + 1 == spans;
    if (first) {
      file.text() +=
          R"({"resourceSpans": [{"resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "vllm-server"}}]}, "scopeSpans": [{"scope": {"name": "vllm.llm_engine"}, "spans": [)";
    }
    nanoseconds += static_cast<std::int64_t>(random.below(40'000'000));
    fmt::format_to(
        std::back_inserter(file.text()),
        R"({{"traceId": "{:032x}", "spanId": "{:016x}", "name": "llm_request", "kind": 2, "startTimeUnixNano": "{}", "endTimeUnixNano": "{}", "attributes": [)"
        R"({{"key": "gen_ai.latency.time_to_first_token", "value": {{"doubleValue": 0.181}}}}, {{"key": "gen_ai.latency.e2e", "value": {{"doubleValue": 3.904}}}}, )"
        R"({{"key": "gen_ai.usage.prompt_tokens", "value": {{"intValue": "{}"}}}}, {{"key": "gen_ai.usage.completion_tokens", "value": {{"intValue": "{}"}}}}, )"
        R"({{"key": "gen_ai.request.id", "value": {{"stringValue": "chatcmpl-{:08x}"}}}}, {{"key": "gen_ai.request.temperature", "value": {{"doubleValue": 0.7}}}}, )"
        R"({{"key": "gen_ai.request.max_tokens", "value": {{"intValue": "512"}}}}]}}{})",
        random.next(), random.next(), nanoseconds, nanoseconds + 3'904'000'000, lognormal(random, 1000, 1.0, 16'384),
        lognormal(random, 150, 0.9, 4'096), i, last ? "]}]}]}\n" : ", ");
    file.flush(std::size_t{1} << 20);
  }
}

void measure_curve(const std::string& path) {
  const Cost cost = cost_of([&] {
    const Trace trace = read_trace({path});
    return cpu_of([&] {
      const PrefixProfile found = profile(trace);
      fmt::print("hit rates over cache sizes: {} blocks, {} unique", found.blocks, found.unique_blocks);
      for (const auto& point : found.lru) fmt::print(", {:.4f} at {}", point.token_hit_rate, point.capacity_blocks);
      fmt::print("\n");
    });
  });
  fmt::print("  from ids in memory     {:8.2f} s, exact\n", cost.cpu_s);
}

}  // namespace

int main(int argument_count, char** arguments) {
  const double millions = argument_count > 1 ? std::atof(arguments[1]) : 27;
  const bool keep = argument_count > 2;
  const fs::path folder =
      keep ? fs::path(arguments[2]) : fs::temp_directory_path() / fmt::format("trace_bench.{}", ::getpid());
  fs::create_directories(folder);
  const std::string azure = folder / "azure.csv", mooncake = folder / "mooncake.jsonl";
  write_azure(azure, static_cast<std::int64_t>(millions * 1e6));
  compare("CSV, azure", azure);
  if (!keep) fs::remove(azure);
  write_mooncake(mooncake, 10'000'000);
  compare("JSON lines with block ids, mooncake", mooncake);
  measure_curve(mooncake);
  const std::string otlp = folder / "spans.jsonl";
  write_spans(otlp, 400'000);
  compare("OTLP spans as JSON lines", otlp);
  if (!keep) fs::remove_all(folder);
  return 0;
}
