// Ollama: /api/version, and /api/tags with every model that it has: its digest is the revision. The context is known
// only of a model that is loaded (/api/ps).

#include <nlohmann/json.hpp>

#include "core/token_limits.h"
#include "target/dialect.h"
#include "target/server_facts.h"

namespace loadline {
namespace {

/// The entry of `model` in {"models": [{"name": ...}, ...]}; a name without a tag is the latest. Null where none is.
nlohmann::json entry_of(const std::optional<nlohmann::json>& told, const std::string& model) {
  if (!told || !told->is_object()) return nullptr;
  const auto models = told->find("models");
  if (models == told->end() || !models->is_array()) return nullptr;
  for (const nlohmann::json& entry : *models) {
    const std::string entry_name = told_text(entry, "/name");
    if (entry_name == model || entry_name == model + ":latest") return entry;
  }
  return nullptr;
}

}  // namespace

void read_ollama_facts(const Server& server, const ListedModel& model, Target& target) {
  if (const auto version = ask_json(server, "/api/version")) {
    add_told(target.facts, "engine.version", told_text(*version, "/version"));
  }
  add_told_rows(target.facts, entry_of(ask_json(server, "/api/tags"), model.id),
                {{"model.revision", "/digest"},
                 {"model.quantization", "/details/quantization_level"},
                 {"flags.format", "/details/format"},
                 {"flags.parameter_size", "/details/parameter_size"}});
  const nlohmann::json loaded = entry_of(ask_json(server, "/api/ps"), model.id);
  const std::optional<std::int64_t> context = told_number(loaded, "/context_length");
  if (context && *context > 0 && *context <= most_tokens_told) target.context_limit = Tokens(*context);
}

}  // namespace loadline
