#pragma once
// Sharing as sessions let one expect it, where prompts are known by length only: each turn is taken to start with the
// prompt of the turn before.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "core/key_counts.h"
#include "core/part_stream.h"
#include "core/trace.h"
#include "core/trace_stats.h"

namespace loadline {

/// The turns of sessions, as far as memory goes: beyond it of a share of the sessions, chosen by their names.
class SessionSharing {
 public:
  explicit SessionSharing(std::uint64_t memory_bytes) : memory_bytes_(memory_bytes) {}

  void add(const TraceRow& row);
  /// Where the source ends: the names of its sessions. Sessions without names are its own.
  void end_source(const std::vector<std::string>& names);
  /// The same, where its sessions tell nothing of sharing.
  void drop_source() { source_turns_.clear(); }
  void merge(SessionSharing&& other);

  /// `prompts` counts pair_key(prompt tokens, any) of all requests, also of those without a session.
  PrefixProfile profile(const KeyCounts& prompts) const;

  void write(PartWriter& part) const;
  void read(PartReader& part);

 private:
  struct Turn {
    Nanos arrival;
    std::uint64_t session;  ///< a key; of a nameless one the source's number and its index, the top bit not set
    std::uint32_t prompt;
  };
  bool kept(std::uint64_t session) const;
  void keep(const Turn& turn);
  std::vector<Turn> by_session() const;

  std::uint64_t memory_bytes_;
  std::deque<Turn> turns_;
  std::deque<Turn> source_turns_;                            ///< of the source being read: `session` is its index there
  std::uint64_t sources_ = 0, tokens_ = 0, turn_count_ = 0;  ///< of all turns, also of those not kept
  std::uint32_t halvings_ = 0;
};

}  // namespace loadline
