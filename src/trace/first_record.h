#pragma once
// The fields of a log's first sound record, for those who must look before they read.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/format.h"

namespace loadline {

struct FirstRecord {
  /// Names and values as written, without quotes; of arrays and objects the value is empty.
  std::vector<std::pair<std::string, std::string>> fields;

  /// Null where there is no such field.
  const std::string* value_of(std::string_view name) const;
};

/// Of JSON objects, one of the first ten; of a table, the header's names with the values of the first record below it.
/// Nothing where neither is found whole.
std::optional<FirstRecord> first_record(const LogHead& head);

}  // namespace loadline
