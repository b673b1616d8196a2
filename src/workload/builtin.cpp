#include "workload/builtin.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "core/error.h"
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

/// Levenshtein's distance.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

[[noreturn]] void refuse_name(std::string_view name) {
  const auto nearest =
      std::min_element(all_builtins.begin(), all_builtins.end(), [&](const auto& a, const auto& b) {
        return edits_between(name, a.name) < edits_between(name, b.name);
      });
  std::string list;
  for (const Builtin& builtin : all_builtins)
    list += fmt::format("{}{}", list.empty() ? "" : ", ", builtin.name);
  throw Error(fmt::format("There is no built-in workload \"{}\": did you mean builtin:{}? Built in are {}.",
                          name, nearest->name, list));
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
