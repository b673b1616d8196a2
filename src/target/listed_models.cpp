#include "target/listed_models.h"

#include <nlohmann/json.hpp>

#include "core/token_limits.h"
#include "target/server_facts.h"

namespace loadline {

std::optional<std::vector<ListedModel>> read_listed_models(std::string_view json_text) {
  const nlohmann::json answer = nlohmann::json::parse(json_text, nullptr, false);
  if (!answer.is_object()) return std::nullopt;
  const auto data = answer.find("data");
  if (data == answer.end() || !data->is_array()) return std::nullopt;
  std::vector<ListedModel> models;
  for (const nlohmann::json& entry : *data) {
    ListedModel model;
    model.id = told_text(entry, "/id");
    if (model.id.empty()) continue;
    model.owned_by = told_text(entry, "/owned_by");
    model.root = told_text(entry, "/root");
    for (const char* field : {"/max_model_len", "/context_window", "/meta/n_ctx"}) {
      const std::optional<std::int64_t> tokens = told_number(entry, field);
      if (!model.context_tokens && tokens && *tokens > 0 && *tokens <= most_tokens_told) model.context_tokens = tokens;
    }
    model.vocabulary = told_number(entry, "/meta/n_vocab");
    model.parameters = told_number(entry, "/meta/n_params");
    model.weight_bytes = told_number(entry, "/meta/size");
    model.format = told_text(entry, "/meta/ftype");
    models.push_back(std::move(model));
  }
  return models;
}

}  // namespace loadline
