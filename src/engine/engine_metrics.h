#pragma once
// What the engine tells about itself at /metrics, in vLLM's names where vLLM has one. Times are engine time.

#include <array>
#include <chrono>
#include <cstdint>
#include <string>

#include "engine/model.h"

namespace loadline {

/// A Prometheus histogram of seconds over fixed bounds.
class SecondsHistogram {
 public:
  void observe(Seconds span);
  /// Appends HELP-less Prometheus text: TYPE, buckets, sum and count.
  void append(std::string_view name, std::string& out) const;

 private:
  static constexpr std::array<double, 20> bounds = {0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5,
                                                    0.75,  1.0,   2.5,  5.0,  7.5,  10,   20,   40,  80,   160};
  std::array<std::uint64_t, 21> counts_{};
  double sum_s_ = 0;
  std::uint64_t count_ = 0;
};

struct EngineMetrics {
  SecondsHistogram time_to_first_token, end_to_end;
  /// When the engine began, wall time in seconds after 1970: another value tells a restart.
  double started_s = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  std::uint64_t ended = 0, aborted = 0;
  double lag_s = 0;  ///< wall time by which steps slipped, in all
  std::uint64_t slips = 0;
  double worst_lateness_s = 0;  ///< wall time by which a step was delivered late, at worst
};

std::string metrics_text(const EngineModel& model, const EngineMetrics& metrics);

}  // namespace loadline
