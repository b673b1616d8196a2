#pragma once
// A log of records with named fields, read by a table of its fields (log_fields.h): JSON objects, one a line,
// pretty-printed, in one array or in pages {"data": [...]}; or CSV under a header. A field inside another may stand in
// a text that holds JSON, as in a cell of a table. Knows no format.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/format.h"
#include "trace/log_fields.h"

namespace loadline {

struct RecordFormat {
  std::span<const FieldRule> rules;
  std::string_view bare_zone = "UTC";  ///< of stamps that name no zone
  bool has_times = true;               ///< the rules tell arrivals
  bool completion_may_lack = false;    ///< a log of prompts
  bool every_field_needed = false;     ///< a user asked for each: one that no record has is an error
  KindTest* is_request = nullptr;      ///< absent: records of every kind are requests
};

/// Reads all of `window`. Throws Error for a table in which no column tells a prompt, and for a needed field that no
/// record has.
FieldsMet read_record_log(TextWindow& window, TraceBuilder& builder, const RecordFormat& format);

/// Whether a log that begins so is JSON, and not a table.
bool is_json_log(const LogHead& head);

}  // namespace loadline
