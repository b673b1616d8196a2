#pragma once
// What rank 0 tells the other ranks before the first level, so that all of them send one run. Bytes and back.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/fact.h"
#include "core/units.h"
#include "fleet/remote_shares.h"

namespace loadline {

struct FleetSetup {
  std::string salt, folder;
  std::uint32_t threads = 1;                  ///< I/O threads of each rank
  std::vector<Nanos> monotonic_starts;        ///< by rank: its CLOCK_MONOTONIC at the run's start
  std::map<std::string, std::string> values;  ///< of the run's description, for the part that a rank keeps
  std::vector<Fact> facts;
};

std::string write_fleet_setup(const FleetSetup& setup);
/// Throws Error where `text` is none.
FleetSetup read_fleet_setup(const std::string& text);

/// Rank 0's word that there will be a run, or that there will be none: then, at the latest when this is destroyed, the
/// other ranks end without a word of their own.
class FleetAnnouncement {
 public:
  explicit FleetAnnouncement(Communicator& ranks) : ranks_(ranks) {}
  ~FleetAnnouncement();
  FleetAnnouncement(const FleetAnnouncement&) = delete;
  FleetAnnouncement& operator=(const FleetAnnouncement&) = delete;
  /// Sends the setup and waits until every rank has reached its target. Throws Error naming one that has not.
  void announce(const FleetSetup& setup);

 private:
  Communicator& ranks_;
  bool is_said_ = false;
};

/// Where rank `rank` keeps its part of the run in `folder`.
std::string part_folder(const std::string& folder, int rank);

}  // namespace loadline
