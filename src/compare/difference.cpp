#include "compare/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/nearest_name.h"

namespace loadline {
namespace {

/// What no server tells and few users know: two runs of the same deployment would be refused for it.
constexpr std::array<std::string_view, 3> told_by_nobody = {"engine.build", "model.revision", "model.weight_hash"};

/// These say that the two did different work: no variable, whoever declares it.
constexpr std::array<std::string_view, 7> the_work = {"workload.requests", "workload.input",   "workload.seed",
                                                      "workload.sampler",  "workload.content", "workload.loop",
                                                      "objective.slo"};

/// With `variable` the fact `follower` changes by nature. "x.*" is every key below x. `always`: it is computed from the
/// variable, so that nobody need declare it; else only where the user says which of them is the variable.
struct Following {
  std::string_view variable, follower;
  bool always;
};
constexpr std::array<Following, 24> nature = {{
    {"engine.version", "engine.build", false},
    {"engine.version", "engine.commit", false},
    {"engine.version", "flags.*", false},
    {"engine.build", "engine.version", false},
    {"engine.build", "engine.commit", false},
    {"engine.build", "flags.*", false},
    {"engine.name", "engine.*", false},
    {"engine.name", "flags.*", false},
    {"engine.name", "plan.engine", false},
    {"engine.name", "plan.endpoint_type", false},
    {"model.id", "model.*", false},
    {"model.id", "plan.tokenizer", false},
    {"model.revision", "model.weight_hash", false},
    {"model.quantization", "model.id", false},
    {"model.quantization", "model.revision", false},
    {"model.quantization", "model.weight_hash", false},
    {"model.quantization", "model.dtype", false},
    {"hardware.name", "hardware.driver", false},
    {"hardware.name", "hardware.memory_bytes", false},
    {"hardware.count", "hardware.parallelism.*", false},
    // What an engine works out from the memory that is left.
    {"*", "flags.num_gpu_blocks", true},
    {"*", "flags.kv_cache_size_tokens", true},
    {"*", "flags.max_total_num_tokens", true},
    {"*", "flags.weight_bytes", true},
}};

bool matches(std::string_view pattern, std::string_view key) {
  if (!pattern.ends_with('*')) return pattern == key;
  return key.starts_with(pattern.substr(0, pattern.size() - 1));
}

bool is_simulated_engine(const Manifest& manifest) {
  const auto engine = manifest.find("engine.name");
  return engine != manifest.end() && engine->second == "loadline simulated engine";
}

bool follows(const std::string& key, const std::string& variable, bool declared, bool simulated) {
  if (key == variable) return false;
  // The build of the simulated engine is the hash of its parameters.
  if (simulated && key == "engine.build" && variable.starts_with("flags.")) return true;
  return std::ranges::any_of(nature, [&](const Following& row) {
    return (row.always || declared) && matches(row.variable, variable) && matches(row.follower, key);
  });
}

/// Quantization first (weights, KV cache, activations, head), then the rest of the model, the engine, the hardware.
int rank_of(std::string_view key) {
  constexpr std::array<std::string_view, 10> order = {
      "model.quantization", "kv_cache_dtype", "activation", "head", "dtype", "model.", "engine.",
      "hardware.",          "flags.",         "workload."};
  if (key.find("quant") != std::string_view::npos) return 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool is_prefix = order.at(i).ends_with('.');
    if (is_prefix ? key.starts_with(order.at(i))
                  : key.starts_with("model.") && key.find(order.at(i)) != std::string_view::npos)
      return static_cast<int>(i);
  }
  return static_cast<int>(order.size());
}

void sort_by_rank(std::vector<FactDifference>& facts) {
  std::ranges::stable_sort(facts, {},
                           [](const FactDifference& fact) { return std::pair(rank_of(fact.key), fact.key); });
}

std::vector<std::string> keys_of_both(const Manifest& a, const Manifest& b) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : a) keys.push_back(key);
  for (const auto& [key, value] : b) {
    if (!a.contains(key)) keys.push_back(key);
  }
  return keys;
}

std::optional<std::string> value_of(const Manifest& manifest, const std::string& key) {
  const auto found = manifest.find(key);
  return found == manifest.end() ? std::nullopt : found->second;
}

bool is_unknown(const Manifest& manifest, const std::string& key) {
  const auto found = manifest.find(key);
  return found != manifest.end() && !found->second;
}

