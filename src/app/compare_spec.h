#pragma once
// What `loadline compare` and `loadline gate` can be told.

#include <cstdint>
#include <string>
#include <vector>

#include "app/option_row.h"
#include "app/run_spec.h"

namespace loadline {

struct CompareSpec {
  std::string a, b;  ///< run folders, or targets
  std::string variable, format;
  std::vector<std::string> fact_a, fact_b;
  bool force = false;
  std::uint64_t pairs = 4, bootstrap_seed = 1;
  RunSpec run;  ///< how live targets are measured; of two folders only what asks another question
};

struct GateSpec {
  std::string run, against, variable, slower_than = "3%";
  std::vector<std::string> slo, goodput;
  std::string output_dir;
  bool strict = false, json = false, quiet = false;
};

const std::vector<OptionRow<CompareSpec>>& compare_rows();
/// Those rows of a run that a comparison takes: what live targets are sent, and what is asked of them.
const std::vector<OptionRow<RunSpec>>& compare_run_rows();
const std::vector<OptionRow<GateSpec>>& gate_rows();

/// One side of a comparison, as the user names it.
enum class SideKind : std::uint8_t { folder, url, embedded_engine, engine_model };
struct ComparedSide {
  SideKind kind = SideKind::folder;
  std::string text;                     ///< as it was given
  std::vector<std::string> parameters;  ///< of the embedded engine or the model, "KEY=VALUE"
};
/// "http://..." or "https://..."; "engine" or "engine:KEY=VALUE,..."; "model" or "model:KEY=VALUE,..."; else a folder
/// (`./engine` is one of that name).
ComparedSide parse_side(const std::string& text);

}  // namespace loadline
