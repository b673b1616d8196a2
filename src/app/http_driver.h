#pragma once
// Levels over HTTP: a fleet runs them, the recorder stores them.

#include <atomic>

#include "app/level_driver.h"
#include "app/recorder.h"
#include "fleet/fleet.h"
#include "target/target.h"

namespace loadline {

class HttpDriver final : public LevelDriver {
 public:
  /// All of it outlives the driver. `reset_cache_first`: the stated cache state is cold, or warm.
  HttpDriver(Fleet& fleet, const Target& target, Recorder& recorder, Progress& progress, const std::atomic<bool>& stop,
             bool reset_cache_first)
      : fleet_(fleet),
        target_(target),
        recorder_(recorder),
        progress_(progress),
        stop_(stop),
        reset_cache_first_(reset_cache_first) {}

  std::vector<Doubt> prepare(const Plan& warming) override;
  void run(const Plan& plan, LevelCourse& course, LevelRecords& records) override;
  std::optional<double> counted_hit_rate() const override { return counted_hit_rate_; }
  void measured(const LevelResult& result) override { progress_.end_level(result); }
  bool interrupted() const override { return stop_ || fleet_.lost(); }
  /// The level that was run last, and its ordinal.
  const Level& last_level() const { return last_level_; }
  std::uint32_t last_ordinal() const { return last_ordinal_; }

 private:
  std::vector<Doubt> drain(std::uint32_t ordinal);
  std::vector<Doubt> reset(std::uint32_t ordinal);
  std::vector<Doubt> fill(const Plan& warming);

  Fleet& fleet_;
  const Target& target_;
  Recorder& recorder_;
  Progress& progress_;
  const std::atomic<bool>& stop_;
  bool reset_cache_first_;
  std::optional<double> counted_hit_rate_;
  Level last_level_;
  std::uint32_t last_ordinal_ = 0;
};

}  // namespace loadline