/// Differing and unreadable facts, and those assumed equal.
void sort_out(const Manifest& a, const Manifest& b, ManifestDifference& difference) {
  for (const std::string& key : keys_of_both(a, b)) {
    const FactDifference fact{key, value_of(a, key), value_of(b, key)};
    const bool told_by_none = std::ranges::find(told_by_nobody, key) != told_by_nobody.end();
    if (is_unknown(a, key) || is_unknown(b, key)) {
      if (told_by_none && !fact.a && !fact.b) {
        difference.assumed_equal.push_back(key);
      } else {
        difference.unreadable.push_back(fact);
      }
    } else if (fact.a != fact.b) {
      difference.differing.push_back(fact);
    }
  }
  sort_by_rank(difference.differing);
  sort_by_rank(difference.unreadable);
}

/// The one fact that all the others follow; empty where there is none.
std::string found_variable(const std::vector<FactDifference>& differing, bool simulated) {
  for (const FactDifference& candidate : differing) {
    const bool alone = std::ranges::all_of(differing, [&](const FactDifference& other) {
      return other.key == candidate.key || follows(other.key, candidate.key, false, simulated);
    });
    if (alone) return candidate.key;
  }
  return "";
}

void require_known(const std::string& declared, const Manifest& a, const Manifest& b) {
  const std::vector<std::string> keys = keys_of_both(a, b);
  if (declared.empty() || std::ranges::find(keys, declared) != keys.end()) return;
  throw Error(fmt::format("--variable: '{}' is a fact of neither run{}; `--json` lists what differs", declared,
                          did_you_mean(declared, keys)));
}

std::string keys_text(const std::vector<FactDifference>& facts) {
  std::vector<std::string> keys;
  for (const FactDifference& fact : facts) keys.push_back(fact.key);
  return fmt::format("{}", fmt::join(keys, ", "));
}

void judge(ManifestDifference& d) {
  std::vector<FactDifference> others;
  for (const FactDifference& fact : d.differing) {
    if (fact.key != d.variable) others.push_back(fact);
  }
  if (!others.empty() && d.variable.empty()) {
    refuse(d, fmt::format("{} facts differ, so that no difference could be told to be the work of one of them: {}.",
                          others.size(), keys_text(others)));
  } else if (!others.empty()) {
    refuse(d, fmt::format("Beside {} {}: {}.", d.variable,
                          others.size() == 1 ? "another fact differs" : "other facts differ", keys_text(others)));
  }
  for (const FactDifference& fact : d.differing) {
    if (std::ranges::find(the_work, fact.key) == the_work.end()) continue;
    refuse(d, fmt::format("The two did different work: {} is '{}' and '{}'.", fact.key, fact.a.value_or("absent"),
                          fact.b.value_or("absent")));
  }
  if (!d.unreadable.empty()) {
    refuse(d, fmt::format("Nobody can say whether {} the same on both sides: unknown {} {} (state what you know with "
                          "--fact KEY=VALUE, or --fact-a and --fact-b).",
                          d.unreadable.size() == 1 ? "this fact is" : "these facts are",
                          d.unreadable.size() == 1 ? "is" : "are", keys_text(d.unreadable)));
  }
  if (d.comparability == Comparability::refused) return;
  d.comparability = d.differing.empty() ? Comparability::repeat : Comparability::comparison;
}

}  // namespace

void refuse(ManifestDifference& difference, std::string reason) {
  difference.comparability = Comparability::refused;
  difference.reasons.push_back(std::move(reason));
}

ManifestDifference difference_of(const Manifest& a, const Manifest& b, const std::string& declared) {
  require_known(declared, a, b);
  ManifestDifference d;
  sort_out(a, b, d);
  const bool simulated = is_simulated_engine(a) && is_simulated_engine(b);
  const bool declared_differs = std::ranges::find(d.differing, declared, &FactDifference::key) != d.differing.end();
  d.variable = declared.empty() ? found_variable(d.differing, simulated) : declared_differs ? declared : "";
  if (!declared.empty() && !declared_differs && !d.differing.empty()) {
    // What is the same on both sides excuses nothing.
    refuse(d, fmt::format("--variable names {}, which is the same on both sides.", declared));
  }
  if (!d.variable.empty()) {
    const auto by_nature = [&](const FactDifference& fact) {
      return follows(fact.key, d.variable, !declared.empty(), simulated);
    };
    std::ranges::copy_if(d.differing, std::back_inserter(d.following), by_nature);
    std::erase_if(d.differing, by_nature);
    // What follows the variable need not be readable either.
    std::erase_if(d.unreadable, by_nature);
  }
  judge(d);
  return d;
}

}  // namespace loadline
