#include "workload/log_sharing.h"

#include <algorithm>
#include <span>

#include "core/error.h"
#include "workload/block_counts.h"

namespace loadline {
namespace {

std::vector<std::optional<Tokens>> hashed_hits(const Trace& trace) {
  std::vector<std::optional<Tokens>> hits;
  hits.reserve(trace.rows.size());
  BlockCounts seen(trace.blocks.size() / 2);
  for (const TraceRow& row : trace.rows) {
    check(row.first_block + row.block_count <= trace.blocks.size(), "a row's blocks lie inside the trace's");
    bool is_leading = true;
    std::int64_t leading = 0;
    for (const std::uint64_t id : std::span(trace.blocks).subspan(row.first_block, row.block_count)) {
      is_leading = seen.add(id) > 0 && is_leading;
      leading += is_leading ? 1 : 0;
    }
    hits.emplace_back(std::min(row.prompt, Tokens(leading * trace.block_size)));
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
