#include "measure/in_flight.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "measure/saturation.h"

namespace loadline {
namespace {

double seconds_inside(RunTime from, RunTime to, const Window& window) {
  const Nanos inside = std::min(to, window.end) - std::max(from, window.start);
  return inside.count() > 0 ? seconds(inside) : 0;
}

}  // namespace

Occupancy occupancy(const LevelRecords& records, const Window& window) {
  Occupancy result;
  std::vector<std::pair<RunTime, int>> steps;
  for (const RequestRecord& record : records.requests) {
    if (!record.sent) continue;
    const RunTime closed = record.closed.value_or(records.ended);
    result.in_flight_mean += seconds_inside(*record.sent, closed, window);
    if (record.first_token && record.last_token) {
      result.in_decode_mean += seconds_inside(*record.first_token, *record.last_token, window);
    }
    if (closed <= window.start || *record.sent >= window.end) continue;
    steps.emplace_back(*record.sent, 1);
    steps.emplace_back(closed, -1);
  }
  if (window.seconds() <= 0) return {};
  result.in_flight_mean /= window.seconds();
  result.in_decode_mean /= window.seconds();
  // At one instant ends come before starts: a user's next request is no second one in flight.
  std::ranges::sort(steps);
  int now = 0, most = 0;
  for (const auto& [time, change] : steps) {
    now += change;
    if (time < window.end) most = std::max(most, now);
  }
  result.in_flight_max = most;
  return result;
}

std::optional<LittlesLaw> littles_law(const LevelRecords& records, const MeasuredSet& set, double in_flight_mean) {
  double sent = 0, total = 0;
  for (const std::uint32_t member : set.members) {
    const RequestRecord& record = records.requests[member];
    if (!record.sent) continue;
    ++sent;
    total += seconds(record.closed.value_or(records.ended) - *record.sent);
  }
  if (sent == 0 || total <= 0 || set.window.seconds() <= 0) return std::nullopt;
  LittlesLaw law;
  law.l = in_flight_mean;
  law.x = sent / set.window.seconds();
  law.w_s = total / sent;
  law.ratio = law.l / (law.x * law.w_s);
  return law;
}

std::optional<double> growth_of_queue(const LevelRecords& records, const Window& window, const LevelRules& rules) {
  if (records.level.kind != LevelKind::request_rate) return std::nullopt;
  std::vector<RunTime> due, closed;
  for (const RequestRecord& record : records.requests) {
    if (!record.due) continue;
    due.push_back(*record.due);
    closed.push_back(record.closed.value_or(records.ended));
  }
  std::ranges::sort(due);
  std::ranges::sort(closed);
  SaturationWatch watch(records.level.target, rules.expected_e2e);
  std::size_t arrived = 0, left = 0;
  constexpr Nanos second = std::chrono::seconds(1);
  for (RunTime t = records.started + second; t <= window.end; t += second) {
    while (arrived < due.size() && due[arrived] <= t) ++arrived;
    // What ends at this very second still counts: a level that stops here has cut it off.
    while (left < closed.size() && closed[left] < t) ++left;
    if (arrived == left) {
      // Idle until the next is due: in one go.
      const RunTime until = arrived < due.size() ? std::min(due[arrived] - Nanos(1), window.end) : window.end;
      const auto more = std::max<Nanos::rep>(0, (until - t) / second);
      watch.sample_idle(static_cast<std::uint64_t>(more) + 1);
      t += more * second;
      continue;
    }
    watch.sample(static_cast<double>(arrived) - static_cast<double>(left));
  }
  // A level of a fixed number of requests is judged by its end: close to the most that a target carries a queue grows
  // for a while and shrinks again, and a search takes so many such levels that some of them would be stopped for that.
  const bool is_saturated = records.level.requests > 0 ? watch.grows_still() : watch.saturated();
  return is_saturated ? watch.growth_per_s() : std::nullopt;
}

}  // namespace loadline
