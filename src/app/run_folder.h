#pragma once
// Where a run is written.

#include <string>

#include "app/run_spec.h"

namespace loadline {

/// Error where `folder` exists: nothing is ever overwritten.
void refuse_existing_folder(const std::string& folder);
/// --output-dir, or a new runs/<date>-<model>-<n>.
std::string choose_run_folder(const std::string& output_dir, const std::string& model);

}  // namespace loadline
