#include "app/http_driver.h"

#include <fmt/format.h>

#include <thread>

#include "app/recording_course.h"
#include "target/cache.h"

namespace loadline {
namespace {

/// Requests that the last level cancelled may still run for a moment, and engines empty no cache before they ended.
constexpr int reset_attempts = 20;
constexpr auto reset_pause = std::chrono::milliseconds(250);

}  // namespace

std::vector<Doubt> HttpDriver::prepare(const Plan& plan) {
  if (!reset_cache_first_) return {};
  CacheReset reset;
  for (int attempt = 0; attempt < reset_attempts && !stop_; ++attempt) {
    reset = reset_cache(target_);
    if (reset.done || !reset.possible)
      return {};  // without a reset fresh prompts make it cold, and the hit rate is measured
    std::this_thread::sleep_for(reset_pause);
  }
  return {make_doubt("cache_off_target", plan.ordinal,
                     fmt::format("The prefix cache could not be emptied before this level: {}", reset.words))};
}

void HttpDriver::run(const Plan& plan, LevelCourse& course, LevelRecords& records) {
  const std::optional<ServerCounters> before = read_counters(target_);
  RecordingCourse recording(course, recorder_);
  client_.run_level(plan, recording, write_body_, records, stop_);
  recording.hand_over_the_rest();
  recorder_.end_level(records);
  const std::optional<ServerCounters> after = read_counters(target_);
  counted_hit_rate_ = before && after ? cache_hit_rate(*before, *after) : std::nullopt;
}

}  // namespace loadline
