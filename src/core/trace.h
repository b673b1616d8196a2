#pragma once
// A log of real traffic, format-free: what trace/ makes and prefix/ and workload/ read.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.h"

namespace loadline {

/// Index of a session inside its trace; row without one: no_session.
using SessionIndex = std::uint32_t;
inline constexpr SessionIndex no_session = 0xffffffff;

/// One logged request. Absent means unknown, never 0.
struct TraceRow {
  Nanos arrival{};               ///< after the first arrival of the trace; 0 where !Trace::has_times
  Tokens prompt{};               ///< > 0
  Tokens completion{};           ///< > 0
  std::optional<Tokens> cached;  ///< prompt tokens served from the prefix cache, as logged
  SessionIndex session = no_session;
  std::uint32_t turn = 0;
  std::uint64_t first_block = 0;  ///< into Trace::blocks
  std::uint32_t block_count = 0;  ///< 0 where the trace has no hashes
};

/// Index of a client inside its trace; row without one: no_client.
using ClientIndex = std::uint32_t;
inline constexpr ClientIndex no_client = 0xffffffff;

/// What few logs tell of a request beside its lengths and its time; kept so that a conversion loses nothing.
struct RowDetail {
  std::optional<Nanos> delay;            ///< after the end of the session's turn before
  std::optional<Tokens> max_completion;  ///< what the request allowed
  std::optional<std::uint16_t> status;   ///< HTTP status
  ClientIndex client = no_client;
};

/// Rows that could not be used for one reason.
struct Refused {
  std::uint64_t count = 0;
  std::vector<std::uint64_t> first_lines;  ///< line numbers of the first ten
};

/// What is known of shared beginnings.
enum class SharingOrigin : std::uint8_t { unknown, hashed, sessions, cached_counts };
/// The name in files and reports: "unknown", "hashed", "sessions", "cached-counts".
std::string_view name(SharingOrigin origin);
std::optional<SharingOrigin> sharing_origin_named(std::string_view name);

/// Rows in order of arrival. read = rows.size() + sum of refused + sum of filtered.
struct Trace {
  std::string source;  ///< file names, or "builtin:NAME"
  std::string format;  ///< "azure", "mooncake", "canonical", ...
  std::vector<TraceRow> rows;
  std::vector<std::uint64_t> blocks;  ///< prefix-chained block ids of all rows, one after another
  std::uint32_t block_size = 0;       ///< tokens a block; 0 where there are no hashes
  bool has_times = false;
  double time_resolution_ms = 0;
  SharingOrigin sharing = SharingOrigin::unknown;
  std::uint64_t read = 0;
  std::map<std::string, Refused> refused;         ///< by reason
  std::map<std::string, std::uint64_t> filtered;  ///< by reason
  std::vector<std::string> sessions;              ///< names by SessionIndex
  bool partial_tail = true;                       ///< a partly filled last block has an id too; false: it has none
  bool tokens_estimated = false;                  ///< lengths were not counted by a tokenizer
  std::string tokenizer;                          ///< whose tokens the lengths are; empty: unknown
  std::vector<RowDetail> details;                 ///< one per row, or empty where no row has any
  std::vector<std::string> clients;               ///< names by ClientIndex
};

}  // namespace loadline
