#include "app/run_folder.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cctype>
#include <ctime>
#include <filesystem>

#include "core/error.h"

namespace loadline {
namespace {

/// A model's name as a file name: the last part of its path, letters, digits, '.', '-' and '_' only.
std::string as_file_name(const std::string& model) {
  std::string name = model.substr(model.find_last_of('/') + 1).substr(0, 60);
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-' && c != '_') c = '-';
  }
  return name.empty() || name.starts_with('.') ? "model" : name;
}

}  // namespace

void refuse_existing_folder(const std::string& folder) {
  std::error_code error;
  if (std::filesystem::symlink_status(folder, error).type() != std::filesystem::file_type::not_found) {
    throw Error(
        fmt::format("--output-dir: {} exists and nothing is overwritten; give another folder or remove it", folder));
  }
}

std::string choose_run_folder(const std::string& output_dir, const std::string& model) {
  if (!output_dir.empty()) {
    refuse_existing_folder(output_dir);
    return output_dir;
  }
  const std::string stem = fmt::format("runs/{:%Y-%m-%d}-{}", fmt::localtime(std::time(nullptr)), as_file_name(model));
  for (int number = 1;; ++number) {
    const std::string folder = fmt::format("{}-{}", stem, number);
    if (!std::filesystem::exists(folder)) return folder;
  }
}

}  // namespace loadline
