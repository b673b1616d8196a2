#include "app/predict.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/plan_file.h"
#include "app/predict_hardware.h"
#include "app/settings.h"
#include "core/error.h"
#include "fit/engine_fit.h"
#include "report/run_reader.h"

namespace loadline {
namespace {

/// What the fit and the input take of a run, read level by level.
struct MeasuredRun {
  std::vector<ReplayedLevel> levels;
  std::vector<TraceRow> rows;      ///< of all answered requests
  double cached = 0, prompts = 0;  ///< tokens, of those that told their hits
  std::size_t complete_levels = 0;
};

void take_requests(const LevelRecords& records, MeasuredRun& run) {
  for (const RequestRecord& record : records.requests) {
    if (!succeeded(record.outcome)) continue;
    TraceRow row;
    row.prompt = record.prompt_tokens.value_or(record.planned_prompt);
    row.completion = record.completion_tokens.value_or(record.planned_completion);
    if (row.prompt.value() <= 0 || row.completion.value() <= 0) continue;
    run.rows.push_back(row);
    if (!record.cached_tokens) continue;
    run.cached += static_cast<double>(record.cached_tokens->value());
    run.prompts += static_cast<double>(row.prompt.value());
  }
}

MeasuredRun read_measured(const RunReader& reader) {
  MeasuredRun run;
  for (const std::uint32_t ordinal : reader.ordinals()) {
    LevelRecords records = reader.level(ordinal);
    if (records.state != "complete") continue;
    ++run.complete_levels;
    take_requests(records, run);
    if (std::optional<ReplayedLevel> level = replayed_level(std::move(records), most_requests_to_fit)) {
      run.levels.push_back(std::move(*level));
    }
  }
  return run;
}

/// Loads that differ: repeated ones and visits beside one another tell little more.
std::size_t different_loads(const std::vector<ReplayedLevel>& levels) {
  std::vector<std::pair<LevelKind, double>> loads;
  for (const ReplayedLevel& level : levels) loads.emplace_back(level.plan.level.kind, level.plan.level.target);
  std::ranges::sort(loads);
  return static_cast<std::size_t>(std::ranges::distance(loads.begin(), std::ranges::unique(loads).begin()));
}

void require_enough(const MeasuredRun& run, const std::string& folder) {
  if (run.complete_levels < least_levels_to_fit) {
    throw Error(
        fmt::format("--calibrate-from: {} has {} complete level{}, and a fit needs {} or more at different loads; "
                    "measure more levels",
                    folder, run.complete_levels, run.complete_levels == 1 ? "" : "s", least_levels_to_fit));
  }
  if (different_loads(run.levels) < least_levels_to_fit) {
    throw Error(fmt::format(
        "--calibrate-from: {} has {} different loads with 30 measured answers or more that tell TTFT, TPOT and "
        "their lengths, and a fit needs {}; embeddings and answers in one piece tell none",
        folder, different_loads(run.levels), least_levels_to_fit));
  }
}

Prediction prediction_of(const EngineFit& fit, const std::vector<Fact>& facts, const std::string& folder) {
  Prediction prediction;
  prediction.from = folder;
  prediction.engine = known_value(facts, "engine.name") +
                      (known_value(facts, "engine.version").empty() ? "" : " " + known_value(facts, "engine.version"));
  prediction.model = known_value(facts, "model.id");
  const std::string count = known_value(facts, "hardware.count");
  prediction.hardware = known_value(facts, "hardware.name");
  if (!prediction.hardware.empty() && !count.empty()) prediction.hardware = count + " x " + prediction.hardware;
  for (const ParameterEstimate& one : fit.estimates)
    prediction.parameters.push_back({one.key, one.value, one.low, one.high, one.is_told});
  for (const LevelAgreement& level : fit.levels) {
    FittedLevel fitted{level.level.kind, level.level.target, level.requests, {}};
    for (const ShapeFigure& figure : shape_figures)
      fitted.figures.push_back({figure.name, level.simulated.*figure.member / level.measured.*figure.member});
    prediction.levels.push_back(std::move(fitted));
  }
  prediction.fit_error = fit.error;
  return prediction;
}

/// The run's own objectives and cache rate where nothing else is asked; says what is asked instead.
void complete_by_run(const std::map<std::string, std::string>& values, const MeasuredRun& run, RunSpec& spec,
                     std::vector<std::string>& changed) {
  RunSpec of_run;
  if (const auto plan = values.find("plan"); plan != values.end())
    read_plan_text(plan->second, "run.sqlite, key plan", of_run);
  if (spec.slo.empty()) {
    spec.slo = of_run.slo;
  } else if (spec.slo != of_run.slo) {
    changed.push_back(fmt::format("objectives {} in place of {}", fmt::join(spec.slo, ", "),
                                  of_run.slo.empty() ? "none" : fmt::format("{}", fmt::join(of_run.slo, ", "))));
  }
  if (spec.goodput.empty()) spec.goodput = of_run.goodput;
  const double measured_rate = run.prompts > 0 ? run.cached / run.prompts : 0;
  if (spec.cache_rate) {
    changed.push_back(fmt::format(
        "{:.1f}% of each prompt found in the cache in place of {}", 100 * *spec.cache_rate,
        run.prompts > 0 ? fmt::format("{:.1f}% measured", 100 * measured_rate) : std::string("an unknown share")));
  } else if (measured_rate > 0) {
    spec.cache_rate = measured_rate;
  }
}

std::vector<Doubt> doubts_of(const Prediction& prediction, bool moved) {
  std::vector<Doubt> doubts;
  std::vector<std::string> untold;
  double highest = 0;
  for (const FittedParameter& one : prediction.parameters)
    if (!one.is_told) untold.push_back(one.key);
  for (const FittedLevel& level : prediction.levels) highest = std::max(highest, level.target);
  std::string text = fmt::format(
      "Nothing here was measured: an engine model fitted to {} was simulated. Loads above {:g}, the highest it was fitted to, "
      "are beyond what the run tells.",
      prediction.from, highest);
  if (!untold.empty()) text += fmt::format(" The run does not tell {} by themselves.", fmt::join(untold, ", "));
  const bool scales_untold = moved && std::ranges::any_of(untold, [](const std::string& key) {
                               return key == "weight_read_s" || key == "kv_read_s" || key == "token_compute_s";
                             });
  if (scales_untold)
    text += " Other hardware scales some of these: that part of the prediction rests on the model alone.";
  doubts.push_back(make_doubt("predicted", std::nullopt, text));
  if (prediction.fit_error > poor_fit_error) {
    doubts.push_back(make_doubt(
        "poor_fit", std::nullopt,
        fmt::format("The fitted engine differs from the measured levels by {:.0f}% (root mean square; over {:.0f}% is "
                    "poor): the measured engine is not of the model's kind, or changed between levels.",
                    100 * prediction.fit_error, 100 * poor_fit_error)));
  }
  return doubts;
}

}  // namespace

void require_consistent_prediction(const RunSpec& spec) {
  if (spec.calibrate_from.empty()) {
    if (spec.cache_rate) throw Error("--cache-rate is told to a prediction; add --calibrate-from RUN, or leave it out");
    return;
  }
  if (spec.cache_rate && !(*spec.cache_rate >= 0 && *spec.cache_rate <= 1)) {
    throw Error(fmt::format("--cache-rate: {:g} is no share; give 0 to 1, such as 0.4", *spec.cache_rate));
  }
  if (!spec.engine_parameter.empty()) {
    throw Error(
        "--engine-parameter: with --calibrate-from the parameters are fitted to the run; leave one of them out");
  }
}

PreparedPrediction prepare_prediction(RunSpec& spec, Progress& progress) {
  const RunReader reader(spec.calibrate_from);
  const std::map<std::string, std::string> values = reader.values();
  if (values.contains("prediction")) {
    throw Error(
        fmt::format("--calibrate-from: {} is a prediction itself; name a run that was measured", spec.calibrate_from));
  }
  const std::vector<Fact> facts = reader.facts();
  EngineParameters unmoved;
  if (!spec.hardware.empty()) move_to_hardware(spec.hardware, facts, unmoved);  // refused before the fit, not after it
  MeasuredRun run = read_measured(reader);
  require_enough(run, spec.calibrate_from);
  std::vector<std::string> changed;
  complete_by_run(values, run, spec, changed);
  (void)settle(spec);
  const EngineFit fit =
      fit_engine(std::move(run.levels), {}, [&](const std::string& words) { progress.remark(words); });

  PreparedPrediction prepared;
  prepared.engine = fit.parameters;
  prepared.prediction = prediction_of(fit, facts, spec.calibrate_from);
  if (!spec.hardware.empty()) {
    for (std::string& words : move_to_hardware(spec.hardware, facts, prepared.engine))
      changed.push_back(std::move(words));
  }
  if (spec.trace.empty()) {
    prepared.input = input_of_requests(std::move(run.rows), "the requests of " + spec.calibrate_from, spec);
  } else {
    prepared.input = open_input(spec, spec.quiet);
    changed.push_back(fmt::format("requests of {} in place of the run's own", prepared.input.source));
  }
  if (changed.empty())
    changed.emplace_back("nothing: the run's own objectives, hardware and cache rate, at loads of the sweep's choice");
  prepared.prediction.changed = std::move(changed);
  prepared.doubts = doubts_of(prepared.prediction, !spec.hardware.empty());
  return prepared;
}

}  // namespace loadline
