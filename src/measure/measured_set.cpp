#include "measure/measured_set.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"

namespace loadline {
namespace {

void drop_ties_beyond(std::uint64_t limit, const LevelRecords& records, std::vector<std::uint32_t>& members) {
  if (limit == 0 || members.size() <= limit) return;
  const auto due = [&](std::size_t i) { return *records.requests[members[i]].due; };
  // Many more than asked for is not a tie: the rules are then not those the level ran by.
  if (due(members.size() - 1) == due(limit - 1)) members.resize(limit);
}

}  // namespace

MeasuredSet measured_set(const LevelRecords& records, const LevelRules& rules) {
  MeasuredSet set;
  set.has_window = records.window_start.has_value();
  set.window.start = records.window_start.value_or(records.ended);
  set.window.end = records.window_end.value_or(std::max(records.ended, set.window.start));
  for (std::uint32_t i = 0; i < records.requests.size(); ++i) {
    const RequestRecord& record = records.requests[i];
    if (!record.due) continue;
    if (!set.has_window || *record.due < set.window.start)
      ++set.warmup;
    else if (set.window.holds(*record.due))
      set.members.push_back(i);
  }
  std::ranges::stable_sort(set.members, {}, [&](std::uint32_t i) { return *records.requests[i].due; });
  drop_ties_beyond(rules.num_prompts.value_or(rules.duration ? 0 : rules.max_requests), records, set.members);
  for (const std::uint32_t member : set.members) {
    const Outcome outcome = records.requests[member].outcome;
    if (succeeded(outcome))
      set.succeeded.push_back(member);
    else if (failed(outcome))
      ++set.failed;
    else if (outcome == Outcome::censored)
      ++set.censored;
    else
      ++set.unsent;
  }
  return set;
}

Books books_of(const LevelRecords& records, const MeasuredSet& set) {
  Books books;
  std::uint64_t after = 0;
  for (const RequestRecord& record : records.requests) {
    if (!record.due) continue;
    ++books.planned;
    ++books.by_outcome.at(static_cast<std::size_t>(record.outcome));
    check(!succeeded(record.outcome) || (record.last_token && record.closed),
          "a request that succeeded has its last token and its end");
    check(!succeeded(record.outcome) || record.first_token || record.events == 1,
          "an answer without a first token came in one piece");
    if (set.has_window && *record.due >= set.window.start) ++after;
  }
  const std::uint64_t sum = std::accumulate(books.by_outcome.begin(), books.by_outcome.end(), std::uint64_t{0});
  check(sum == books.planned, "planned = ok + short + failures + censored + unsent");
  check(set.warmup + after == books.planned, "every released request is due before the window or after its start");
  check(set.judged() + set.censored + set.unsent == set.members.size(), "R = succeeded + failed + censored + unsent");
  return books;
}

}  // namespace loadline
