#pragma once
// Where in a log something is that a record of many lines holds.

#include <cstdint>

#include "trace/line_reader.h"
#include "trace/newlines.h"

namespace loadline {

/// A reader of records that remembers the one given last. Stands where a LineReader or JsonRecordReader does.
template <class Records>
class PlacedRecords {
 public:
  explicit PlacedRecords(Records& records) : records_(records) {}

  bool next(Line& record) {
    const bool found = records_.next(record);
    if (found) {
      number_ = counted_number_ = record.number;
      counted_ = record.text.data();
    }
    return found;
  }

  /// The line that the record given last begins on.
  std::uint64_t line() const { return number_; }

  /// The line that `place`, inside the record given last, is on. Places must ascend within a record.
  std::uint64_t line_of(const char* place) {
    if (place > counted_) {
      counted_number_ += count_newlines({counted_, place});
      counted_ = place;
    }
    return counted_number_;
  }

 private:
  Records& records_;
  std::uint64_t number_ = 0;
  const char* counted_ = nullptr;     ///< lines up to here are counted,
  std::uint64_t counted_number_ = 0;  ///< and this is the one it is on
};

}  // namespace loadline
