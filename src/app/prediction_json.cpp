#include "app/prediction_json.h"

#include <nlohmann/json.hpp>

namespace loadline {

nlohmann::json prediction_json(const Prediction& prediction) {
  nlohmann::json parameters = nlohmann::json::array(), levels = nlohmann::json::array();
  for (const FittedParameter& one : prediction.parameters) {
    parameters.push_back(
        {{"key", one.key}, {"value", one.value}, {"low", one.low}, {"high", one.high}, {"told", one.is_told}});
  }
  for (const FittedLevel& level : prediction.levels) {
    nlohmann::json figures = nlohmann::json::array();
    for (const FittedFigure& one : level.figures) figures.push_back({{"figure", one.figure}, {"ratio", one.ratio}});
    levels.push_back({{"is_rate", level.kind == LevelKind::request_rate},
                      {"target", level.target},
                      {"requests", level.requests},
                      {"figures", figures}});
  }
  return {{"from", prediction.from},           {"engine", prediction.engine},  {"model", prediction.model},
          {"hardware", prediction.hardware},   {"parameters", parameters},     {"levels", levels},
          {"fit_error", prediction.fit_error}, {"changed", prediction.changed}};
}

Prediction prediction_from(const nlohmann::json& json) {
  Prediction prediction;
  prediction.from = json.at("from");
  prediction.engine = json.at("engine");
  prediction.model = json.at("model");
  prediction.hardware = json.at("hardware");
  prediction.fit_error = json.at("fit_error");
  prediction.changed = json.at("changed").get<std::vector<std::string>>();
  for (const nlohmann::json& one : json.at("parameters")) {
    prediction.parameters.push_back({one.at("key"), one.at("value"), one.at("low"), one.at("high"), one.at("told")});
  }
  for (const nlohmann::json& level : json.at("levels")) {
    FittedLevel& fitted = prediction.levels.emplace_back();
    fitted.kind = level.at("is_rate").get<bool>() ? LevelKind::request_rate : LevelKind::concurrency;
    fitted.target = level.at("target");
    fitted.requests = level.at("requests");
    for (const nlohmann::json& one : level.at("figures")) fitted.figures.push_back({one.at("figure"), one.at("ratio")});
  }
  return prediction;
}

}  // namespace loadline
