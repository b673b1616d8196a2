#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <variant>

#include "core/error.h"
#include "core/random.h"
#include "workload/draw.h"
#include "workload/log_sharing.h"
#include "workload/log_times.h"
#include "workload/over_limit.h"
#include "workload/request_key.h"
#include "workload/request_recipe.h"

namespace loadline {
namespace {

Sampler log_sampler(const Trace& trace, const DrawSettings& settings) {
  const bool can_share = has_block_ids(trace) || has_sessions(trace);
  const Sampler sampler = settings.sampler.value_or(can_share ? Sampler::sessions : Sampler::rows);
  if (sampler == Sampler::quantiles || sampler == Sampler::lognormal) {
    throw Error(
        fmt::format("{} is a log: it is sampled by sessions, rows or replay, not as a distribution.", trace.source));
  }
  return sampler;
}

/// Where the replay begins, the same for every level, so that levels differ in their load alone: so early that the log
/// does not end inside the window, if it is long enough for one.
std::uint64_t window_start(std::uint64_t rows, const DrawSettings& settings) {
  const std::uint64_t window = std::max<std::uint64_t>(1, settings.window == 0 ? settings.count : settings.window);
  return Random(window_seed(settings)).below(window <= rows ? rows - window + 1 : rows);
}

RowOrder order_of(const Trace& trace, Sampler sampler, const DrawSettings& settings) {
  if (sampler == Sampler::sessions) return SessionRows(trace, lengths_seed(settings));
  if (sampler == Sampler::rows) return RandomRows(trace.rows.size(), lengths_seed(settings));
  return ReplayedRows(trace.rows.size(), window_start(trace.rows.size(), settings));
}

/// One workload in the making.
class LogDraw {
 public:
  LogDraw(const Trace& trace, const DrawSettings& settings);
  Workload draw();

 private:
  std::optional<OverLimit> over_limit() const;
  void draw_history();
  void draw_requests();

  const Trace& trace_;
  const DrawSettings& settings_;
  Workload workload_;
  LengthRule rule_;
  RequestRecipe recipe_;
};

LogDraw::LogDraw(const Trace& trace, const DrawSettings& settings)
    : trace_(trace),
      settings_(settings),
      rule_(settings.scale_lengths, settings.max_prompt_tokens, settings.max_completion_tokens),
      recipe_(trace, settings, log_sampler(trace, settings)) {
  workload_.source = trace.source;
  workload_.sampler = log_sampler(trace, settings);
  workload_.requests.reserve(settings.count);
}

Workload LogDraw::draw() {
  if (workload_.sampler == Sampler::replay) draw_history();
  draw_requests();
  recipe_.give_blocks(workload_);
  note_lengths(workload_, rule_);
  return std::move(workload_);
}

std::optional<OverLimit> LogDraw::over_limit() const {
  if (!settings_.drop_over_limit) return std::nullopt;
  return OverLimit(trace_, rule_, workload_.sampler);
}

void LogDraw::draw_history() {
  const std::uint64_t start = window_start(trace_.rows.size(), settings_);
  std::optional<OverLimit> limit = over_limit();
  LengthRule rule = rule_;  // the cuts that are counted are the window's
  for (std::uint64_t row = start - std::min<std::uint64_t>(start, settings_.history); row < start; ++row) {
    if (limit && !limit->keeps({row})) continue;
    workload_.history.push_back(recipe_.make({row}, rule, history_key(settings_.ordinal, start - 1 - row)));
  }
}

void LogDraw::draw_requests() {
  RowOrder order = order_of(trace_, workload_.sampler, settings_);
  LogTimes times(trace_);
  std::optional<OverLimit> limit = over_limit();
  while (workload_.requests.size() < settings_.count) {
    const ChosenRow chosen = std::visit([](auto& rows) { return rows.next(); }, order);
    const std::size_t index = workload_.requests.size();
    if (limit && !limit->keeps(chosen)) {
      workload_.dropped.push_back({chosen.row, recipe_.sharing_namespace(chosen.pass), index});
      continue;
    }
    Request request = recipe_.make(chosen, rule_, own_key(settings_.ordinal, index));
    if (workload_.sampler != Sampler::rows) request.arrival = times.arrival(chosen);
    workload_.requests.push_back(request);
  }
  workload_.dropped_prompts = workload_.dropped.size();
  workload_.passes = std::visit([](const auto& rows) { return rows.passes(); }, order);
}

}  // namespace

Workload draw_workload(const Trace& trace, const DrawSettings& settings) {
  if (trace.rows.empty()) {
    throw Error(fmt::format("{} holds no usable request: `loadline trace stats` says what was refused.", trace.source));
  }
  require_countable(settings.count);
  require_countable(settings.count + std::min(settings.history, trace.rows.size()));
  return LogDraw(trace, settings).draw();
}

}  // namespace loadline
