#include <fmt/format.h>
#include <glob.h>
#include <unistd.h>

#include "core/error.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

bool is_pattern(const std::string& path) {
  return path.find_first_of("*?[") != std::string::npos && ::access(path.c_str(), F_OK) != 0;
}

void append_matches(const std::string& pattern, std::vector<std::string>& files) {
  glob_t matches{};
  const int code = ::glob(pattern.c_str(), GLOB_TILDE, nullptr, &matches);
  for (std::size_t i = 0; code == 0 && i < matches.gl_pathc; ++i) files.emplace_back(matches.gl_pathv[i]);
  ::globfree(&matches);
  if (code != 0) throw Error(fmt::format("{}: no file matches this pattern; check the path", pattern));
}

}  // namespace

std::vector<std::string> files_named(const std::vector<std::string>& paths) {
  if (paths.empty()) throw Error("no trace was named; name a file, or \"-\" for standard input");
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (is_pattern(path)) {
      append_matches(path, files);
    } else {
      files.push_back(path);
    }
  }
  return files;
}

}  // namespace loadline
