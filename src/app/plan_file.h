#pragma once
// The plan file: YAML with a key for every flag that decides the result. Strict: an unknown key is an
// error with its line and the nearest known one.

#include <map>
#include <string>

#include "app/run_spec.h"

namespace loadline {

/// Reads `path` into `spec`. A later flag overrides what the file said.
void read_plan_file(const std::string& path, RunSpec& spec);
/// The same from the text itself; `source` names it in errors.
void read_plan_text(const std::string& text, const std::string& source, RunSpec& spec);
/// The keys of `spec` that differ from the defaults, as a plan file that repeats the run. No secrets.
std::string effective_plan(const RunSpec& spec);

/// The keys and values of a plan's text, lists joined by ", "; what a manifest takes. Error as read_plan_text.
std::map<std::string, std::string> plan_values(const std::string& text, const std::string& source);

}  // namespace loadline
