#include "report/completeness.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace loadline {
namespace {

constexpr std::array<std::string_view, 6> weightiest_facts = {"engine.name",        "engine.version", "model.id",
                                                              "model.quantization", "hardware.name",  "hardware.count"};

bool is_known(const std::vector<Fact>& facts, std::string_view key) {
  const auto fact = std::ranges::find(facts, key, &Fact::key);
  return fact != facts.end() && fact->source != FactSource::unknown;
}

}  // namespace

Completeness completeness(const std::vector<Fact>& facts) {
  Completeness result;
  result.needed = needed_facts().size();
  for (const std::string& key : needed_facts()) result.known += is_known(facts, key) ? 1 : 0;
  const bool weighty =
      std::ranges::all_of(weightiest_facts, [&](std::string_view key) { return is_known(facts, key); });
  if (result.known == result.needed)
    result.grade = 'A';
  else if (weighty)
    result.grade = 'B';
  else if (2 * result.known >= result.needed)
    result.grade = 'C';
  return result;
}

std::vector<std::string> unknown_facts(const std::vector<Fact>& facts) {
  std::vector<std::string> keys;
  for (const Fact& fact : with_unknowns(facts)) {
    if (fact.source == FactSource::unknown) keys.push_back(fact.key);
  }
  for (const Fact& fact : facts) {
    if (fact.source == FactSource::unknown && std::ranges::find(keys, fact.key) == keys.end()) keys.push_back(fact.key);
  }
  return keys;
}

std::vector<Doubt> all_doubts(const RunReport& report) {
  std::vector<Doubt> doubts = report.doubts;
  for (const LevelResult& level : report.levels) {
    for (Doubt doubt : level.doubts) {
      doubt.level = level.ordinal;
      const bool listed = std::ranges::any_of(
          report.doubts, [&](const Doubt& other) { return other.id == doubt.id && other.level == doubt.level; });
      if (!listed) doubts.push_back(std::move(doubt));
    }
  }
  return doubts;
}

}  // namespace loadline
