#pragma once
// The files and pages of a comparison.

#include <optional>
#include <string>

#include "core/comparison.h"
#include "core/run_report.h"

namespace loadline {

/// How a comparison is to be shown.
struct ComparisonOutput {
  std::string format;      ///< of --format; empty: all files, and the terminal's page
  std::string output_dir;  ///< empty: no files
  bool json = false, quiet = false;
};

/// Error where `output` contradicts itself or a file exists: before anything is measured.
void check_output(const ComparisonOutput& output);
/// Writes the files and prints what was asked for. `gate`: of `loadline gate`.
void show_comparison(const Comparison& comparison, const RunReport& a, const RunReport& b,
                     const std::optional<Gate>& gate, const ComparisonOutput& output);

}  // namespace loadline
