#pragma once
// Hits as a logging server counted them.

#include <algorithm>
#include <cstdint>

#include "core/part_stream.h"
#include "core/trace.h"
#include "core/trace_stats.h"

namespace loadline {

/// Of the rows that have a count; a remark says how many have none. It tells of the logging server's cache, not of the
/// workload.
class CachedCounts {
 public:
  void add(const TraceRow& row) {
    if (row.prompt.value() <= 0) return;
    if (!row.cached) {
      uncounted_ += 1;
      return;
    }
    const auto prompt = static_cast<std::uint64_t>(row.prompt.value());
    const auto hit = std::min(static_cast<std::uint64_t>(row.cached->value()), prompt);
    hit_tokens_ += hit;
    prompt_tokens_ += prompt;
    prompt_shares_ += static_cast<double>(hit) / static_cast<double>(prompt);
    requests_ += 1;
    requests_with_hit_ += hit > 0 ? 1 : 0;
  }
  void merge(const CachedCounts& other);
  PrefixProfile profile() const;
  void write(PartWriter& part) const;
  void read(PartReader& part);

 private:
  std::uint64_t hit_tokens_ = 0, prompt_tokens_ = 0, requests_ = 0, requests_with_hit_ = 0;
  std::uint64_t uncounted_ = 0;  ///< requests without a count
  double prompt_shares_ = 0;
};

}  // namespace loadline
