// loadline's own engine: GET /server_info tells all its parameters. Its time is a model's, and so is its
// hardware. Any token id is a word to it.

#include <nlohmann/json.hpp>

#include "target/dialect.h"
#include "target/server_facts.h"

namespace loadline {

void read_loadline_facts(const Server& server, const ListedModel&, Target& target) {
  target.simulated = true;
  add_told(target.facts, "hardware.name", "simulated");
  const std::optional<nlohmann::json> told = ask_json(server, "/server_info");
  if (!told || !told->is_object()) {
    target.remarks.emplace_back("The engine says that it is loadline's own, but does not tell its parameters.");
    return;
  }
  add_told(target.facts, "engine.version", told_text(*told, "/version"));
  add_told(target.facts, "flags.engine_speed", told_text(*told, "/speed"));
  if (const auto parameters = told->find("parameters"); parameters != told->end()) {
    add_told_flags(target.facts, *parameters);
  }
}

}  // namespace loadline
