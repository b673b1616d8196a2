#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "report/completeness.h"
#include "report/report_json_parts.h"

namespace loadline {
namespace {

constexpr std::size_t deepest_fact_path = 6;

std::vector<std::string> split_path(std::string_view key) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t dot = key.find('.');
    parts.emplace_back(key.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    key.remove_prefix(dot + 1);
  }
}

/// Counts become numbers, all else stays as it was said; unknown is null.
Json fact_value(const Fact& fact) {
  if (fact.source == FactSource::unknown) return nullptr;
  if (fact.key == "hardware.count" || fact.key.starts_with("hardware.parallelism.")) {
    std::int64_t count = 0;
    const char* end = fact.value.data() + fact.value.size();
    const auto [stop, trouble] = std::from_chars(fact.value.data(), end, count);
    if (trouble == std::errc() && stop == end) return count;
  }
  return fact.value;
}

/// A flag's name may hold dots: all after "flags." is one key. So is what cannot be nested: a path too deep, or one
/// that would have to go through another fact's value.
bool place_nested(Json& root, const std::string& key, const Json& value) {
  const std::vector<std::string> parts = split_path(key);
  if (parts.size() < 2 || parts.size() > deepest_fact_path) return false;
  if (parts[0] == "flags" || parts[0] == "source" || parts[0] == "unknown") return false;
  Json* place = &root;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    Json& next = (*place)[parts[i]];
    if (next.is_null()) next = Json::object();
    if (!next.is_object()) return false;
    place = &next;
  }
  if (place->contains(parts.back()) && !(*place)[parts.back()].is_null()) return false;
  (*place)[parts.back()] = value;
  return true;
}

}  // namespace

Json json_facts(const std::vector<Fact>& stored) {
  std::vector<Fact> facts = stored;
  for (const Fact& fact : with_unknowns(stored)) {
    if (std::ranges::find(facts, fact.key, &Fact::key) == facts.end()) facts.push_back(fact);
  }
  // The keys that others rely on exist, in this order, whatever is known.
  Json root = Json::object();
  for (const std::string& key : needed_facts()) place_nested(root, key, nullptr);
  Json flags = Json::object(), sources = Json::object();
  for (const Fact& fact : facts) {
    if (sources.contains(fact.key)) continue;
    sources[fact.key] = std::string(name(fact.source));
    const Json value = fact_value(fact);
    if (!place_nested(root, fact.key, value))
      flags[fact.key.starts_with("flags.") ? fact.key.substr(6) : fact.key] = value;
  }
  root["flags"] = flags;
  root["source"] = sources;
  root["unknown"] = unknown_facts(stored);
  return root;
}

Json json_completeness(const std::vector<Fact>& facts) {
  const Completeness found = completeness(facts);
  return {{"known", found.known}, {"needed", found.needed}, {"grade", std::string(1, found.grade)}};
}

}  // namespace loadline
