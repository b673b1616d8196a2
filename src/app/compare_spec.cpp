#include "app/compare_spec.h"

#include <algorithm>
#include <array>

namespace loadline {
namespace {

/// The targets are A and B; their levels are listed, and run as often as --pairs says.
constexpr std::array<std::string_view, 12> rows_left_out = {
    "--url,--base-url", "--engine-parameter",   "--balance", "--search",
    "--no-refine",      "--capacity-precision", "--budget",  "--open",
    "--repeats",        "--up-and-down",        "--check",   "--refine"};
constexpr std::array<std::string_view, 8> more_rows_left_out = {"--tokenizer",      "--max-users", "--decision",
                                                                "--price-per-hour", "--hardware",  "--model-config",
                                                                "--weights",        "--kv"};

std::vector<std::string> split_parameters(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

}  // namespace

const std::vector<OptionRow<CompareSpec>>& compare_rows() {
  static const std::vector<OptionRow<CompareSpec>> rows = {
      {"--variable", "KEY",
       "the one fact that may differ, such as engine.version; what changes with it by nature may differ too and is "
       "listed (default: the one that differs is found)",
       &CompareSpec::variable, "Comparison"},
      {"--fact-a", "KEY=VALUE",
       "a fact of A alone that its server does not tell (repeatable); --fact states one of both sides",
       &CompareSpec::fact_a, "Comparison"},
      {"--fact-b", "KEY=VALUE", "the same of B", &CompareSpec::fact_b, "Comparison"},
      {"--force", "", "show the numbers of a refused comparison, under a headline that says what they cannot support",
       &CompareSpec::force, "Comparison"},
      {"--pairs", "N",
       "live targets: how often every load is run on both sides, in the order A B B A (default 4; fewer give wider "
       "intervals)",
       &CompareSpec::pairs, "Comparison"},
      {"--bootstrap-seed", "N", "decides the draws of the intervals that come from fewer than 4 pairs (default 1)",
       &CompareSpec::bootstrap_seed, "Comparison"},
      {"--format", "LIST",
       "html, json, md: print one to standard output, or write several into the output folder (default: all there)",
       &CompareSpec::format, "Comparison"}};
  return rows;
}

const std::vector<OptionRow<RunSpec>>& compare_run_rows() {
  static const std::vector<OptionRow<RunSpec>> rows = [] {
    std::vector<OptionRow<RunSpec>> kept;
    for (OptionRow<RunSpec> row : run_option_rows()) {
      if (row.group == "Prediction") continue;  // it is `loadline simulate` that predicts
      if (std::ranges::find(rows_left_out, row.names) != rows_left_out.end()) continue;
      if (std::ranges::find(more_rows_left_out, row.names) != more_rows_left_out.end()) continue;
      if (row.names == "--output-dir")
        row.help =
            "folder of the comparison; live targets leave their runs in its folders a and b (default: nowhere; "
            "live: runs/<date>-comparison-<n>)";
      if (row.names == "--json") row.help = "print comparison.json to standard output";
      kept.push_back(row);
    }
    return kept;
  }();
  return rows;
}

const std::vector<OptionRow<GateSpec>>& gate_rows() {
  static const std::vector<OptionRow<GateSpec>> rows = {
      {"--against", "BASELINE", "run folder of the baseline", &GateSpec::against},
      {"--slower-than", "SHARE", "fail where the run is proven slower than the baseline by more than this (default 3%)",
       &GateSpec::slower_than},
      {"--strict", "", "fail also where it is undecided whether the run is slower by more than that",
       &GateSpec::strict},
      {"--variable", "KEY", "the one fact that may differ, such as engine.version (see `loadline compare --help`)",
       &GateSpec::variable},
      {"--slo", "OBJECTIVE", "another objective, such as 'p99 ttft<=2000ms' (repeatable)", &GateSpec::slo},
      {"--goodput", "LIMITS", "other limits per request in ms, such as 'ttft:1000 tpot:50'", &GateSpec::goodput},
      {"--output-dir", "FOLDER", "where comparison.html, .json and .md go (default: nowhere)", &GateSpec::output_dir},
      {"--json", "", "print the gate and its comparison as JSON", &GateSpec::json},
      {"--quiet", "", "print nothing but errors", &GateSpec::quiet}};
  return rows;
}

ComparedSide parse_side(const std::string& text) {
  ComparedSide side;
  side.text = text;
  if (text.starts_with("http://") || text.starts_with("https://")) {
    side.kind = SideKind::url;
    return side;
  }
  for (const auto& [word, kind] : {std::pair(std::string("engine"), SideKind::embedded_engine),
                                   std::pair(std::string("model"), SideKind::engine_model)}) {
    if (text == word) {
      side.kind = kind;
    } else if (text.starts_with(word + ":")) {
      side.kind = kind;
      side.parameters = split_parameters(text.substr(word.size() + 1));
    }
  }
  return side;
}

}  // namespace loadline
