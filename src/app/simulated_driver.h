#pragma once
// Levels on the engine model in virtual time.

#include "app/level_driver.h"
#include "app/progress.h"
#include "engine/parameters.h"

namespace loadline {

class SimulatedDriver final : public LevelDriver {
 public:
  SimulatedDriver(EngineParameters parameters, Progress& progress) : parameters_(parameters), progress_(progress) {}
  std::vector<Doubt> prepare(const Plan& plan) override;
  void run(const Plan& plan, LevelCourse& course, LevelRecords& records) override;
  std::optional<double> counted_hit_rate() const override { return std::nullopt; }
  void measured(const LevelResult& result) override { progress_.end_level(result); }
  bool interrupted() const override { return false; }

 private:
  EngineParameters parameters_;
  Progress& progress_;
};

}  // namespace loadline
