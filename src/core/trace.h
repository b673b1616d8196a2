#pragma once
// A log of real traffic, format-free: what trace/ makes and prefix/ and workload/ read.

#include <compare>
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
  Tokens prompt{};               ///< > 0; 0 only in a trace of texts that nobody has counted
  Tokens completion{};           ///< > 0; 0 only where the log does not tell: then the length is the model's own
  std::optional<Tokens> cached;  ///< prompt tokens served from the prefix cache, as logged
  SessionIndex session = no_session;
  std::uint32_t turn = 0;
  std::uint64_t first_block = 0;  ///< into Trace::blocks
  std::uint32_t block_count = 0;  ///< 0 where the trace has no hashes
  bool arrival_known = true;  ///< false: `arrival` only orders the row (a later turn of which only the pause is known)
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

/// What tells a file that was read from others.
struct SourceFingerprint {
  std::uint64_t bytes = 0;  ///< unpacked
  std::uint64_t hash = 0;   ///< of them
  friend auto operator<=>(const SourceFingerprint&, const SourceFingerprint&) = default;
};

/// Rows that could not be used for one reason.
struct Refused {
  std::uint64_t count = 0;
  std::vector<std::uint64_t> first_lines;  ///< line numbers of the first ten
  std::vector<std::string> first_files{};  ///< the file of each, where several were read; else empty
};

/// A prompt's text, kept only where the run is to send it.
struct PromptText {
  std::string text;  ///< UTF-8; or, where is_messages, a JSON array of chat messages as the log has it
  bool is_messages = false;
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
  std::optional<double> tokens_per_character;     ///< where they were estimated so
  std::string tokenizer;                          ///< whose tokens the lengths are; empty: unknown
  std::vector<RowDetail> details;                 ///< one per row, or empty where no row has any
  std::vector<std::string> clients;               ///< names by ClientIndex
  std::optional<Nanos> started;                   ///< the first arrival, after 1970-01-01T00:00:00Z (as if UTC where
                                                  ///< time_zone is "local"); absent where the log has no date
  std::string time_zone;             ///< "UTC", "offset" (written in each stamp), "local" or empty: no date
  std::vector<std::string> remarks;  ///< sentences on what the log could not tell, for people
  std::vector<PromptText> texts;     ///< one per row where they were asked for, else empty
  std::optional<SourceFingerprint>
      fingerprint;  ///< of the one file that this is all of; absent where there are several
};

}  // namespace loadline
