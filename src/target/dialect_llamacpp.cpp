// llama.cpp's server: /props and the meta object of /v1/models. Threads, batch sizes, KV type and GPU layers
// cannot be read. It answers for any model name, so the listed id is the model.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "target/dialect.h"
#include "target/server_facts.h"

namespace loadline {
namespace {

/// Ids at both ends of a vocabulary may be special: the first thousand and the last twentieth are left out.
Vocabulary ordinary_ids(std::int64_t vocabulary) {
  const std::int64_t first = std::min<std::int64_t>(1000, vocabulary / 4);
  const std::int64_t count = vocabulary - first - vocabulary / 20;
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count)};
}

}  // namespace

void read_llamacpp_facts(const Server& server, const ListedModel& model, Target& target) {
  constexpr std::int64_t largest = 0x7fffffff;
  if (model.vocabulary && *model.vocabulary >= 8 && *model.vocabulary <= largest) {
    target.vocabulary = ordinary_ids(*model.vocabulary);
  }
  add_told(target.facts, "model.quantization", model.format);
  if (model.parameters) add_told(target.facts, "flags.n_params", fmt::format("{}", *model.parameters));
  if (model.weight_bytes) add_told(target.facts, "flags.weight_bytes", fmt::format("{}", *model.weight_bytes));
  if (model.context_tokens) add_told(target.facts, "flags.n_ctx", fmt::format("{}", *model.context_tokens));
  const std::optional<nlohmann::json> props = ask_json(server, "/props");
  if (!props) return;
  add_told_rows(target.facts, *props,
                {{"engine.version", "/build_info"},
                 {"model.quantization", "/model_ftype"},
                 {"flags.total_slots", "/total_slots"},
                 {"flags.model_path", "/model_path"}});
  add_told_speculation(target.facts, *props, "/default_generation_settings/params/speculative.types");
}

}  // namespace loadline
