#include "app/describe_run.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <random>

#include "app/bound_basis.h"
#include "app/cpu_name.h"
#include "app/plan_file.h"
#include "bound/hardware.h"
#include "core/error.h"

namespace loadline {
namespace {

/// Length -> rows.
std::map<std::int64_t, std::uint64_t> counts_of(const Trace& trace, Tokens TraceRow::* length) {
  std::map<std::int64_t, std::uint64_t> counts;
  for (const TraceRow& row : trace.rows) {
    if ((row.*length).value() > 0) ++counts[(row.*length).value()];  // 0: nobody counted it
  }
  return counts;
}

/// --hardware says name and count; --fact, which stands before, may say otherwise.
void add_hardware_facts(const std::string& text, std::vector<Fact>& facts) {
  if (text.empty()) return;
  const Hardware hardware = parse_hardware(text);
  facts.push_back({"hardware.name", hardware.name, FactSource::user});
  facts.push_back({"hardware.count", std::to_string(hardware.count), FactSource::user});
}

std::pair<std::string, std::string> split_assignment(const std::string& text, std::string_view flag) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error(fmt::format("{}: '{}' is not KEY=VALUE", flag, text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

std::string fresh_salt() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}", device(), device());
}

RunDescription describe_run(const RunSpec& spec, const Input& input, const std::string& command_line) {
  RunDescription d;
  d.version = LOADLINE_VERSION;
  d.command = command_line;
  d.plan_yaml = effective_plan(spec);
  d.started_utc = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  d.host_cpu = cpu_name();
  d.seed = spec.seed;
  d.salt = spec.salt.empty() ? fresh_salt() : spec.salt;
  d.engine_speed = spec.engine_speed;
  d.cache_state = spec.cache;
  d.input_source = input.source;
  d.assumption = input.assumption;
  d.log = input.log;
  if (input.trace) {
    d.log_prompt_counts = counts_of(*input.trace, &TraceRow::prompt);
    d.log_completion_counts = counts_of(*input.trace, &TraceRow::completion);
  }
  d.scale_lengths = spec.scale_lengths;
  d.content = spec.content;
  d.workload = spec.workload_mean ? "mean" : spec.workload_repeat ? "repeated" : "drawn";
  d.mean_completion = input.mean_completion;
  d.price_per_hour = spec.price_per_hour;
  d.bound = bound_basis_of(spec);
  d.facts = user_facts(spec.fact);
  add_hardware_facts(spec.hardware, d.facts);
  return d;
}

EngineParameters engine_parameters_of(const std::vector<std::string>& assignments) {
  EngineParameters parameters;
  for (const std::string& text : assignments) {
    const auto [key, value] = split_assignment(text, "--engine-parameter");
    set_engine_parameter(parameters, key, value);
  }
  validate(parameters);
  return parameters;
}

void describe_embedded_engine(const EngineParameters& parameters, RunDescription& d) {
  d.simulated = true;
  d.bound.kind = "simulated";
  d.bound.weights_read_s = parameters.weight_read.count();
  d.bound.kv_read_s_per_token = parameters.kv_read.count();
  d.bound.compute_s_per_token = parameters.token_compute.count();
  d.bound.kv_tokens = static_cast<double>(parameters.kv_tokens);
  const auto add = [&](const std::string& key, const std::string& value) {
    if (std::ranges::find(d.facts, key, &Fact::key) == d.facts.end())
      d.facts.push_back({key, value, FactSource::server});
  };
  add("engine.name", "loadline simulated engine");
  add("engine.version", LOADLINE_VERSION);
  add("engine.build", parameters_hash(parameters));
  add("model.id", "loadline-simulated");
  for (const char* key :
       {"model.revision", "model.weight_hash", "model.quantization", "model.kv_cache_dtype", "model.dtype"}) {
    add(key, "none (simulated)");
  }
  add("hardware.name", "simulated");
  add("hardware.count", "1");
  for (const char* degree : {"tp", "pp", "dp", "ep"}) add(fmt::format("hardware.parallelism.{}", degree), "1");
  for (const auto& [key, value] : engine_flags(parameters)) add("flags." + key, value);
}

std::vector<Fact> user_facts(const std::vector<std::string>& assignments) {
  std::vector<Fact> facts;
  for (const std::string& text : assignments) {
    const auto [key, value] = split_assignment(text, "--fact");
    if (value.empty()) throw Error(fmt::format("--fact: '{}' has no value", text));
    facts.push_back({key, value, FactSource::user});
  }
  return facts;
}

}  // namespace loadline
