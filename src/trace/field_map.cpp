#include "trace/field_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/error.h"
#include "core/nearest_name.h"
#include "trace/numbers.h"

namespace loadline {
namespace {

/// One key of a map: where its field's name goes, and whether a unit may follow the name.
struct MapKey {
  std::string_view name;
  std::string FieldMap::* field;
  bool timed = false;
};

constexpr std::array<MapKey, 12> map_keys{{{"prompt", &FieldMap::prompt},
                                           {"completion", &FieldMap::completion},
                                           {"time", &FieldMap::time, true},
                                           {"end", &FieldMap::end, true},
                                           {"duration", &FieldMap::duration, true},
                                           {"cached", &FieldMap::cached},
                                           {"session", &FieldMap::session},
                                           {"client", &FieldMap::client},
                                           {"status", &FieldMap::status},
                                           {"text", &FieldMap::text},
                                           {"prompt_chars", &FieldMap::prompt_characters},
                                           {"completion_chars", &FieldMap::completion_characters}}};

std::string list_of_map_keys() {
  std::string list;
  for (const MapKey& key : map_keys) list += fmt::format("{}{}", list.empty() ? "" : ", ", key.name);
  return list;
}

const MapKey& map_key_called(std::string_view name, std::string_view flag) {
  const auto key = std::ranges::find(map_keys, name, &MapKey::name);
  if (key != map_keys.end()) return *key;
  std::vector<std::string> names;
  for (const MapKey& known : map_keys) names.emplace_back(known.name);
  const std::string near = nearest_name(name, names);
  throw Error(fmt::format("{}: \"{}\" is nothing that a field can tell{}; known: {}", flag, name,
                          near.empty() ? "" : ", did you mean " + near + "?", list_of_map_keys()));
}

Nanos time_unit_called(std::string_view name, std::string_view key, std::string_view flag) {
  if (name == "s") return std::chrono::seconds(1);
  if (name == "ms") return std::chrono::milliseconds(1);
  if (name == "us") return std::chrono::microseconds(1);
  if (name == "ns") return Nanos(1);
  throw Error(fmt::format("{}: \"{}\" behind {} is no unit of time; write s, ms, us or ns", flag, name, key));
}

/// Takes the unit off "FIELD:unit" and notes it.
std::string_view take_unit(std::string_view value, std::string_view key, std::string_view flag, FieldMap& map) {
  const std::size_t colon = value.rfind(':');
  if (colon == std::string_view::npos) return value;
  const Nanos unit = time_unit_called(value.substr(colon + 1), key, flag);
  if (key == "duration") {
    map.duration_unit = unit;
  } else {
    map.time_unit = unit;
  }
  return value.substr(0, colon);
}

void take_entry(std::string_view entry, std::string_view flag, FieldMap& map) {
  const std::size_t equals = entry.find('=');
  if (equals == std::string_view::npos) {
    throw Error(fmt::format("{}: \"{}\" names no field; write KEY=FIELD, as in prompt=input_tokens (keys: {})", flag,
                            entry, list_of_map_keys()));
  }
  const MapKey& key = map_key_called(trimmed(entry.substr(0, equals)), flag);
  std::string_view value = trimmed(entry.substr(equals + 1));
  if (key.timed) value = take_unit(value, key.name, flag, map);
  if (value.empty()) throw Error(fmt::format("{}: {} names no field; write {}=FIELD", flag, key.name, key.name));
  std::string& field = map.*key.field;
  if (!field.empty()) throw Error(fmt::format("{}: {} is given twice; name one field for it", flag, key.name));
  field = value;
}

void check_field_map(const FieldMap& map, std::string_view flag) {
  if (map.empty()) {
    throw Error(
        fmt::format("{}: nothing tells the prompt; add prompt=FIELD (tokens), prompt_chars=FIELD (characters) "
                    "or text=FIELD",
                    flag));
  }
  if (!map.duration.empty() && map.end.empty() && map.time.empty())
    throw Error(
        fmt::format("{}: duration of what? add end=FIELD, from which the arrival is found, or time=FIELD", flag));
}

}  // namespace

FieldMap parse_field_map(std::string_view text, std::string_view flag) {
  FieldMap map;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view entry = trimmed(text.substr(0, comma));
    if (!entry.empty()) take_entry(entry, flag, map);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  check_field_map(map, flag);
  return map;
}

}  // namespace loadline
