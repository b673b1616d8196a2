#pragma once
// One function per command: the steps of that command, in order. Each returns the exit status.

#include <optional>
#include <string>
#include <vector>

#include "app/calibrate_spec.h"
#include "app/compare_spec.h"
#include "app/run_spec.h"
#include "app/trace_spec.h"
#include "core/error.h"

namespace loadline {

struct ReportSpec {
  std::string run;
  std::vector<std::string> slo, goodput;
  std::string window, format, output_dir;
  bool quiet = false;
};
struct PlanCommandSpec {
  RunSpec run;
  std::uint64_t requests = 10;
};
struct BoundSpec {
  std::string model, hardware, weights, kv, concurrency = "1";
  std::optional<double> context;
  std::optional<std::uint64_t> new_tokens, out_tokens;
  std::uint64_t cached_tokens = 0;
  bool json = false;
};
struct EngineSpec {
  std::uint64_t port = 8000;
  std::string host = "127.0.0.1";
  double speed = 1;
  std::vector<std::string> engine_parameter;
};

/// `command_line`: what the user typed, without secrets; it stands in the report.
ExitStatus run_command(const RunSpec& spec, const std::string& command_line);
ExitStatus simulate_command(RunSpec spec, const std::string& command_line);
ExitStatus report_command(const ReportSpec& spec);
ExitStatus trace_stats_command(const TraceSpec& spec);
ExitStatus trace_convert_command(const TraceSpec& spec);
ExitStatus trace_sample_command(const TraceSpec& spec);
ExitStatus trace_anonymize_command(const TraceSpec& spec);
ExitStatus trace_check_command(const TraceSpec& spec);
ExitStatus trace_merge_command(const TraceSpec& spec);
/// `files` are canonical traces.
ExitStatus trace_merge_canonical(const TraceSpec& spec, const std::vector<std::string>& files);
ExitStatus plan_command(const PlanCommandSpec& spec);
ExitStatus bound_command(const BoundSpec& spec);
ExitStatus engine_command(const EngineSpec& spec);
ExitStatus calibrate_command(const CalibrateSpec& spec);
ExitStatus compare_command(const CompareSpec& spec, const std::string& command_line);
ExitStatus gate_command(const GateSpec& spec, const std::string& command_line);

}  // namespace loadline
