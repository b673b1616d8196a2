#pragma once
// A fact that changes the result, with who said it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

enum class FactSource : std::uint8_t { server, user, file, unknown };
std::string_view name(FactSource source);

/// `key` is a path such as "engine.name", "model.quantization", "hardware.count". An unknown fact has an
/// empty value and FactSource::unknown.
struct Fact {
  std::string key;
  std::string value;
  FactSource source = FactSource::unknown;
};

/// The keys without which a result cannot be compared with another, in the order in which they are asked for.
const std::vector<std::string>& needed_facts();
/// `facts` with what is missing of needed_facts() added as unknown; of two facts with one key the first wins.
std::vector<Fact> with_unknowns(std::vector<Fact> facts);

/// The value of `key`; empty where it is missing or unknown.
std::string known_value(const std::vector<Fact>& facts, std::string_view key);

}  // namespace loadline
