#include "fleet/launcher.h"

#include <gtest/gtest.h>

#include <map>

namespace loadline {
namespace {

Launch launched_with(const std::map<std::string, std::string>& environment) {
  return launch_of([&](const char* variable) -> const char* {
    const auto at = environment.find(variable);
    return at == environment.end() ? nullptr : at->second.c_str();
  });
}

TEST(Launcher, IsKnownByWhatItTells) {
  struct Row {
    std::map<std::string, std::string> environment;
    bool by_launcher;
    int size;
  };
  const Row rows[] = {
      {{}, false, 1},
      {{{"HOME", "/root"}}, false, 1},
      {{{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "4"}}, true, 4},
      {{{"PMIX_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "8"}}, true, 8},
      {{{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}}, true, 2},
      {{{"PMIX_RANK", "0"}}, true, 1},
      {{{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "many"}}, true, 1},
      // A shell of a Slurm batch script: no rank.
      {{{"SLURM_NTASKS", "8"}, {"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_PROCID", "0"}}, false, 1},
  };
  for (const Row& row : rows) {
    const Launch launch = launched_with(row.environment);
    EXPECT_EQ(launch.by_launcher, row.by_launcher);
    EXPECT_EQ(launch.size, row.size);
  }
}

}  // namespace
}  // namespace loadline
