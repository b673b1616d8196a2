#pragma once
// The arrivals of a log's rows, eight bytes a row, in order of time: what the gaps between them need.

#include <cstdint>
#include <span>
#include <vector>

#include "core/part_stream.h"
#include "core/units.h"

namespace loadline {

class ArrivalColumn {
 public:
  void add(Nanos arrival) {
    ascending_ = ascending_ && (arrivals_.empty() || arrivals_.back() <= arrival);
    arrivals_.push_back(arrival);
  }
  std::size_t size() const { return arrivals_.size(); }
  /// Those from number `first` on, in the order of adding; sorted() ends that order.
  std::span<const Nanos> added_since(std::size_t first) const { return std::span(arrivals_).subspan(first); }
  /// Forgets those added after the first `size`.
  void forget_after(std::size_t size) { arrivals_.resize(size); }
  void merge(ArrivalColumn&& other);
  /// Ascending. Sorts where they did not come so.
  std::span<const Nanos> sorted();

  void write(PartWriter& part);
  void read(PartReader& part);

 private:
  std::vector<Nanos> arrivals_;
  bool ascending_ = true;
};

}  // namespace loadline
