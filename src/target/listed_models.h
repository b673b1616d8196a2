#pragma once
// The answer of GET /v1/models, in the few fields that engines put there.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

struct ListedModel {
  std::string id, owned_by;
  std::string root;                            ///< path or name behind the served name
  std::optional<std::int64_t> context_tokens;  ///< max_model_len, context_window or meta.n_ctx
  std::optional<std::int64_t> vocabulary;      ///< meta.n_vocab
  std::optional<std::int64_t> parameters;      ///< meta.n_params
  std::optional<std::int64_t> weight_bytes;    ///< meta.size
  std::string format;                          ///< meta.ftype
};

/// Absent where the text is no list of models. Fields of an unexpected type count as not told.
std::optional<std::vector<ListedModel>> read_listed_models(std::string_view json_text);

}  // namespace loadline
