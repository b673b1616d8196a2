#include "app/trace_output.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iostream>

#include "core/error.h"

namespace loadline {

void refuse_output(const std::string& path, std::string_view flag) {
  if (path == "-") throw Error(fmt::format("{}: \"-\" is no file; leave the option out for standard output", flag));
  if (path.empty() || !std::filesystem::exists(path)) return;
  throw Error(fmt::format("{} exists and is never overwritten; name another file with {}", path, flag));
}

void write_output(const std::string& path, std::string_view flag, const std::function<void(std::ostream&)>& write) {
  if (path.empty()) {
    write(std::cout);
    std::cout.flush();
    if (!std::cout) throw Error("standard output could not be written; check where it goes");
    return;
  }
  refuse_output(path, flag);
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
