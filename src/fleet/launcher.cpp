#include "fleet/launcher.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace loadline {
namespace {

// Open MPI's mpirun, PMIx (srun --mpi=pmix, prun) and PMI (srun --mpi=pmi2, hydra). SLURM_NTASKS and its like are not
// asked: they also stand in a batch script's own shell, where a process is alone.
constexpr const char* rank_variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
constexpr const char* size_variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};

int number_in(std::string_view text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return std::max(number, 0);
}

}  // namespace

Launch launch_of(const std::function<const char*(const char*)>& environment) {
  Launch launch;
  for (const char* variable : rank_variables) {
    const char* value = environment(variable);
    if (value == nullptr || launch.by_launcher) continue;
    launch.by_launcher = true;
    launch.rank = number_in(value);
  }
  if (!launch.by_launcher) return launch;
  for (const char* variable : size_variables) {
    if (const char* value = environment(variable)) launch.size = std::max(launch.size, number_in(value));
  }
  return launch;
}

}  // namespace loadline
