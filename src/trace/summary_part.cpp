#include <istream>
#include <ostream>

#include "core/part_stream.h"
#include "trace/numbers.h"
#include "trace/summary.h"

namespace loadline {
namespace {

constexpr PartKind summary_part{"LOADLNTR", 2};

bool counts_rows(const KeyCounts& pairs, std::uint64_t rows) {
  constexpr auto longest = static_cast<std::uint64_t>(longest_length);
  bool in_range = true;
  std::uint64_t sum = 0;
  pairs.for_each([&](std::uint64_t pair, std::uint64_t count) {
    in_range = in_range && first_of(pair) <= longest && second_of(pair) <= longest;
    sum += count;
  });
  return in_range && sum == rows;
}

}  // namespace

void TraceSummary::write(std::ostream& stream) {
  PartWriter part(stream, summary_part);
  part.number(rows_);
  part.counts(pairs_);
  arrivals_.write(part);
  sessions_.write(part);
  write_facts(part, facts_);
  part.finish();
}

TraceSummary TraceSummary::read(std::istream& stream, const std::string& name) {
  PartReader part(stream, name, summary_part);
  TraceSummary summary;
  summary.rows_ = part.number();
  summary.pairs_ = part.counts();
  if (!counts_rows(summary.pairs_, summary.rows_)) part.refuse_damaged();
  summary.arrivals_.read(part);
  summary.arrivals_before_source_ = summary.arrivals_.size();
  summary.sessions_.read(part);
  summary.facts_ = read_facts(part);
  part.finish();
  return summary;
}

}  // namespace loadline
