#include "workload/builtin.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/nearest_name.h"
#include "workload/lognormal.h"
#include "workload/quantile_tables.h"

namespace loadline {
namespace {

DrawnLengths draw_azure_chat(Random& random) { return draw_jointly(azure_chat_2023(), random); }
DrawnLengths draw_azure_code(Random& random) { return draw_jointly(azure_code_2023(), random); }
DrawnLengths draw_mooncake(Random& random) { return draw_jointly(mooncake_conversation_2025(), random); }
DrawnLengths draw_weka(Random& random) { return draw_jointly(weka_agentic_coding_2026(), random); }
DrawnLengths draw_servegen(Random& random) { return draw_jointly(servegen_reason_r1_2025(), random); }

constexpr std::array<Builtin, 6> all_builtins = {{
    {"chat-azure-2023",
     "Assumption: lengths from Azure's public LLM inference trace of 2023, conversation (19,366 requests), "
     "by its "
     "joint quantiles; its prefix sharing is unknown, so every prompt is unique and the cache stays cold.",
     Sampler::quantiles, draw_azure_chat},
    {"code-azure-2023",
     "Assumption: lengths from Azure's public LLM inference trace of 2023, code completion (8,819 requests), "
     "by its "
     "joint quantiles; its prefix sharing is unknown, so every prompt is unique and the cache stays cold.",
     Sampler::quantiles, draw_azure_code},
    {"longchat-mooncake",
     "Assumption: lengths from Mooncake's public conversation trace of 2025 (12,031 requests), by its joint "
     "quantiles; its prefix sharing is not reproduced here, every prompt is unique: give the trace itself "
     "for it.",
     Sampler::quantiles, draw_mooncake},
    {"agent-weka",
     "Assumption: lengths from 55 sessions of the public kv-cache-tester agentic coding traces, as of 2026 "
     "(2,282 "
     "requests), by their joint quantiles; their prefix sharing is not reproduced here, every prompt is "
     "unique: "
     "give the traces themselves for it.",
     Sampler::quantiles, draw_weka},
    {"reason-servegen-r1",
     "Assumption: lengths from ServeGen's public tables of 2025 for DeepSeek-R1 (73 clients); prompt and "
     "completion "
     "are published apart, so they are drawn independently, though in truth they may not be; prefix sharing "
     "is "
     "unknown, so every prompt is unique and the cache stays cold.",
     Sampler::quantiles, draw_servegen},
    {"worked-example",
     "Assumption: the lognormal lengths of the worked example (prompt mean 763.5, completion mean 733.7 "
     "tokens), "
     "invented to show the method, no traffic of anybody; every prompt is unique and the cache stays cold.",
     Sampler::lognormal, draw_worked_example},
}};

[[noreturn]] void refuse_name(std::string_view name) {
  std::vector<std::string> names;
  for (const Builtin& builtin : all_builtins) names.emplace_back(builtin.name);
  const std::string nearest = nearest_name(name, names);
  const std::string hint = nearest.empty() ? "" : fmt::format(": did you mean builtin:{}?", nearest);
  throw Error(fmt::format("There is no built-in workload \"{}\"{} Built in are {}.", name, nearest.empty() ? "." : hint,
                          fmt::join(names, ", ")));
}

}  // namespace

std::span<const Builtin> builtins() { return all_builtins; }

const Builtin& find_builtin(std::string_view name) {
  constexpr std::string_view prefix = "builtin:";
  if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  for (const Builtin& builtin : all_builtins) {
    if (builtin.name == name) return builtin;
  }
  refuse_name(name);
}

}  // namespace loadline
