#include "trace/merge_traces.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "trace/known_sources.h"
#include "trace/trace_builder.h"

namespace loadline {
namespace {

void require_mergeable(const std::vector<Trace>& traces) {
  const Trace& first = traces.front();
  KnownSources sources;
  for (const Trace& trace : traces) {
    if (trace.fingerprint) sources.add(*trace.fingerprint, trace.source);
    if ((!trace.started || trace.time_zone == "local") && traces.size() > 1) {
      throw Error(fmt::format(
          "{} does not say when it started in UTC, so it cannot be put in order with the others; merge only traces of logs "
          "whose stamps have dates and a time zone",
          trace.source));
    }
    if (trace.block_size != first.block_size || trace.partial_tail != first.partial_tail) {
      throw Error(fmt::format("{} has blocks of {} tokens and {} of {}: their sharing cannot be joined", trace.source,
                              trace.block_size, first.source, first.block_size));
    }
  }
}

/// Ids of one trace that collide with no other's.
class SeparateIds {
 public:
  void next_trace() { known_.clear(); }
  std::uint64_t operator()(std::uint64_t id) {
    const auto [entry, is_new] = known_.try_emplace(id, next_);
    if (is_new) ++next_;
    return entry->second;
  }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> known_;
  std::uint64_t next_ = 0;
};

/// Facts that hold of the whole when they hold of a part.
void join_facts(const Trace& part, TraceBuilder& builder) {
  Trace& whole = builder.trace();
  whole.has_times = whole.has_times || part.has_times;
  if (part.started) whole.time_zone = part.time_zone;
  whole.time_resolution_ms = std::max(whole.time_resolution_ms, part.time_resolution_ms);
  whole.tokens_estimated = whole.tokens_estimated || part.tokens_estimated;
  if (whole.sharing == SharingOrigin::unknown) whole.sharing = part.sharing;
  if (whole.tokenizer != part.tokenizer) whole.tokenizer.clear();
  for (const std::string& sentence : part.remarks) builder.remark(sentence);
}

void add_rows(const Trace& part, bool same_ids, SeparateIds& separate, TraceBuilder& builder) {
  separate.next_trace();
  for (std::size_t i = 0; i < part.rows.size(); ++i) {
    const TraceRow& row = part.rows[i];
    builder.begin_row();
    for (std::uint32_t k = 0; k < row.block_count; ++k) {
      const std::uint64_t id = part.blocks[row.first_block + k];
      builder.add_block(same_ids ? id : separate(id));
    }
    ReadRow read;
    if (row.arrival_known && part.has_times) read.time = part.started.value_or(Nanos(0)) + row.arrival;
    read.prompt = row.prompt;
    if (row.completion.value() > 0) read.completion = row.completion;
    read.completion_unknown = !read.completion;
    read.cached = row.cached;
    if (row.session != no_session) {
      read.session = builder.session(part.sessions[row.session]);
      read.turn = row.turn;
    }
    if (!part.details.empty()) read.detail = part.details[i];
    if (read.detail.client != no_client) read.detail.client = builder.client(part.clients[read.detail.client]);
    builder.add(read, i + 1);
  }
}

}  // namespace

Trace merge_traces(std::vector<Trace> traces, bool same_ids) {
  check(!traces.empty(), "there are traces to merge");
  require_mergeable(traces);
  TraceBuilder builder;
  Trace& whole = builder.trace();
  whole.format = traces.front().format;
  whole.block_size = traces.front().block_size;
  whole.partial_tail = traces.front().partial_tail;
  whole.tokenizer = traces.front().tokenizer;
  SeparateIds separate;
  for (Trace& part : traces) {
    whole.source += (whole.source.empty() ? "" : ", ") + part.source;
    join_facts(part, builder);
    add_rows(part, same_ids, separate, builder);
    part = {};
  }
  if (traces.size() > 1 && whole.block_size > 0 && !same_ids) {
    builder.remark(
        "Block ids of the merged traces were kept apart: what the files share with one another is not counted, so the "
        "sharing is a lower bound.");
  }
  return builder.finish();
}

}  // namespace loadline
