#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdio>
#include <ctime>

#include "app/calibrate_limits.h"
#include "app/calibrate_load.h"
#include "app/calibrate_text.h"
#include "app/calibration_json.h"
#include "app/calibration_store.h"
#include "app/commands.h"
#include "app/stop_signal.h"
#include "net/socket.h"

namespace loadline {
namespace {

std::string file_of(const CalibrateSpec& spec) {
  const std::string file = spec.output.empty() ? usual_calibration_file() : spec.output;
  if (file.empty()) throw Error("neither XDG_STATE_HOME nor HOME says where the limits are kept; give --output FILE");
  refuse_foreign_calibration(file);
  return file;
}

/// Loads that this process may not open the files for are left out, and said.
bool has_files_for(const CalibrationLoad& load, std::uint64_t allowed) {
  const std::uint64_t needed = files_needed(load);
  if (needed <= allowed) return true;
  fmt::print(stderr, "{:g} {} need {} open files here and this process may open {}: left out (ulimit -n raises it)\n",
             load.target, load.kind == LevelKind::concurrency ? "streams" : "requests/s", needed, allowed);
  return false;
}

std::vector<CalibrationRow> try_all(const CalibrationPlan& plan, bool quiet, const StopSignal& stop) {
  const std::uint64_t files = raise_open_file_limit();
  std::vector<CalibrationRow> rows;
  std::optional<LevelKind> table;
  for (const CalibrationLoad& load : plan.loads) {
    if (stop.asked()) break;
    if (load.kind == LevelKind::concurrency && !has_files_for(load, files)) continue;
    rows.push_back(try_load(load, plan.duration, plan.threads, stop.asked()));
    if (quiet) continue;
    if (table != load.kind) fmt::print("{}", table_head(load.kind));
    table = load.kind;
    fmt::print("{}", table_row(rows.back()));
    std::fflush(stdout);
  }
  return rows;
}

std::string json_text(const ClientMachine& machine, const ClientCalibration& limits,
                      const std::vector<CalibrationRow>& rows, const std::string& file) {
  auto table = nlohmann::ordered_json::array();
  for (const CalibrationRow& row : rows) table.push_back(json_of(row));
  const CalibrationBounds& bounds = calibration_bounds;
  const nlohmann::ordered_json json = {{"cpu", machine.cpu},
                                       {"cores", machine.cores},
                                       {"kernel", machine.kernel},
                                       {"loadline_version", machine.loadline_version},
                                       {"bounds",
                                        {{"ttft_error_p99_ms", bounds.ttft_error_p99_ms},
                                         {"read_lateness_p99_ms", bounds.read_lateness_p99_ms},
                                         {"send_lateness_p99_ms", bounds.send_lateness_p99_ms},
                                         {"cpu_share", bounds.cpu_share},
                                         {"delivered_share", bounds.delivered_share},
                                         {"engine_lateness_p99_ms", bounds.engine_lateness_p99_ms},
                                         {"waited_share", bounds.waited_share}}},
                                       {"limits", json_of(limits)},
                                       {"file", file},
                                       {"table", table}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

ExitStatus calibrate_command(const CalibrateSpec& spec) {
  const CalibrationPlan plan = calibration_plan(spec);
  const std::string file = file_of(spec);
  const ClientMachine machine = this_machine();
  if (!spec.json) fmt::print("{}, {} cores, kernel {}\n\n", machine.cpu, machine.cores, machine.kernel);
  const StopSignal stop;
  const std::vector<CalibrationRow> rows = try_all(plan, spec.json, stop);
  if (stop.asked()) return ExitStatus::interrupted;

  const std::string now = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  const ClientCalibration limits = limits_of(rows, now);
  store_calibration(file, machine, limits, rows);
  if (spec.json) {
    fmt::print("{}\n", json_text(machine, limits, rows, file));
  } else {
    fmt::print("{}Kept in {}{}.\n", limits_text(limits, rows), file,
               file == usual_calibration_file() ? "; later runs on this machine are held against it" : "");
  }
  return ExitStatus::valid;
}

}  // namespace loadline
