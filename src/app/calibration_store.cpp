#include "app/calibration_store.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/calibration_json.h"
#include "app/cpu_name.h"
#include "core/error.h"

namespace loadline {
namespace {

constexpr int calibration_schema = 1;
constexpr const char* never_calibrated = "this client was never calibrated on this machine: run loadline calibrate";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_entry_of(const nlohmann::json& entry, const ClientMachine& machine) {
  return entry.at("cpu") == machine.cpu && entry.at("cores") == machine.cores &&
         entry.at("loadline_version") == machine.loadline_version;
}

/// The file's entries. Throws any exception for a file that is none of ours.
nlohmann::ordered_json entries_of(const std::string& file) {
  std::ifstream stream(file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.good() && !stream.eof()) throw Error("it cannot be read");
  const auto json = nlohmann::ordered_json::parse(text);
  if (json.at("schema") != calibration_schema) throw Error("it is of another version");
  nlohmann::ordered_json entries = json.at("entries");
  if (!entries.is_array()) throw Error("it holds no list of entries");
  for (const auto& entry : entries) {
    is_entry_of(entry, {});
    calibration_from(entry.at("limits"));
  }
  return entries;
}

void replace_file(const std::string& file, const std::string& text) {
  const std::filesystem::path path(file);
  std::error_code failure;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), failure);
  const std::string next = fmt::format("{}.{}", file, ::getpid());
  std::ofstream stream(next);
  stream << text;
  stream.close();
  if (stream) std::filesystem::rename(next, path, failure);
  if (stream && !failure) return;
  std::remove(next.c_str());
  throw Error(fmt::format("the calibration cannot be written to {}; give another place with --output FILE", file));
}

}  // namespace

ClientMachine this_machine() {
  ClientMachine machine;
  machine.cpu = cpu_name();
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  machine.cores = ::sched_getaffinity(0, sizeof allowed, &allowed) == 0
                      ? static_cast<std::uint32_t>(CPU_COUNT(&allowed))
                      : static_cast<std::uint32_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
  machine.loadline_version = LOADLINE_VERSION;
  utsname names{};
  if (::uname(&names) == 0) machine.kernel = names.release;
  return machine;
}

std::string usual_calibration_file() {
  std::string folder = environment("XDG_STATE_HOME");
  // A relative path there is to be ignored, says the XDG Base Directory Specification.
  if (folder.empty() || folder.front() != '/') {
    const std::string home = environment("HOME");
    if (home.empty()) return {};
    folder = home + "/.local/state";
  }
  return folder + "/loadline/calibration.json";
}

KnownCalibration load_calibration(const std::string& file, const ClientMachine& machine) {
  if (file.empty() || !std::filesystem::exists(file)) return {std::nullopt, never_calibrated};
  try {
    for (const nlohmann::json entry : entries_of(file)) {
      if (is_entry_of(entry, machine)) return {calibration_from(entry.at("limits")), {}};
    }
  } catch (const std::exception&) {  // of parsing, of a missing key, of a wrong type or number
    return {std::nullopt, fmt::format("{} is no calibration that can be read, and was ignored: move it away and run "
                                      "loadline calibrate",
                                      file)};
  }
  return {std::nullopt, never_calibrated};
}

void refuse_foreign_calibration(const std::string& file) {
  if (!std::filesystem::exists(file)) return;
  try {
    entries_of(file);
  } catch (const std::exception& error) {
    throw Error(
        fmt::format("{} exists and is no calibration that loadline can read; move it away or give another place "
                    "with --output FILE",
                    file));
  }
}

void store_calibration(const std::string& file, const ClientMachine& machine, const ClientCalibration& calibration,
                       const std::vector<CalibrationRow>& rows) {
  refuse_foreign_calibration(file);
  auto entries = nlohmann::ordered_json::array();
  if (std::filesystem::exists(file)) {
    for (const auto& entry : entries_of(file)) {
      if (!is_entry_of(entry, machine)) entries.push_back(entry);
    }
  }
  auto table = nlohmann::ordered_json::array();
  for (const CalibrationRow& row : rows) table.push_back(json_of(row));
  entries.push_back({{"cpu", machine.cpu},
                     {"cores", machine.cores},
                     {"loadline_version", machine.loadline_version},
                     {"kernel", machine.kernel},
                     {"limits", json_of(calibration)},
                     {"table", table}});
  const nlohmann::ordered_json whole = {{"schema", calibration_schema}, {"entries", entries}};
  replace_file(file, whole.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace loadline
