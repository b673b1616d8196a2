#include "app/trace_output.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iostream>

#include "core/error.h"

namespace loadline {

void write_output(const std::string& path, const std::function<void(std::ostream&)>& write) {
  if (path.empty()) {
    write(std::cout);
    std::cout.flush();
    if (!std::cout) throw Error("standard output could not be written; check where it goes");
    return;
  }
  if (std::filesystem::exists(path)) {
    throw Error(fmt::format("{} exists and is never overwritten; name another file with --output", path));
  }
  std::ofstream file(path, std::ios::binary);
  if (!file) throw Error(fmt::format("{} cannot be created; check the folder and its permissions", path));
  try {
    write(file);
    file.close();
    if (!file) throw Error(fmt::format("{} could not be written whole; check the space on its disk", path));
  } catch (...) {
    file.close();
    std::filesystem::remove(path);
    throw;
  }
}

}  // namespace loadline
