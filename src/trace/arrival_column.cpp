#include "trace/arrival_column.h"

#include <algorithm>
#include <utility>

namespace loadline {

void ArrivalColumn::merge(ArrivalColumn&& other) {
  const auto middle = static_cast<std::ptrdiff_t>(arrivals_.size());
  if (arrivals_.empty()) {
    *this = std::exchange(other, {});
    return;
  }
  arrivals_.insert(arrivals_.end(), other.arrivals_.begin(), other.arrivals_.end());
  ascending_ = ascending_ && other.ascending_;
  other = {};
  // Files of one log often follow one another, and then there is nothing to do.
  const auto seam = arrivals_.begin() + middle;
  if (ascending_ && seam != arrivals_.end() && *seam < *(seam - 1)) {
    std::inplace_merge(arrivals_.begin(), seam, arrivals_.end());
  }
}

std::span<const Nanos> ArrivalColumn::sorted() {
  if (!ascending_) std::sort(arrivals_.begin(), arrivals_.end());
  ascending_ = true;
  return arrivals_;
}

void ArrivalColumn::write(PartWriter& part) {
  part.number(arrivals_.size());
  Nanos before{};
  for (const Nanos arrival : sorted()) {
    part.signed_number((arrival - before).count());
    before = arrival;
  }
}

void ArrivalColumn::read(PartReader& part) {
  Nanos arrival{};
  for (std::uint64_t left = part.number(); left > 0; --left) {
    arrival += Nanos(part.signed_number());
    add(arrival);
  }
}

}  // namespace loadline
