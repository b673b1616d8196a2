#include "trace/llama_server_log.h"

#include <algorithm>
#include <string>

#include "trace/line_reader.h"
#include "trace/llama_server_line.h"
#include "trace/numbers.h"
#include "trace/open_requests.h"
#include "trace/refusal.h"

namespace loadline {
namespace {

using Kind = LlamaServerLine::Kind;

constexpr std::string_view queue_remark =
    "a request is dated by when a slot took it: what it waited for a slot before is not in this log";
constexpr std::string_view no_clock_remark =
    "this build of llama-server stamps no times: arrivals are unknown, and rows keep the order of the log";
constexpr std::string_view restart_remark =
    "the server was started anew inside this log: the time that it was down is not in the arrivals";

struct LlamaTask {
  std::uint64_t line = 0;   ///< of its latest event
  std::uint64_t lines = 0;  ///< events so far
  std::optional<Nanos> arrival;
  std::optional<std::int64_t> prompt, computed_prompt, completion, held;
  bool truncated = false, cancelled = false;
};

/// Tokens of the whole prompt, where the log tells.
std::optional<std::int64_t> prompt_tokens(const LlamaTask& task) {
  if (task.prompt) return task.prompt;
  if (!task.held || !task.completion || task.truncated) return std::nullopt;  // dropped tokens are not counted
  // Speculative decoding can leave the slot a token or two short.
  return std::max(*task.held - *task.completion + 1, task.computed_prompt.value_or(0));
}

class LlamaServerReader {
 public:
  explicit LlamaServerReader(TraceBuilder& builder) : builder_(builder) {}

  void read(const Line& line) {
    const LlamaServerLine event = read_llama_server_line(line.text);
    if (event.kind == Kind::started) start_anew();
    const std::string id(event.task.empty() ? last_task_ : event.task);
    if (event.kind == Kind::launched) open(id, event, line.number);
    LlamaTask* const task = tasks_.find(id);
    if (event.kind == Kind::other || event.kind == Kind::started || task == nullptr)
      return builder_.filter(trimmed(line.text).empty() ? filter::blank : filter::not_a_request);
    last_task_ = id;
    ++task->lines;
    task->line = line.number;
    note(event, *task);
    if (task->held && task->completion) close(id);
  }

  void finish() {
    tasks_.close_all([&](const LlamaTask& task) { refuse(task); });
  }

 private:
  void open(const std::string& id, const LlamaServerLine& event, std::uint64_t number) {
    LlamaTask task;
    if (event.clock) {
      task.arrival = run_began_ + *event.clock;
      latest_ = std::max(latest_, *task.arrival);
    }
    if (!any_launched_) {
      any_launched_ = true;
      Trace& trace = builder_.trace();
      trace.has_times = event.clock.has_value();
      trace.time_resolution_ms = event.clock ? 1e-3 : 0;
      builder_.remark(event.clock ? queue_remark : no_clock_remark);
    }
    task.line = number;
    if (const auto displaced = tasks_.open(id, task)) refuse(*displaced);
  }

  /// The clock and the tasks count from 0 again.
  void start_anew() {
    if (!any_launched_) return;
    finish();
    run_began_ = latest_;
    if (builder_.facts().has_times) builder_.remark(restart_remark);
  }

  static void note(const LlamaServerLine& event, LlamaTask& task) {
    if (event.kind == Kind::prompt) task.prompt = event.tokens;
    if (event.kind == Kind::computed_prompt) task.computed_prompt = event.tokens;
    if (event.kind == Kind::completion) task.completion = event.tokens;
    if (event.kind == Kind::cancelled) task.cancelled = true;
    if (event.kind != Kind::released) return;
    task.held = event.tokens;
    task.truncated = event.truncated;
  }

  void refuse(const LlamaTask& task) {
    builder_.filter(filter::streaming, task.lines - 1);
    if (task.cancelled) return builder_.refuse(refusal::failed, task.line);
    builder_.refuse(task.held ? refusal::no_completion_length : refusal::unpaired, task.line);
  }

  void close(const std::string& id) {
    const LlamaTask task = *tasks_.close(id);
    builder_.filter(filter::streaming, task.lines - 1);
    if (task.cancelled) return builder_.refuse(refusal::failed, task.line);
    const std::optional<std::int64_t> prompt = prompt_tokens(task);
    if (!prompt) return builder_.refuse(refusal::no_prompt_length, task.line);
    if (*prompt > longest_length || *task.completion > longest_length)
      return builder_.refuse(refusal::out_of_range, task.line);
    builder_.begin_row();
    ReadRow row;
    row.time = task.arrival;
    row.prompt = Tokens(*prompt);
    row.completion = Tokens(*task.completion);
    if (task.computed_prompt && *task.computed_prompt <= *prompt) row.cached = Tokens(*prompt - *task.computed_prompt);
    builder_.add(row, task.line);
  }

  TraceBuilder& builder_;
  OpenRequests<LlamaTask> tasks_;
  std::string last_task_;
  bool any_launched_ = false;
  Nanos run_began_{}, latest_{};
};

}  // namespace

bool is_llama_server_log(const LogHead& head) {
  return !head.first_line().starts_with('{') && head.has("slot ") && head.has("| task ") &&
         (head.has("| stop processing: n_") || head.has("| processing task"));
}

void read_llama_server_log(TextWindow& window, TraceBuilder& builder) {
  LlamaServerReader reader(builder);
  LineReader lines(window);
  for (Line line; lines.next(line);) reader.read(line);
  reader.finish();
}

}  // namespace loadline
