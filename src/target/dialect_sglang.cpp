// SGLang: /server_info holds every resolved argument, flat, and the command line that was given.

#include <nlohmann/json.hpp>

#include "target/dialect.h"
#include "target/server_facts.h"

namespace loadline {

void read_sglang_facts(const Server& server, const ListedModel&, Target& target) {
  const std::optional<nlohmann::json> told = ask_json(server, "/server_info");
  if (!told || !told->is_object()) return;
  add_told_rows(target.facts, *told,
                {{"engine.version", "/version"},
                 {"model.revision", "/revision"},
                 {"model.dtype", "/dtype"},
                 {"model.kv_cache_dtype", "/kv_cache_dtype"},
                 {"hardware.parallelism.tp", "/tp_size"},
                 {"hardware.parallelism.pp", "/pp_size"},
                 {"hardware.parallelism.dp", "/dp_size"},
                 {"hardware.parallelism.ep", "/ep_size"}});
  add_told_or_none(target.facts, "model.quantization", *told, "/quantization");
  add_told_speculation(target.facts, *told, "/speculative_algorithm");
  nlohmann::json flags = *told;
  // State of the moment, not configuration; a command line may hold a key.
  for (const char* passing : {"internal_states", "startup_time", "launch_command"}) flags.erase(passing);
  add_told_flags(target.facts, flags);
}

}  // namespace loadline
