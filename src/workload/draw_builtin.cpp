#include <fmt/format.h>

#include "core/error.h"
#include "core/random.h"
#include "workload/builtin.h"
#include "workload/draw.h"
#include "workload/request_key.h"

namespace loadline {

Workload draw_builtin(std::string_view name, const DrawSettings& settings) {
  const Builtin& builtin = find_builtin(name);
  require_countable(settings.count);
  if (settings.sampler && *settings.sampler != builtin.sampler) {
    throw Error(
        fmt::format("builtin:{} is a distribution, not a log: it has no rows to choose or replay; leave --sampler out.",
                    builtin.name));
  }
  Workload workload;
  workload.source = fmt::format("builtin:{}", builtin.name);
  workload.assumption = std::string(builtin.assumption);
  workload.sampler = builtin.sampler;
  workload.requests.reserve(settings.count);

  LengthRule rule(settings.scale_lengths, settings.max_prompt_tokens, settings.max_completion_tokens);
  Random random(lengths_seed(settings));
  for (std::size_t i = 0; i < settings.count; ++i) {
    const DrawnLengths lengths = builtin.draw(random);
    Request request;
    request.prompt.length = rule.prompt(lengths.prompt);
    request.completion = rule.completion(lengths.completion);
    request.prompt.sharing_namespace = mix(settings.ordinal, 0);
    request.prompt.own = own_key(settings.ordinal, i);
    workload.requests.push_back(request);
  }
  note_lengths(workload, rule);
  return workload;
}

}  // namespace loadline
