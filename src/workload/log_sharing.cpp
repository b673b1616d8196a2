#include "workload/log_sharing.h"

#include <algorithm>

#include "core/error.h"
#include "workload/block_table.h"

namespace loadline {
namespace {

std::vector<std::optional<Tokens>> hashed_hits(const Trace& trace) {
  std::vector<std::optional<Tokens>> hits;
  hits.reserve(trace.rows.size());
  BlockTable seen(trace.blocks.size() / 2);
  for (const TraceRow& row : trace.rows) {
    check(row.first_block + row.block_count <= trace.blocks.size(), "a row's blocks lie inside the trace's");
    const auto first = trace.blocks.begin() + static_cast<std::ptrdiff_t>(row.first_block);
    const auto last = first + row.block_count;
    const auto first_new = std::find_if(first, last, [&](std::uint64_t id) { return seen[id] == 0; });
    std::for_each(first_new, last, [&](std::uint64_t id) { seen[id] = 1; });
    hits.emplace_back(std::min(row.prompt, Tokens((first_new - first) * std::int64_t{trace.block_size})));
  }
  return hits;
}

std::vector<std::optional<Tokens>> session_hits(const Trace& trace) {
  std::vector<std::optional<Tokens>> hits;
  hits.reserve(trace.rows.size());
  SessionHits sessions;
  for (const TraceRow& row : trace.rows) {
    hits.emplace_back(row.session == no_session ? Tokens(0) : sessions.take(row.session, row.prompt));
  }
  return hits;
}

std::vector<std::optional<Tokens>> logged_hits(const Trace& trace) {
  std::vector<std::optional<Tokens>> hits;
  hits.reserve(trace.rows.size());
  for (const TraceRow& row : trace.rows) {
    hits.push_back(row.cached ? std::optional(std::min(*row.cached, row.prompt)) : std::nullopt);
  }
  return hits;
}

std::optional<double> rate_of(const Trace& trace, const std::vector<std::optional<Tokens>>& hits) {
  Tokens hit, asked;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if (!hits[i]) continue;
    hit += *hits[i];
    asked += trace.rows[i].prompt;
  }
  if (asked.value() == 0) return std::nullopt;
  return static_cast<double>(hit.value()) / static_cast<double>(asked.value());
}

}  // namespace

bool has_block_ids(const Trace& trace) { return trace.block_size > 0 && !trace.blocks.empty(); }

Tokens SessionHits::take(std::uint64_t session, Tokens prompt) {
  Tokens& before = before_[session];
  const Tokens hit = prompt >= before ? before : Tokens(0);
  before = prompt;
  return hit;
}

LogSharing log_sharing(const Trace& trace) {
  LogSharing sharing;
  if (has_block_ids(trace)) {
    sharing.hits = hashed_hits(trace);
  } else if (trace.sharing == SharingOrigin::sessions) {
    sharing.hits = session_hits(trace);
  } else if (trace.sharing == SharingOrigin::cached_counts) {
    sharing.hits = logged_hits(trace);
  }
  sharing.token_hit_rate = rate_of(trace, sharing.hits);
  return sharing;
}

}  // namespace loadline
