#pragma once
// The command line. The only file that knows the option parser.

#include "core/error.h"

namespace loadline {

/// Parses the arguments, runs the command they name, returns its status. --help and --version print and
/// return `valid`; wrong arguments throw Error.
ExitStatus parse_and_run(int argc, char** argv);

}  // namespace loadline
