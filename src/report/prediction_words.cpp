#include "report/prediction_words.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/escape.h"
#include "report/labels.h"
#include "report/number_words.h"
#include "report/report_html_sections.h"
#include "report/report_html_table.h"

namespace loadline {
namespace {

std::string origin_words(const Prediction& prediction) {
  std::string of;
  for (const std::string& one : {prediction.engine, prediction.model, prediction.hardware}) {
    if (!one.empty()) of += (of.empty() ? " (" : ", ") + one;
  }
  return prediction.from + (of.empty() ? "" : of + ")");
}

std::string parameter_value_words(const FittedParameter& one) {
  return one.is_told ? fmt::format("{:.3g} [{:.3g}, {:.3g}]", one.value, one.low, one.high)
                     : fmt::format("not told by the run; {:.3g} was used", one.value);
}

std::string level_load_words(const FittedLevel& level) {
  return level.kind == LevelKind::concurrency ? fmt::format("{:g} users", level.target)
                                              : fmt::format("{:g} requests/s", level.target);
}

std::string difference_words(double ratio) { return fmt::format("{:+.1f}%", 100 * (ratio - 1)); }

std::string parameters_table(const Prediction& prediction) {
  HtmlTable table("The fitted engine");
  table.column("Parameter", false).column("Value, 95%", false);
  for (const FittedParameter& one : prediction.parameters)
    table.row({text_cell(one.key), text_cell(parameter_value_words(one))});
  return table.html();
}

std::string levels_table(const Prediction& prediction) {
  HtmlTable table("Fitted less measured, of each level that it was fitted to");
  table.column("Load", false).column("Requests");
  if (prediction.levels.empty()) return "";
  for (const FittedFigure& figure : prediction.levels.front().figures) table.column(figure.figure);
  for (const FittedLevel& level : prediction.levels) {
    std::vector<HtmlCell> cells = {text_cell(level_load_words(level)), count_cell(level.requests)};
    for (const FittedFigure& figure : level.figures)
      cells.push_back(setting_cell(figure.ratio - 1, difference_words(figure.ratio)));
    table.row(std::move(cells));
  }
  return table.html();
}

std::string first_words(const Prediction& prediction) {
  return fmt::format(
      "Nothing of this was measured. The engine model was fitted to the levels of {}; it differs from them by {} "
      "(root mean square over the figures below).",
      origin_words(prediction), figure_percent(prediction.fit_error));
}

std::string changed_words(const Prediction& prediction) {
  return fmt::format("Changed against that run: {}.", fmt::join(prediction.changed, "; "));
}

}  // namespace

std::vector<std::string> prediction_words(const RunReport& report) {
  if (!report.prediction) return {};
  const Prediction& prediction = *report.prediction;
  std::vector<std::string> words = {first_words(prediction), changed_words(prediction)};
  for (const FittedParameter& one : prediction.parameters)
    words.push_back(fmt::format("{}: {}", one.key, parameter_value_words(one)));
  for (const FittedLevel& level : prediction.levels) {
    std::string line = "fitted against measured, " + level_load_words(level) + ":";
    for (const FittedFigure& figure : level.figures)
      line += fmt::format(" {} {},", figure.figure, difference_words(figure.ratio));
    line.pop_back();
    words.push_back(std::move(line));
  }
  return words;
}

std::string prediction_section(const RunReport& report) {
  if (!report.prediction) return "";
  const Prediction& prediction = *report.prediction;
  return page_section("prediction", "Prediction",
                      "<p>" + escape_html(first_words(prediction)) + "</p>\n<p>" +
                          escape_html(changed_words(prediction)) + "</p>\n" + parameters_table(prediction) +
                          levels_table(prediction));
}

Json json_prediction(const std::optional<Prediction>& prediction) {
  if (!prediction) return nullptr;
  Json parameters = Json::array(), levels = Json::array();
  for (const FittedParameter& one : prediction->parameters) {
    parameters.push_back({{"key", one.key},
                          {"value", json_number(one.value)},
                          {"low", one.is_told ? json_number(one.low) : Json(nullptr)},
                          {"high", one.is_told ? json_number(one.high) : Json(nullptr)},
                          {"told", one.is_told}});
  }
  for (const FittedLevel& level : prediction->levels) {
    Json figures = Json::array();
    for (const FittedFigure& one : level.figures)
      figures.push_back({{"figure", one.figure}, {"simulated_to_measured", json_number(one.ratio)}});
    levels.push_back({{"kind", std::string(name(level.kind))},
                      {"target", json_number(level.target)},
                      {"requests", level.requests},
                      {"figures", figures}});
  }
  return {{"from", json_text(prediction->from)},
          {"engine", json_text(prediction->engine)},
          {"model", json_text(prediction->model)},
          {"hardware", json_text(prediction->hardware)},
          {"fit_error", json_number(prediction->fit_error)},
          {"parameters", parameters},
          {"levels", levels},
          {"changed", prediction->changed}};
}

}  // namespace loadline
