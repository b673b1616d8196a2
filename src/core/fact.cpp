#include "core/fact.h"

#include <algorithm>
#include <array>

namespace loadline {

std::string_view name(FactSource source) {
  constexpr std::array<std::string_view, 4> names = {"server", "user", "file", "unknown"};
  return names.at(static_cast<std::size_t>(source));
}

const std::vector<std::string>& needed_facts() {
  static const std::vector<std::string> keys = {"engine.name",
                                                "engine.version",
                                                "engine.build",
                                                "model.id",
                                                "model.revision",
                                                "model.weight_hash",
                                                "model.quantization",
                                                "model.kv_cache_dtype",
                                                "model.dtype",
                                                "hardware.name",
                                                "hardware.count",
                                                "hardware.parallelism.tp",
                                                "hardware.parallelism.pp",
                                                "hardware.parallelism.dp",
                                                "hardware.parallelism.ep"};
  return keys;
}

std::vector<Fact> with_unknowns(std::vector<Fact> facts) {
  std::vector<Fact> all;
  const auto add = [&](const Fact& fact) {
    if (std::ranges::find(all, fact.key, &Fact::key) == all.end()) all.push_back(fact);
  };
  for (const Fact& fact : facts) {
    if (fact.source != FactSource::unknown) add(fact);
  }
  for (const std::string& key : needed_facts()) add(Fact{key, "", FactSource::unknown});
  return all;
}

std::string known_value(const std::vector<Fact>& facts, std::string_view key) {
  const auto found = std::ranges::find(facts, key, &Fact::key);
  return found == facts.end() || found->source == FactSource::unknown ? "" : found->value;
}

}  // namespace loadline
