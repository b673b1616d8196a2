#include "target/server_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "wire/http_words.h"

namespace loadline {
namespace {

using nlohmann::json;

constexpr std::size_t longest_value = 2000;

const json* value_at(const json& answer, const char* pointer) {
  const json::json_pointer at(pointer);
  return answer.contains(at) ? &answer.at(at) : nullptr;
}

std::string scalar_text(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  return "";
}

/// "max_num_batched_tokens" is a limit, "hf_token" and "api_key" are not ours to store.
bool named_like_a_secret(std::string_view name) {
  const std::string lower = ascii_lower(name);
  for (const std::string_view word : {"api_key", "apikey", "password", "secret", "credential", "authorization"}) {
    if (lower.find(word) != lower.npos) return true;
  }
  return lower.ends_with("token") || lower.ends_with("_key") || lower == "key";
}

void add_flags_below(const json& value, const std::string& path, std::size_t limit, std::size_t& added,
                     std::vector<Fact>& facts) {
  if (added >= limit) return;
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) {
      if (named_like_a_secret(key)) continue;
      add_flags_below(inner, path.empty() ? key : path + "." + key, limit, added, facts);
    }
    return;
  }
  const std::string text = scalar_text(value);
  if (text.empty() || text.size() > longest_value) return;
  add_told(facts, "flags." + path, text);
  ++added;
}

}  // namespace

std::optional<json> ask_json(const Server& server, const std::string& path) {
  const HttpAnswer answer = fetch(server, {"GET", server.url.root_base + path});
  if (!answer.ok()) return std::nullopt;
  json parsed = json::parse(answer.body, nullptr, false);
  if (parsed.is_discarded()) return std::nullopt;
  return parsed;
}

std::string told_text(const json& answer, const char* pointer) {
  const json* value = value_at(answer, pointer);
  return value == nullptr ? "" : scalar_text(*value);
}

std::optional<std::int64_t> told_number(const json& answer, const char* pointer) {
  const json* value = value_at(answer, pointer);
  if (value == nullptr || !value->is_number_integer()) return std::nullopt;
  return value->get<std::int64_t>();
}

void add_told(std::vector<Fact>& facts, std::string key, std::string value) {
  if (value.empty()) return;
  facts.push_back({std::move(key), std::move(value), FactSource::server});
}

void add_told_rows(std::vector<Fact>& facts, const json& answer, const std::vector<FactRow>& rows) {
  for (const FactRow& row : rows) add_told(facts, row.key, told_text(answer, row.pointer));
}

void add_told_or_none(std::vector<Fact>& facts, std::string key, const json& answer, const char* pointer) {
  const json* value = value_at(answer, pointer);
  if (value != nullptr) add_told(facts, std::move(key), value->is_null() ? "none" : scalar_text(*value));
}

void add_told_speculation(std::vector<Fact>& facts, const json& answer, const char* pointer) {
  const json* value = value_at(answer, pointer);
  if (value == nullptr) return;
  const std::string kind = value->is_object() ? told_text(*value, "/method") : scalar_text(*value);
  const bool off = value->is_null() || (!value->is_object() && (kind.empty() || kind == "none"));
  add_told(facts, "flags.speculative_decoding", off ? "off" : kind.empty() ? "on" : kind);
}

void add_told_flags(std::vector<Fact>& facts, const json& answer, std::size_t limit) {
  std::size_t added = 0;
  add_flags_below(answer, "", limit, added, facts);
}

}  // namespace loadline
