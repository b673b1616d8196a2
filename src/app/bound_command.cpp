#include <fmt/format.h>

#include <cstdio>

#include "app/commands.h"
#include "app/values.h"
#include "bound/bound_table.h"
#include "report/bound_json.h"
#include "report/bound_text.h"

namespace loadline {

ExitStatus bound_command(const BoundSpec& spec) {
  if (spec.model.empty())
    throw Error("bound: --model is missing; give the model's config.json or the folder that holds it");
  if (spec.hardware.empty()) throw Error("bound: --hardware is missing; give it like 8xH100-SXM");
  const ModelFacts model = read_model_facts(spec.model, {spec.weights, spec.kv});
  const Hardware hardware = parse_hardware(spec.hardware);
  BoundQuestion question;
  question.concurrency = parse_levels(spec.concurrency, "--concurrency", false);
  if (spec.context) question.context = *spec.context;
  question.request.fresh = static_cast<double>(spec.new_tokens.value_or(1024));
  question.request.cached = static_cast<double>(spec.cached_tokens);
  question.request.out = static_cast<double>(spec.out_tokens.value_or(256));
  const BoundTable table = bound_table(model, hardware, question);
  fmt::print("{}", spec.json ? bound_json(table) : bound_text(table));
  return ExitStatus::valid;
}

}  // namespace loadline
