#pragma once
// Levels on the engine model in virtual time.

#include <optional>

#include "app/level_driver.h"
#include "app/progress.h"
#include "engine/parameters.h"
#include "report/run_store.h"

namespace loadline {

class SimulatedDriver final : public LevelDriver {
 public:
  /// `writer`: each level goes there when it has ended; absent: nothing is kept. Both outlive the driver.
  SimulatedDriver(EngineParameters parameters, Progress& progress, std::optional<RunWriter>& writer)
      : parameters_(parameters), progress_(progress), writer_(writer) {}
  std::vector<Doubt> prepare(const Plan& plan) override;
  void run(const Plan& plan, LevelCourse& course, LevelRecords& records) override;
  std::optional<double> counted_hit_rate() const override { return std::nullopt; }
  void measured(const LevelResult& result) override { progress_.end_level(result); }
  bool interrupted() const override { return false; }

 private:
  void store(const LevelRecords& records);

  EngineParameters parameters_;
  Progress& progress_;
  std::optional<RunWriter>& writer_;
};

}  // namespace loadline
