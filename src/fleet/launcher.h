#pragma once
// Whether this process was started as one of several, by mpirun, srun or the like: asked before anything of MPI is
// touched, so that a run on one machine starts without it.

#include <functional>
#include <string>

namespace loadline {

/// What a launcher told by the environment.
struct Launch {
  bool by_launcher = false;
  int rank = 0;  ///< 0 without a launcher
  int size = 1;  ///< ranks, where the launcher tells them; else 1
};

/// `environment` gives the value of a variable, or null.
Launch launch_of(const std::function<const char*(const char*)>& environment);

}  // namespace loadline
