// TGI: GET /info, beside the routes that generate. It tells neither data type nor quantization nor shards.

#include <nlohmann/json.hpp>

#include "core/token_limits.h"
#include "target/dialect.h"
#include "target/server_facts.h"

namespace loadline {

void read_tgi_facts(const Server& server, const ListedModel&, Target& target) {
  const std::optional<nlohmann::json> told = ask_json(server, "/info");
  if (!told || !told->is_object()) return;
  add_told_rows(target.facts, *told,
                {{"engine.version", "/version"},
                 {"engine.build", "/sha"},
                 {"model.revision", "/model_sha"},
                 {"flags.model_id", "/model_id"},
                 {"flags.max_concurrent_requests", "/max_concurrent_requests"},
                 {"flags.max_input_tokens", "/max_input_tokens"},
                 {"flags.max_total_tokens", "/max_total_tokens"},
                 {"flags.docker_label", "/docker_label"}});
  const std::optional<std::int64_t> limit = told_number(*told, "/max_total_tokens");
  if (limit && *limit > 0 && *limit <= most_tokens_told) target.context_limit = Tokens(*limit);
}

}  // namespace loadline
