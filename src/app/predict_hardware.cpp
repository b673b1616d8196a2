#include "app/predict_hardware.h"

#include <fmt/format.h>

#include <algorithm>

#include "bound/hardware.h"
#include "core/error.h"

namespace loadline {
namespace {

Hardware hardware_of_run(const std::vector<Fact>& facts) {
  const std::string name = known_value(facts, "hardware.name"), count = known_value(facts, "hardware.count");
  if (!name.empty()) {
    try {
      return parse_hardware((count.empty() ? "1" : count) + "x" + name);
    } catch (const Error&) {  // a name that the table does not know, such as a simulated engine's
    }
  }
  throw Error(
      fmt::format("--hardware: the run's own hardware is {}, so there is nothing to compare with; give it to the run "
                  "with --fact hardware.name=NAME (names: `loadline bound --help`), or leave --hardware out",
                  name.empty() ? "unknown" : fmt::format("'{}', which is not in the hardware table", name)));
}

double compute_of(const Hardware& hardware, ComputeType type) {
  const std::optional<double> peak = peak_flops(hardware, type);
  if (peak) return *peak * hardware.count;
  throw Error(
      fmt::format("--hardware: the peak compute rate of {} is not known, so compute cannot be scaled; leave it out",
                  hardware.name));
}

}  // namespace

std::vector<std::string> move_to_hardware(const std::string& to, const std::vector<Fact>& facts_of_run,
                                          EngineParameters& engine) {
  const Hardware from = hardware_of_run(facts_of_run), target = parse_hardware(to);
  const std::string quantization = known_value(facts_of_run, "model.quantization");
  const ComputeType type = is_weight_format(quantization)
                               ? weight_format_named(quantization, "model.quantization").compute
                               : ComputeType::bf16;
  const double bandwidth = target.bandwidth_bytes_per_s * target.count / (from.bandwidth_bytes_per_s * from.count);
  const double compute = compute_of(target, type) / compute_of(from, type);
  engine.weight_read /= bandwidth;
  engine.kv_read /= bandwidth;
  engine.token_compute /= compute;
  return {fmt::format(
      "hardware {} x {} in place of {} x {}: memory bandwidth times {:.3g}, {} compute times {:.3g}; gaps of a "
      "step, token budget, sequences and KV memory as they were, parallelism without cost",
      target.count, target.name, from.count, from.name, bandwidth, name(type), compute)};
}

}  // namespace loadline
