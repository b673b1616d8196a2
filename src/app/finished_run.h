#pragma once
// The end of every kind of run: what it was goes to its file, and from the file come the pages.

#include <string>

#include "app/commands.h"
#include "app/description.h"
#include "app/run_spec.h"
#include "report/run_store.h"

namespace loadline {

/// Stores what `description` says, in place of what was stored of it before.
void put_description(RunWriter& writer, const RunDescription& description);

/// The pages of the finished run in `folder`, drawn from its run.sqlite into the folder and, as `spec` asks, to
/// standard output; and what the run's outcome is.
ExitStatus show_run(const RunSpec& spec, const std::string& folder);

}  // namespace loadline
