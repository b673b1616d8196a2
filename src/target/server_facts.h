#pragma once
// Asking a server about itself and turning its JSON into facts.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/fact.h"
#include "target/fetch.h"

namespace loadline {

/// GET `path` beside the server's /v1; absent unless it answered 200 with JSON.
std::optional<nlohmann::json> ask_json(const Server& server, const std::string& path);

/// The value at that JSON pointer: a string, or a number or a boolean as text; "" where it is none of these.
std::string told_text(const nlohmann::json& answer, const char* pointer);
std::optional<std::int64_t> told_number(const nlohmann::json& answer, const char* pointer);

/// Adds the fact as told by the server, unless the value is empty.
void add_told(std::vector<Fact>& facts, std::string key, std::string value);

/// A fact's key and where an engine's answer holds it.
struct FactRow {
  const char* key;
  const char* pointer;
};
void add_told_rows(std::vector<Fact>& facts, const nlohmann::json& answer, const std::vector<FactRow>& rows);

/// "flags.speculative_decoding": "off" where the engine tells that it has none (null, "", "none"), else its
/// kind; nothing where the answer has no such value.
void add_told_speculation(std::vector<Fact>& facts, const nlohmann::json& answer, const char* pointer);

/// As add_told; null tells "none": what is not quantized is known not to be.
void add_told_or_none(std::vector<Fact>& facts, std::string key, const nlohmann::json& answer, const char* pointer);

/// Every scalar below `answer` as a fact "flags.NAME", names joined by dots, at most `limit` of them. What is
/// named like a secret (key, token, password, secret) is left out.
void add_told_flags(std::vector<Fact>& facts, const nlohmann::json& answer, std::size_t limit = 300);

}  // namespace loadline
