#pragma once
// PrefixProfile of a log of any size, while it is read, in bounded memory: exact as long as its blocks fit, by
// spatially hashed sampling beyond. Summaries of parts of a log, read in parallel or on several machines, merge into
// the summary of the whole. Knows no formats and no engines.

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>

#include "core/key_counts.h"
#include "core/trace.h"
#include "core/trace_stats.h"
#include "prefix/block_log.h"
#include "prefix/cached_counts.h"
#include "prefix/session_sharing.h"

namespace loadline {

class SharingSummary {
 public:
  static constexpr std::uint64_t default_memory_bytes = std::uint64_t{1} << 30;
  /// `memory_bytes` bounds what is kept of blocks, or of sessions; counts of lengths come on top, 24 to 48 bytes for
  /// each distinct pair of prompt length and number of blocks.
  explicit SharingSummary(std::uint64_t memory_bytes = default_memory_bytes)
      : blocks_(memory_bytes), sessions_(memory_bytes) {}

  /// The next usable row with its block ids, as RowSink::take is given it. Rows may come in any order; of one arrival
  /// they count in the order of adding.
  void add(const TraceRow& row, std::span<const std::uint64_t> ids);
  /// The facts of the source whose rows were added since the source before ended. Throws Error where its blocks are of
  /// another size than those before.
  void end_source(const Trace& facts);
  /// `other` was added behind this. Throws Error for blocks of two sizes.
  void merge(SharingSummary&& other);

  /// What the sources know of sharing: hashed before sessions before cached counts; where they differ, profile() says
  /// so.
  SharingOrigin origin() const;
  /// Definitions: profile.h. For unknown sharing all is zero and means nothing.
  PrefixProfile profile() const;
  /// The turns of conversations that no log declares, from prompts that begin with earlier ones: a request belongs to
  /// the session of the latest earlier request all of whose full blocks it begins with, where those are at least two,
  /// not counting a first block that all requests share; else it begins a session. Absent without chained ids, and
  /// where not all blocks fit in memory.
  std::optional<SessionStats> inferred_sessions() const;

  /// A part that read() reads.
  void write(std::ostream& stream) const;
  /// Throws Error, with `name` as the file, for one that is foreign, damaged, cut or of a newer version.
  static SharingSummary read(std::istream& stream, const std::string& name,
                             std::uint64_t memory_bytes = default_memory_bytes);

 private:
  void use_block_size(std::uint32_t block_size);
  void note_origin(SharingOrigin origin) { origins_ |= 1u << static_cast<unsigned>(origin); }
  bool has(SharingOrigin origin) const { return (origins_ >> static_cast<unsigned>(origin) & 1u) != 0; }

  KeyCounts prompts_;  ///< of pair_key(prompt tokens, blocks)
  BlockLog blocks_;
  SessionSharing sessions_;
  CachedCounts cached_;
  std::uint32_t block_size_ = 0;  ///< 0: no source has blocks
  std::uint32_t origins_ = 0;     ///< a bit for each SharingOrigin that a source has
};

}  // namespace loadline
