#include "compare/level_pair.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace loadline {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

bool is_measured(const LevelRecords& level, const RequestRecord& record) {
  const bool inside = record.due && level.window_start && *record.due >= *level.window_start &&
                      (!level.window_end || *record.due < *level.window_end);
  return inside && record.closed && (succeeded(record.outcome) || failed(record.outcome));
}

/// Requests without turns are released in the order of the plan; a later turn whenever the one before it has ended.
using RequestKey = std::pair<std::uint32_t, std::uint32_t>;

bool has_later_turns(const LevelRecords& level) {
  return std::ranges::any_of(level.requests, [](const RequestRecord& record) { return record.turn > 0; });
}

RequestKey key_of(const RequestRecord& record, bool by_turn) {
  return by_turn ? RequestKey{record.session, record.turn} : RequestKey{record.serial, 0};
}

RequestSeen seen(const RequestRecord& record) {
  RequestSeen request;
  request.succeeded = succeeded(record.outcome);
  request.residence_ms = milliseconds(*record.closed - *record.due);
  if (!request.succeeded) {
    request.ttft_ms = never;
    request.tpot_ms = request.e2e_ms = never;
    return request;
  }
  const std::optional<Nanos> first = ttft(record), last = e2e(record);
  request.ttft_ms = first ? milliseconds(*first) : never;
  if (last) request.e2e_ms = milliseconds(*last);
  if (const std::optional<Seconds> per_token = tpot(record)) request.tpot_ms = per_token->count() * 1e3;
  if (record.completion_tokens) request.completion_tokens = record.completion_tokens->value();
  return request;
}

}  // namespace

std::vector<RequestSeen> measured_requests(const LevelRecords& records) {
  std::vector<RequestSeen> measured;
  for (const RequestRecord& record : records.requests) {
    if (is_measured(records, record)) measured.push_back(seen(record));
  }
  return measured;
}

LevelPair pair_requests(const LevelRecords& a, const LevelRecords& b) {
  LevelPair pair{a.level, {}};
  const bool by_turn = has_later_turns(a) || has_later_turns(b);
  std::map<RequestKey, const RequestRecord*> of_b;
  for (const RequestRecord& record : b.requests) {
    if (is_measured(b, record)) of_b[key_of(record, by_turn)] = &record;
  }
  for (const RequestRecord& record : a.requests) {
    if (!is_measured(a, record)) continue;
    const auto other = of_b.find(key_of(record, by_turn));
    if (other == of_b.end()) continue;
    const bool same_work = other->second->planned_prompt == record.planned_prompt &&
                           other->second->planned_completion == record.planned_completion;
    if (same_work) pair.requests.push_back({seen(record), seen(*other->second)});
  }
  return pair;
}

std::vector<RequestRange> batches_of(std::size_t count) {
  constexpr std::size_t items_for_20 = 400, items_for_10 = 100;
  const std::size_t batches = count >= items_for_20 ? 20 : count >= items_for_10 ? 10 : 0;
  std::vector<RequestRange> result;
  for (std::size_t i = 0; i < batches; ++i) result.push_back({count * i / batches, count * (i + 1) / batches});
  return result;
}

}  // namespace loadline
