#pragma once
// What the terminal and the page of a log say in the same words. Nothing foreign is in them, unless it says so.

#include <string>
#include <string_view>
#include <vector>

#include "core/trace_stats.h"
#include "report/trace_stats_extras.h"

namespace loadline {

/// "2023-11-16T18:15:46.68Z", with as many fraction digits as are needed; without the Z where the log has local
/// times, since then the zone is unknown. Empty where the log has no date.
std::string started_text(const TraceStats& stats);
/// The start with what is known of its zone, in words; never empty.
std::string started_words(const TraceStats& stats);

/// "counted" or "estimated".
std::string_view tokens_name(const TraceStats& stats);
/// The same with the ratio of the estimate, where it is one.
std::string tokens_words(const TraceStats& stats);
/// `caption`, followed by ", estimated" where the lengths are: it stands beside every table of lengths.
std::string with_token_origin(std::string_view caption, bool estimated);

/// "a.csv:7" for each of the first lines, where several files were read, else none. Names of files are foreign.
std::vector<std::string> refused_places(const Refused& refused);
/// "line 7", "lines 3, 9", "lines 1, 2, ..."; "a.csv:7, b.csv:3", with foreign names of files, where several were read;
/// empty where no line is known.
std::string refused_lines(const Refused& refused);

/// Three rates that are easily taken for one another, each in half a sentence.
inline constexpr std::string_view token_hit_rate_words =
    "of prompt tokens could come from a prefix cache that forgets nothing";
inline constexpr std::string_view beyond_first_block_words =
    "of prompt tokens, each request's first block left out: it may be one that everybody shares";
inline constexpr std::string_view request_hit_rate_words =
    "of a request's prompt, as the mean over requests: short and long ones count alike";

/// What a hit rate that does not come from block hashes rests on; empty for hashed sharing.
std::string sharing_origin_words(SharingOrigin origin);
/// Which share of the log the hit rates come from, and their error; empty where they are exact.
std::string hit_rate_sample_words(const PrefixProfile& sharing);
/// Whether the curve of hit rate against cache size is exact, and its error where it is not.
std::string lru_words(const PrefixProfile& sharing);
/// "5.28 GB"; 1 GB is 1e9 bytes.
std::string bytes_words(double bytes);
/// How sessions were found.
std::string session_origin_words(const SessionStats& sessions);

}  // namespace loadline
