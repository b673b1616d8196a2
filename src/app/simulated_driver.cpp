#include "app/simulated_driver.h"

#include <numeric>

#include "engine/virtual_driver.h"

namespace loadline {

std::vector<Doubt> SimulatedDriver::prepare(const Plan& plan) {
  progress_.begin_level(plan.level, plan.ordinal);
  return {};  // every level starts on an empty engine
}

void SimulatedDriver::run(const Plan& plan, LevelCourse& course, LevelRecords& records) {
  simulate_level(plan, course, parameters_, records);
  if (writer_) store(records);
}

/// The whole level at once: unlike one that takes wall time it is lost to nobody who kills the program in the middle.
void SimulatedDriver::store(const LevelRecords& records) {
  writer_->begin_level(records.ordinal, records.level, records.started);
  std::vector<std::uint32_t> all(records.requests.size());
  std::iota(all.begin(), all.end(), 0U);
  writer_->append(records, all);
  writer_->window(records.ordinal, records.window_start, records.window_end);
  writer_->put_client(records.ordinal, records.client);
  writer_->end_level(records.ordinal, records.ended, records.state);
}

}  // namespace loadline
