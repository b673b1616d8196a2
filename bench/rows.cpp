#include "bench/rows.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace loadline::bench {
namespace {

std::string number(std::optional<double> value) {
  if (!value) return "-";
  if (*value >= 10'000) return fmt::format("{:.0f}", *value);
  if (*value >= 100) return fmt::format("{:.1f}", *value);
  return fmt::format("{:.2f}", *value);
}

std::string words(const Goal& goal) {
  switch (goal.of) {
    case Goal::Of::nothing:
      return "-";
    case Goal::Of::ratio_at_least:
      return fmt::format("ratio >= {}", goal.value);
    case Goal::Of::at_least:
      return fmt::format(">= {}", goal.value);
    case Goal::Of::at_most:
      return fmt::format("<= {}", goal.value);
  }
  return {};
}

nlohmann::json or_null(std::optional<double> value) { return value ? nlohmann::json(*value) : nlohmann::json(); }

}  // namespace

std::optional<double> Row::ratio() const {
  if (!minimal || !loadline || *minimal == 0) return std::nullopt;
  return *loadline / *minimal;
}

std::optional<bool> Row::reached() const {
  const std::optional<double> measured = goal.of == Goal::Of::ratio_at_least ? ratio() : loadline;
  if (goal.of == Goal::Of::nothing || !measured) return std::nullopt;
  return goal.of == Goal::Of::at_most ? *measured <= goal.value : *measured >= goal.value;
}

std::string table_of(const std::vector<Row>& rows) {
  std::string text = fmt::format("| {:4} | {:58} | {:11} | {:>9} | {:>9} | {:>6} | {:14} | {:7} |\n", "part", "row",
                                 "unit", "minimal", "loadline", "ratio", "goal", "reached");
  text += fmt::format("|-{:-<4}-|-{:-<58}-|-{:-<11}-|-{:->9}-|-{:->9}-|-{:->6}-|-{:-<14}-|-{:-<7}-|\n", "", "", "", "",
                      "", "", "", "");
  for (const Row& row : rows) {
    const std::optional<bool> reached = row.reached();
    text += fmt::format("| {:4} | {:58} | {:11} | {:>9} | {:>9} | {:>6} | {:14} | {:7} |\n", row.part, row.what,
                        row.unit, number(row.minimal), number(row.loadline), number(row.ratio()), words(row.goal),
                        reached ? (*reached ? "yes" : "no") : "-");
  }
  return text;
}

std::string json_of(const std::vector<Row>& rows, const std::string& remark) {
  nlohmann::json list = nlohmann::json::array();
  for (const Row& row : rows) {
    const std::optional<bool> reached = row.reached();
    list.push_back({{"part", row.part},
                    {"row", row.what},
                    {"unit", row.unit},
                    {"minimal", or_null(row.minimal)},
                    {"loadline", or_null(row.loadline)},
                    {"ratio", or_null(row.ratio())},
                    {"goal", row.goal.of == Goal::Of::nothing ? nlohmann::json() : nlohmann::json(words(row.goal))},
                    {"reached", reached ? nlohmann::json(*reached) : nlohmann::json()}});
  }
  return nlohmann::json{{"remark", remark}, {"rows", list}}.dump(1);
}

}  // namespace loadline::bench
