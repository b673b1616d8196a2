#pragma once
// A rank's own part of a run, written as it goes: a run folder of what this rank carried, so that it stays when the
// others die, and can be reported by itself.

#include <vector>

#include "fleet/relay.h"
#include "report/run_store.h"

namespace loadline {

class RankPart final : public PartSink {
 public:
  explicit RankPart(RunWriter writer) : writer_(std::move(writer)) {}
  void level_started(std::uint32_t ordinal, const Level& level, RunTime started) override;
  void window(std::optional<RunTime> start, std::optional<RunTime> end) override;
  void happened(std::uint32_t share, const Batch& batch) override;
  void level_ended(RunTime ended, bool interrupted) override;
  /// The run is over.
  void finish(bool interrupted);

 private:
  void write_pending();

  RunWriter writer_;
  std::uint32_t ordinal_ = 0, serial_ = 0;
  std::vector<StoredRequest> pending_;
  std::chrono::steady_clock::time_point written_{};
  std::optional<ClientSelf> client_;
};

}  // namespace loadline
