#include "app/calibrate_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/api_answer.h"

namespace loadline {
namespace {

constexpr double first_tokens_wanted = 1000;
constexpr double least_answers = 2, most_answers = 8;  // of a stream, within the duration
constexpr double least_writes = 3;                     // of an answer: two gaps
constexpr double spare_answers = 3;                    // the last ones are cut off

Plan plan_of_streams(const CalibrationLoad& load, Nanos duration, Nanos whole) {
  const double answers = std::clamp(first_tokens_wanted / load.target, least_answers, most_answers);
  const double writes = std::max(least_writes, std::round(load.writes_per_s * seconds(duration) / answers));
  const double answers_in_all = std::ceil(load.writes_per_s * seconds(whole) / writes) + spare_answers;
  Plan plan;
  plan.level = {LevelKind::concurrency, load.target, Arrivals::closed};
  PlannedRequest planned{{}, WhenUserFree{}};
  planned.request.prompt.length = Tokens(1);
  planned.request.completion = Tokens(static_cast<std::int64_t>(writes) * load.tokens_per_write);
  plan.requests.assign(static_cast<std::size_t>(load.target * answers_in_all), planned);
  return plan;
}

Plan plan_of_requests(const CalibrationLoad& load, Nanos whole) {
  Plan plan;
  plan.level = {LevelKind::request_rate, load.target, Arrivals::constant};
  const auto count = static_cast<std::size_t>(std::ceil(load.target * seconds(whole))) + 1;
  for (std::size_t i = 0; i < count; ++i) {
    PlannedRequest planned{{}, AtOffset{nanos(Seconds(static_cast<double>(i) / load.target))}};
    planned.request.prompt.length = Tokens(1);
    planned.request.completion = Tokens(1);
    plan.requests.push_back(planned);
  }
  return plan;
}

}  // namespace

Plan plan_of(const CalibrationLoad& load, Nanos duration, Nanos whole) {
  return load.kind == LevelKind::concurrency ? plan_of_streams(load, duration, whole) : plan_of_requests(load, whole);
}

void write_calibration_body(const Plan& plan, std::uint32_t plan_index, std::string& body) {
  fmt::format_to(
      std::back_inserter(body),
      R"({{"model":"{}","prompt":[{}],"max_tokens":{},"stream":true,"stream_options":{{"include_usage":true}}}})",
      engine_model_name, plan_index, plan.requests[plan_index].request.completion.value());
}

}  // namespace loadline
