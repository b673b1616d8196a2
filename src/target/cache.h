#pragma once
// The server's prefix cache: emptied where the engine can be told to, and read by its counters.

#include <optional>
#include <string>

#include "target/target.h"

namespace loadline {

struct CacheReset {
  bool possible = false;  ///< the engine has a way, and offers it here
  bool done = false;      ///< every server said that it is empty now
  std::string words;      ///< why not, for a doubt; empty when done
};
/// Call only while no request runs: engines refuse otherwise.
CacheReset reset_cache(const Target& target);

/// Totals since the servers' start, summed over them; absent where an engine does not tell. Take differences.
struct ServerCounters {
  std::optional<double> prompt_tokens;  ///< processed, those from the cache included
  std::optional<double> generation_tokens;
  std::optional<double> cache_hits;        ///< prompt tokens that the prefix cache gave
  std::optional<double> cache_queries;     ///< prompt tokens that were looked up
  std::optional<double> running, waiting;  ///< requests at this moment
  std::optional<double> process_start_s;   ///< the youngest server's start, UNIX time: a later one is a restart
};
/// Absent where a server has no readable metrics. One blocking request per server: never during a window.
std::optional<ServerCounters> read_counters(const Target& target);

/// Hit tokens / looked-up tokens between two readings; absent where nothing was looked up or a counter fell
/// (a restart).
std::optional<double> cache_hit_rate(const ServerCounters& before, const ServerCounters& after);

}  // namespace loadline
