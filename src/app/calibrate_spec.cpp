#include "app/calibrate_spec.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {
namespace {

constexpr std::uint64_t most_client_threads = 256;

struct Usual {
  const char *streams, *rates, *tokens_per_write, *requests, *duration;
};
constexpr Usual usual = {"64,512,2048", "10,50,100", "1,8", "100,1000,5000", "1500ms"};
constexpr Usual usual_quick = {"64,512", "20", "1,8", "100,1000", "600ms"};

std::vector<Phases> parse_phases(const std::string& text) {
  if (text.empty() || text == "spread") return {Phases::spread};
  if (text == "burst") return {Phases::burst};
  if (text == "spread,burst" || text == "burst,spread") return {Phases::spread, Phases::burst};
  throw Error(fmt::format("--phases: '{}' is neither spread nor burst nor both with a comma between", text));
}

std::vector<double> numbers(const std::string& given, const char* otherwise, std::string_view flag, bool whole,
                            double most) {
  std::vector<double> values = parse_levels(given.empty() ? otherwise : given, flag, whole);
  std::ranges::sort(values);
  if (values.back() > most)
    throw Error(fmt::format("{}: {:g} is too much; give at most {:g}", flag, values.back(), most));
  return values;
}

}  // namespace

const std::vector<OptionRow<CalibrateSpec>>& calibrate_rows() {
  static const std::vector<OptionRow<CalibrateSpec>> rows = {
      {"--streams", "LIST", "streams open at once (default 64,512,2048)", &CalibrateSpec::streams},
      {"--rates", "LIST", "writes per second of each stream (default 10,50,100)", &CalibrateSpec::rates},
      {"--tokens-per-write", "LIST", "tokens, each an event, that come in one write (default 1,8)",
       &CalibrateSpec::tokens_per_write},
      {"--phases", "LIST",
       "spread: the streams' writes lie evenly in time (default); burst: they come together, as from a step of a "
       "batching server",
       &CalibrateSpec::phases},
      {"--requests", "LIST", "requests per second of one token each, open loop (default 100,1000,5000)",
       &CalibrateSpec::requests},
      {"--client-threads", "N",
       "I/O threads of the client (default 1: limits are per thread, and the engine has but one)",
       &CalibrateSpec::client_threads},
      {"--duration", "TIME", "how long each load is measured (default 1500ms)", &CalibrateSpec::duration},
      {"--quick", "", "fewer and shorter loads: a look, in some seconds", &CalibrateSpec::quick},
      {"--json", "", "print JSON to standard output", &CalibrateSpec::json},
      {"--output", "FILE",
       "where the limits are kept (default: loadline/calibration.json in $XDG_STATE_HOME or ~/.local/state, where runs "
       "look for them)",
       &CalibrateSpec::output}};
  return rows;
}

CalibrationPlan calibration_plan(const CalibrateSpec& spec) {
  const Usual& otherwise = spec.quick ? usual_quick : usual;
  CalibrationPlan plan;
  plan.duration = parse_duration(spec.duration.empty() ? otherwise.duration : spec.duration, "--duration");
  if (plan.duration < std::chrono::milliseconds(100) || plan.duration > std::chrono::minutes(10))
    throw Error("--duration: give 100ms to 10m for each load");
  if (spec.client_threads == 0 || spec.client_threads > most_client_threads)
    throw Error(fmt::format("--client-threads: must be 1 to {}", most_client_threads));
  plan.threads = static_cast<std::uint32_t>(spec.client_threads);
  const auto streams = numbers(spec.streams, otherwise.streams, "--streams", true, 1e6);
  const auto rates = numbers(spec.rates, otherwise.rates, "--rates", false, 1e5);
  const auto tokens = numbers(spec.tokens_per_write, otherwise.tokens_per_write, "--tokens-per-write", true, 1000);
  for (const Phases phases : parse_phases(spec.phases)) {
    for (const double per_write : tokens) {
      for (const double count : streams) {
        for (const double rate : rates) {
          plan.loads.push_back({LevelKind::concurrency, count, rate, static_cast<std::uint32_t>(per_write), phases});
        }
      }
    }
  }
  for (const double rate : numbers(spec.requests, otherwise.requests, "--requests", false, 1e6))
    plan.loads.push_back({LevelKind::request_rate, rate, 0, 1, Phases::spread});
  return plan;
}

}  // namespace loadline
