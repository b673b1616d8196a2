#include "report/comparison_json.h"

#include <nlohmann/json.hpp>

#include "report/report_json_parts.h"

namespace loadline {
namespace {

Json json_value(const std::optional<std::string>& value) { return value ? json_text(*value) : Json(nullptr); }

Json json_differences(const std::vector<FactDifference>& facts) {
  Json list = Json::array();
  for (const FactDifference& fact : facts)
    list.push_back({{"key", json_text(fact.key)}, {"a", json_value(fact.a)}, {"b", json_value(fact.b)}});
  return list;
}

Json json_texts(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back(json_text(text));
  return list;
}

Json json_manifest(const ManifestDifference& manifest) {
  return {{"comparability", std::string(name(manifest.comparability))},
          {"variable", json_text(manifest.variable)},
          {"differing", json_differences(manifest.differing)},
          {"following", json_differences(manifest.following)},
          {"unreadable", json_differences(manifest.unreadable)},
          {"assumed_equal", json_texts(manifest.assumed_equal)},
          {"reasons", json_texts(manifest.reasons)}};
}

Json json_ratio(const Ratio& ratio) {
  return {{"metric", std::string(name(ratio.metric))},
          {"kind", ratio.level ? Json(std::string(name(ratio.level->kind))) : Json(nullptr)},
          {"load", ratio.level ? json_number(ratio.level->target) : Json(nullptr)},
          {"unit", more_is_faster(ratio.metric) ? "requests/s" : "ms"},
          {"a", json_number(ratio.a)},
          {"b", json_number(ratio.b)},
          {"b_over_a", ratio.b_over_a ? json_estimate(*ratio.b_over_a) : Json(nullptr)},
          {"method", std::string(name(ratio.method))},
          {"n", ratio.method == RatioMethod::none ? Json(nullptr) : Json(ratio.n)},
          {"requests", ratio.requests > 0 ? Json(ratio.requests) : Json(nullptr)},
          {"verdict", std::string(name(ratio.verdict))},
          {"absence", json_text(ratio.absence)}};
}

Json json_gate(const std::optional<Gate>& gate) {
  if (!gate) return nullptr;
  return {{"outcome", std::string(name(gate->outcome))},
          {"pass", gate->pass},
          {"slower_than", json_number(gate->slower_than)},
          {"strict", gate->strict},
          {"sentence", json_text(gate->sentence)}};
}

}  // namespace

std::string comparison_json(const Comparison& comparison, const std::optional<Gate>& gate) {
  Json out;
  out["schema"] = "loadline/comparison/1";
  out["loadline"] = {{"version", json_text(comparison.version)}, {"command", json_text(comparison.command)}};
  out["a"] = json_text(comparison.a);
  out["b"] = json_text(comparison.b);
  out["decision"] = "comparison";
  out["primary_metric"] = "capacity_ratio";
  const bool is_decided = !comparison.ratios.empty() && !comparison.forced;
  out["verdict"] = is_decided ? Json(std::string(name(comparison.verdict))) : Json(nullptr);
  out["decided_by"] =
      comparison.ratios.empty() ? Json(nullptr) : Json(std::string(name(comparison.ratios.front().metric)));
  out["sentence"] = json_text(comparison.sentence);
  out["valid"] = comparison.valid;
  out["forced"] = comparison.forced;
  out["manifest"] = json_manifest(comparison.manifest);
  out["passes"] = comparison.passes > 0 ? Json(comparison.passes) : Json(nullptr);
  out["more_pairs"] = is_decided && comparison.more_pairs ? Json(*comparison.more_pairs) : Json(nullptr);
  out["bootstrap"] = comparison.resamples > 0
                         ? Json{{"seed", comparison.bootstrap_seed}, {"resamples", comparison.resamples}}
                         : Json(nullptr);
  out["ratios"] = Json::array();
  for (const Ratio& ratio : comparison.ratios) out["ratios"].push_back(json_ratio(ratio));
  out["remarks"] = json_texts(comparison.remarks);
  out["doubts"] = json_doubts(comparison.doubts);
  out["gate"] = json_gate(gate);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace loadline
