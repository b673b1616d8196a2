#pragma once

namespace loadline {

/// The whole program: reads the arguments, runs one command, catches Error once. Returns the exit status
/// (core/error.h).
int run_program(int argc, char** argv);

}  // namespace loadline
