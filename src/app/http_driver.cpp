#include "app/http_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "app/recording_course.h"
#include "app/warming_course.h"
#include "target/cache.h"

namespace loadline {
namespace {

/// Requests that the last level cancelled may still run for a moment, and engines empty no cache before they ended.
constexpr int reset_attempts = 20;
constexpr int drain_attempts = 40;
constexpr auto reset_pause = std::chrono::milliseconds(250);

}  // namespace

std::vector<Doubt> HttpDriver::prepare(const Plan& warming) {
  std::vector<Doubt> doubts = drain(warming.ordinal);
  for (Doubt& doubt : reset(warming.ordinal)) doubts.push_back(std::move(doubt));
  if (warming.requests.empty() || stop_) return doubts;
  for (Doubt& doubt : fill(warming)) doubts.push_back(std::move(doubt));
  return doubts;
}

/// A level begins on an idle server, as far as it tells.
std::vector<Doubt> HttpDriver::drain(std::uint32_t ordinal) {
  double busy = 0;
  for (int attempt = 0; attempt < drain_attempts && !stop_; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(reset_pause);
    const std::optional<ServerCounters> now = read_counters(target_);
    if (!now || !now->running) return {};
    busy = *now->running + now->waiting.value_or(0);
    if (busy == 0) return {};
  }
  if (stop_) return {};
  return {make_doubt("server_busy", ordinal,
                     fmt::format("{:g} requests that are not this run's were on the server when the level began, and "
                                 "did not end within {:g} s: the load was more than the level's own.",
                                 busy, seconds(reset_pause * drain_attempts)))};
}

std::vector<Doubt> HttpDriver::reset(std::uint32_t ordinal) {
  if (!reset_cache_first_) return {};
  CacheReset reset;
  for (int attempt = 0; attempt < reset_attempts && !stop_; ++attempt) {
    reset = reset_cache(target_);
    if (reset.done || !reset.possible)
      return {};  // without a reset fresh prompts make it cold, and the hit rate is measured
    std::this_thread::sleep_for(reset_pause);
  }
  return {make_doubt("cache_off_target", ordinal,
                     fmt::format("The prefix cache could not be emptied before this level: {}", reset.words))};
}

/// What fills the cache is sent like any other request, and recorded nowhere: it belongs to no level.
std::vector<Doubt> HttpDriver::fill(const Plan& warming) {
  WarmingCourse course(warming.requests.size());
  LevelRecords records;
  fleet_.run_level(warming, course, records, stop_);
  const auto failures =
      std::ranges::count_if(records.requests, [](const RequestRecord& r) { return failed(r.outcome); });
  if (failures == 0 || stop_) return {};
  return {make_doubt("cache_off_target", warming.ordinal,
                     fmt::format("{} of the {} requests that were to fill the prefix cache failed.", failures,
                                 records.requests.size()))};
}

void HttpDriver::run(const Plan& plan, LevelCourse& course, LevelRecords& records) {
  const std::optional<ServerCounters> before = read_counters(target_);
  RecordingCourse recording(course, recorder_);
  last_level_ = plan.level;
  last_ordinal_ = plan.ordinal;
  fleet_.run_level(plan, recording, records, stop_);
  recording.hand_over_the_rest();
  recorder_.end_level(records);
  if (interrupted()) return;
  const std::optional<ServerCounters> after = read_counters(target_);
  counted_hit_rate_ = before && after ? cache_hit_rate(*before, *after) : std::nullopt;
}

}  // namespace loadline
