#include <fmt/format.h>

#include <cstdio>

#include "app/assemble.h"
#include "app/commands.h"
#include "app/describe_run.h"
#include "app/finished_run.h"
#include "app/outputs.h"
#include "app/predict.h"
#include "app/refuse_options.h"
#include "app/run_folder.h"
#include "app/run_setup.h"
#include "app/simulated_driver.h"
#include "app/sweep.h"

namespace loadline {
namespace {

/// Without flags the worked example of docs/method.md, long enough that its table comes out.
void default_to_worked_example(RunSpec& spec) {
  if (!spec.trace.empty() || !spec.concurrency.empty() || !spec.request_rate.empty()) return;
  spec.trace = {"builtin:worked-example"};
  if (spec.slo.empty()) spec.slo = {"p99 ttft<=1000ms"};
  if (spec.search || spec.open || !spec.budget.empty()) return;  // then the levels are the sweep's to choose
  spec.concurrency = "8,32,64,96";
  if (!spec.num_prompts && spec.duration.empty()) spec.num_prompts = 20000;
}

/// Options of targets; of the bound, --hardware alone has a meaning, to a prediction.
void refuse_what_has_no_server(const RunSpec& spec) {
  RunSpec judged = spec;
  if (!spec.calibrate_from.empty()) judged.hardware.clear();
  refuse_options(judged, {"Target", "Timeouts", "Bound"},
                 "simulate measures the engine model, not a server; use `loadline run`");
  if (spec.engine_speed != 1) throw Error("--engine-speed: virtual time has no speed; leave it out");
  if (spec.check) throw Error("--check: there is no server to check in virtual time; use `loadline run --check`");
}

void describe_prediction(const PreparedPrediction& prepared, RunDescription& description) {
  description.prediction = prepared.prediction;
  description.target =
      fmt::format("a prediction: loadline's engine model fitted to {}, in virtual time", prepared.prediction.from);
  for (const Doubt& doubt : prepared.doubts) description.doubts.push_back(doubt);
}

ExitStatus show_unkept(const RunSpec& spec, const RunReport& report) {
  if (spec.json) {
    fmt::print("{}", draw(report, "json"));
  } else if (!spec.quiet) {
    fmt::print("{}", terminal_page(report));
  }
  return report.valid ? ExitStatus::valid : ExitStatus::not_valid;
}

}  // namespace

ExitStatus simulate_command(RunSpec spec, const std::string& command_line) {
  const bool predicts = !spec.calibrate_from.empty();
  refuse_what_has_no_server(spec);
  require_consistent_prediction(spec);
  if (!predicts) default_to_worked_example(spec);
  if (spec.content == "log") throw Error("--content log: the engine model reads no text; use `loadline run`");
  if (spec.cache == "warm") {
    throw Error("--cache warm: in virtual time every level starts with an empty engine; use `loadline run`");
  }
  if (!spec.output_dir.empty()) refuse_existing_folder(spec.output_dir);
  Progress progress(progress_kind(spec.ui, spec.quiet || spec.json));
  std::optional<PreparedPrediction> prepared;
  if (predicts) prepared = prepare_prediction(spec, progress);
  RunSettings settings = settle(spec);
  const EngineParameters parameters = prepared ? prepared->engine : engine_parameters_of(spec.engine_parameter);
  const Input input = prepared ? std::move(prepared->input) : open_input(spec, spec.quiet);
  take_rates_from_log(settings, log_rate_per_s(input));
  const ClassNames names = settle_classes(input, settings);

  RunDescription description = describe_run(spec, input, command_line);
  description.class_names = names;
  description.target = "loadline's engine model in virtual time";
  description.virtual_time = true;
  if (prepared) describe_prediction(*prepared, description);
  describe_embedded_engine(parameters, description);
  std::optional<RunWriter> writer;
  if (!spec.output_dir.empty()) {
    writer.emplace(spec.output_dir);
    put_description(*writer, description);
  }
  SimulatedDriver driver(parameters, progress, writer);
  std::vector<LevelResult> levels = sweep(spec, settings, input, driver, description);
  if (writer) {
    writer->put("state", "complete");
    put_description(*writer, description);
    writer->finish();
    return show_run(spec, spec.output_dir);
  }
  return show_unkept(spec, assemble(description, question_of(settings), std::move(levels)));
}

}  // namespace loadline
