#pragma once
// What a user says of a log beside its name.

#include <optional>
#include <string>

#include "trace/field_map.h"

namespace loadline {

struct ReadOptions {
  std::optional<std::string> format;           ///< one of trace_formats(); absent: told by the content
  FieldMap map;                                ///< not empty: the log is read by these fields, whatever its format
  std::optional<double> tokens_per_character;  ///< > 0: for rows whose tokens nobody counted
  bool keep_texts = false;                     ///< the run sends the log's own prompts: Trace::texts
};

}  // namespace loadline
