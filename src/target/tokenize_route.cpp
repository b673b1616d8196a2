#include "target/tokenize_route.h"

#include <nlohmann/json.hpp>

#include "core/token_limits.h"

namespace loadline {
namespace {

using nlohmann::json;

/// {"count": n, ...}, or else the length of {"tokens": [...]} or of a bare array of tokens.
std::int64_t count_in(const json& answer) {
  if (answer.is_array()) return static_cast<std::int64_t>(answer.size());
  if (!answer.is_object()) return 0;
  if (const auto count = answer.find("count"); count != answer.end() && count->is_number_integer()) {
    return count->get<std::int64_t>();
  }
  const auto tokens = answer.find("tokens");
  return tokens != answer.end() && tokens->is_array() ? static_cast<std::int64_t>(tokens->size()) : 0;
}

}  // namespace

std::optional<std::int64_t> told_by_tokenize(const Target& target, const Dialect& dialect, const std::string& text,
                                             Nanos timeout) {
  if (dialect.tokenize_member.empty()) return std::nullopt;
  const Server& server = target.servers.front();
  const json body = {{"model", target.model}, {std::string(dialect.tokenize_member), text}};
  const HttpAnswer answer = fetch(server, {"POST", server.url.root_base + "/tokenize", body.dump(), timeout});
  if (!answer.ok()) return std::nullopt;
  const std::int64_t count = count_in(json::parse(answer.body, nullptr, false));
  return count > 0 && count <= most_tokens_told ? std::optional(count) : std::nullopt;
}

}  // namespace loadline
