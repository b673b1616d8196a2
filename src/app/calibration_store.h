#pragma once
// The file in which the limits of clients are kept: what `calibrate` writes and every later run looks into. One entry
// per processor model, number of cores and version of loadline, since a home may be shared by machines.

#include <optional>
#include <string>
#include <vector>

#include "app/calibrate_row.h"
#include "core/calibration.h"

namespace loadline {

/// What an entry holds for.
struct ClientMachine {
  std::string cpu;
  std::uint32_t cores = 0;  ///< that this process may use
  std::string loadline_version;
  std::string kernel;  ///< told, not compared
};
ClientMachine this_machine();

/// ${XDG_STATE_HOME:-~/.local/state}/loadline/calibration.json; empty where neither is known.
std::string usual_calibration_file();

/// What a run knows of its client.
struct KnownCalibration {
  std::optional<ClientCalibration> calibration;
  std::string remark;  ///< why there is none, and what to do; empty where there is one
};
/// The entry of `machine`. A file that cannot be read is as good as none, and said.
KnownCalibration load_calibration(const std::string& file, const ClientMachine& machine);

/// Throws Error where `file` exists and is not such a file: nothing of others is overwritten.
void refuse_foreign_calibration(const std::string& file);
/// Puts the entry of `machine` in place of the one before; entries of other machines stay. Folders are made, the file
/// is replaced in one step. Throws Error where it cannot be written.
void store_calibration(const std::string& file, const ClientMachine& machine, const ClientCalibration& calibration,
                       const std::vector<CalibrationRow>& rows);

}  // namespace loadline
