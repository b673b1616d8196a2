// A row is the level's JSON, flattened. The columns are those of a level that has everything, so that they do
// not depend on what a run happened to measure.

#include "report/report_csv.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/escape.h"
#include "report/report_json_parts.h"

namespace loadline {
namespace {

using Path = std::vector<std::string>;

LevelResult level_with_everything() {
  LengthSummary lengths;
  lengths.n = 1;
  LevelResult level;
  level.littles_law.emplace();
  level.bound.emplace();
  level.prompt_tokens = level.completion_tokens = level.planned_prompt_tokens = level.planned_completion_tokens =
      lengths;
  level.books.by_outcome.fill(1);
  return level;
}

void collect_paths(const Json& object, Path path, std::vector<Path>& paths) {
  for (const auto& [key, value] : object.items()) {
    path.push_back(key);
    if (value.is_object())
      collect_paths(value, path, paths);
    else if (key != "objectives" && key != "server" && key != "failure_messages")
      paths.push_back(path);
    path.pop_back();
  }
}

Json value_at(const Json& level, const Path& path) {
  const Json* place = &level;
  for (const std::string& key : path) {
    if (!place->is_object()) return nullptr;
    const auto found = place->find(key);
    const bool failure_class = path.size() == 3 && path[1] == "failed";
    if (found == place->end()) return failure_class ? Json(0) : Json(nullptr);
    place = &*found;
  }
  return *place;
}

std::string csv_cell(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return escape_csv(value.get<std::string>());
  if (!value.is_array()) return value.dump();
  std::string items;  // a doubt by its id, a number as it is
  for (const Json& item : value) {
    items += (items.empty() ? "" : " ") + (item.is_object() ? item.value("id", std::string()) : item.dump());
  }
  return escape_csv(items);
}

}  // namespace

std::string report_csv(const RunReport& report) {
  std::vector<Path> paths;
  collect_paths(json_level(level_with_everything()), {}, paths);
  std::vector<std::string> cells;
  for (const Path& path : paths) cells.push_back(fmt::format("{}", fmt::join(path, "_")));
  std::string csv = fmt::format("{}\r\n", fmt::join(cells, ","));
  for (const LevelResult& level : report.levels) {
    const Json object = json_level(level);
    cells.clear();
    for (const Path& path : paths) cells.push_back(csv_cell(value_at(object, path)));
    csv += fmt::format("{}\r\n", fmt::join(cells, ","));
  }
  return csv;
}

}  // namespace loadline
