#include "app/simulated_driver.h"

#include "engine/virtual_driver.h"

namespace loadline {

std::vector<Doubt> SimulatedDriver::prepare(const Plan& plan) {
  progress_.begin_level(plan.level, plan.ordinal);
  return {};  // every level starts on an empty engine
}

void SimulatedDriver::run(const Plan& plan, LevelCourse& course, LevelRecords& records) {
  simulate_level(plan, course, parameters_, records);
}

}  // namespace loadline
