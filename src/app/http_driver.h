#pragma once
// Levels over HTTP: load runs them, the recorder stores them.

#include <atomic>

#include "app/level_driver.h"
#include "app/recorder.h"
#include "load/run_level.h"
#include "target/target.h"

namespace loadline {

class HttpDriver final : public LevelDriver {
 public:
  /// All of it outlives the driver. `reset_cache_first`: the stated cache state is cold, or warm.
  HttpDriver(Client& client, const Target& target, BodyWriter write_body, Recorder& recorder, Progress& progress,
             const std::atomic<bool>& stop, bool reset_cache_first)
      : client_(client),
        target_(target),
        write_body_(std::move(write_body)),
        recorder_(recorder),
        progress_(progress),
        stop_(stop),
        reset_cache_first_(reset_cache_first) {}

  std::vector<Doubt> prepare(const Plan& warming) override;
  void run(const Plan& plan, LevelCourse& course, LevelRecords& records) override;
  std::optional<double> counted_hit_rate() const override { return counted_hit_rate_; }
  void measured(const LevelResult& result) override { progress_.end_level(result); }
  bool interrupted() const override { return stop_; }

 private:
  std::vector<Doubt> reset(std::uint32_t ordinal);
  std::vector<Doubt> fill(const Plan& warming);

  Client& client_;
  const Target& target_;
  BodyWriter write_body_;
  Recorder& recorder_;
  Progress& progress_;
  const std::atomic<bool>& stop_;
  bool reset_cache_first_;
  std::optional<double> counted_hit_rate_;
};

}  // namespace loadline
