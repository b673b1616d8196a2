#include "fit/replayed_level.h"

#include <algorithm>
#include <utility>

#include "engine/virtual_driver.h"
#include "measure/measure.h"
#include "measure/measured_set.h"

namespace loadline {
namespace {

constexpr std::uint32_t least_measured = 30;

/// Measures the requests of given places in the order of release, whatever the engine.
class SameRequestsCourse final : public LevelCourse {
 public:
  SameRequestsCourse(std::uint32_t first, std::uint32_t count) : first_(first), end_(first + count) {}
  void start(const LevelRecords& records, RunTime) override { records_ = &records; }
  void released(std::uint32_t serial, RunTime now) override {
    const RunTime due = records_->requests[serial].due.value_or(now);
    if (serial == first_) start_ = due;
    if (serial == end_) window_end_ = due;
    last_due_ = due;
  }
  void first_token(std::uint32_t, RunTime) override {}
  void ended(std::uint32_t serial, RunTime) override { ended_ += serial >= first_ && serial < end_ ? 1 : 0; }
  Phase phase(RunTime) override {
    if (!start_) return Phase::warming_up;
    if (ended_ < end_ - first_) return window_end_ ? Phase::cooling_down : Phase::measuring;
    if (!window_end_) window_end_ = last_due_ + Nanos(1);  // the plan held no request after them
    return Phase::finished;
  }
  std::optional<RunTime> wake_at() const override { return std::nullopt; }
  std::optional<RunTime> window_start() const override { return start_; }
  std::optional<RunTime> window_end() const override { return window_end_; }

 private:
  std::uint32_t first_, end_, ended_ = 0;
  const LevelRecords* records_ = nullptr;
  std::optional<RunTime> start_, window_end_;
  RunTime last_due_{};
};

std::optional<LevelShape> shape_of(const LevelResult& result) {
  const std::optional<double> throughput = result.known_output_tokens_per_s();
  const LatencySummary &ttft = result.ttft_ms, &tpot = result.tpot_ms, &e2e = result.e2e_ms;
  if (!throughput || !ttft.p50 || !ttft.p90 || !tpot.p50 || !tpot.p90 || !e2e.p50) return std::nullopt;
  const LevelShape shape{*throughput, *ttft.p50, *ttft.p90, *tpot.p50, *tpot.p90, *e2e.p50};
  const bool positive = std::ranges::all_of(shape_figures, [&](const ShapeFigure& f) { return shape.*f.member > 0; });
  return positive ? std::optional(shape) : std::nullopt;
}

/// At most `count` requests from `first` on, so that the next one is due later than the last of them.
std::uint32_t count_up_to(const LevelRecords& records, std::uint32_t first, std::uint32_t count) {
  const auto due = [&](std::uint32_t serial) { return records.requests[serial].due; };
  while (count > 0 && first + count < records.requests.size() && due(first + count) == due(first + count - 1)) --count;
  return count;
}

/// As the server counted, else as planned.
Request request_of(const RequestRecord& record) {
  Request request;
  request.prompt.length = record.prompt_tokens.value_or(record.planned_prompt);
  request.prompt.found_in_cache = record.cached_tokens.value_or(Tokens(0));
  // A cancelled or failed answer would have been as long as planned.
  const bool is_whole = succeeded(record.outcome) && record.completion_tokens;
  request.completion = is_whole ? *record.completion_tokens : record.planned_completion;
  return request;
}

/// Every released request in order; false where one of them has no length.
bool add_requests(const LevelRecords& records, ReplayedLevel& level) {
  for (const RequestRecord& record : records.requests) {
    if (!record.due) return false;
    PlannedRequest planned{request_of(record), WhenUserFree{}};
    if (records.level.kind == LevelKind::request_rate) planned.due = AtOffset{*record.due - records.started};
    if (planned.request.prompt.length.value() <= 0 || planned.request.completion.value() <= 0) return false;
    planned.request.prompt.own = level.plan.requests.size();
    level.plan.requests.push_back(std::move(planned));
  }
  return true;
}

/// A slower engine leaves its users' last requests longer in flight: with these nobody is idle meanwhile.
void add_spare_requests(Plan& plan) {
  if (plan.level.kind != LevelKind::concurrency) return;
  const auto users = static_cast<std::size_t>(plan.level.target);
  const std::size_t sent = plan.requests.size();
  for (std::size_t i = 0; i < 2 * users; ++i) plan.requests.push_back(plan.requests[i % sent]);
}

}  // namespace

std::optional<ReplayedLevel> replayed_level(LevelRecords records, std::uint32_t most) {
  if (records.state != "complete") return std::nullopt;
  const MeasuredSet set = measured_set(records, {});
  if (set.members.size() < least_measured) return std::nullopt;
  ReplayedLevel level;
  level.plan.level = records.level;
  level.plan.level.most_releases = 0;
  level.first = set.members.front();
  level.count =
      count_up_to(records, level.first, static_cast<std::uint32_t>(std::min<std::size_t>(set.members.size(), most)));
  if (level.count < least_measured) return std::nullopt;
  // The window begins and ends with requests of known places: the same in every engine.
  records.window_start = records.requests[level.first].due;
  if (level.first + level.count < records.requests.size()) {
    records.window_end = records.requests[level.first + level.count].due;
  }
  const LevelResult result = measure(records, {}, {});
  const std::optional<LevelShape> shape = shape_of(result);
  if (!shape || !add_requests(records, level)) return std::nullopt;
  add_spare_requests(level.plan);
  level.measured = *shape;
  level.most_in_flight = result.in_flight_max;
  return level;
}

std::optional<LevelShape> simulated_shape(const ReplayedLevel& level, const EngineParameters& parameters) {
  SameRequestsCourse course(level.first, level.count);
  LevelRecords records;
  simulate_level(level.plan, course, parameters, records);
  return shape_of(measure(records, {}, {}));
}

}  // namespace loadline
