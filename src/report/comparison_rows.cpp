#include "report/comparison_rows.h"

#include <fmt/format.h>

#include "report/labels.h"
#include "report/number_words.h"

namespace loadline {
namespace {

std::string amount(const std::optional<double>& value, RatioMetric metric) {
  return value ? fmt::format("{} {}", figure_number(*value), more_is_faster(metric) ? "req/s" : "ms") : absent_mark;
}

std::string load_of(const Ratio& ratio) {
  if (ratio.level) return level_label(*ratio.level);
  const bool is_capacity = ratio.metric == RatioMetric::capacity_closed || ratio.metric == RatioMetric::capacity_open;
  return is_capacity ? "operating point" : "all loads";
}

RatioRow row_of(const Ratio& ratio) {
  RatioRow row;
  row.load = load_of(ratio);
  row.metric = words(ratio.metric);
  row.a = amount(ratio.a, ratio.metric);
  row.b = amount(ratio.b, ratio.metric);
  row.ratio = ratio.b_over_a ? fmt::format("{:.3f}", ratio.b_over_a->value) : absent_mark;
  const bool has_interval = ratio.b_over_a && ratio.b_over_a->low && ratio.b_over_a->high;
  row.interval =
      has_interval ? fmt::format("[{:.3f}, {:.3f}]", *ratio.b_over_a->low, *ratio.b_over_a->high) : absent_mark;
  row.verdict = has_interval ? std::string(name(ratio.verdict)) : absent_mark;
  row.how = interval_words(ratio);
  return row;
}

FactLines lines_of(std::string heading, const std::vector<FactDifference>& facts) {
  FactLines lines{std::move(heading), {}};
  for (const FactDifference& fact : facts) {
    const auto side = [](const std::optional<std::string>& value) {
      return value ? fmt::format("'{}'", *value) : std::string("not known");
    };
    lines.lines.push_back(fmt::format("{}: {} on A, {} on B", fact.key, side(fact.a), side(fact.b)));
  }
  return lines;
}

}  // namespace

const std::vector<std::string>& ratio_headers() {
  static const std::vector<std::string> headers = {"load",  "metric",       "A",    "B",
                                                   "B / A", "95% interval", "B is", "interval by"};
  return headers;
}

std::vector<RatioRow> ratio_rows(const Comparison& comparison) {
  std::vector<RatioRow> rows;
  for (const Ratio& ratio : comparison.ratios) rows.push_back(row_of(ratio));
  return rows;
}

std::vector<FactLines> fact_lines(const Comparison& comparison) {
  const ManifestDifference& manifest = comparison.manifest;
  std::vector<FactLines> all;
  const auto add = [&](FactLines lines) {
    if (!lines.lines.empty()) all.push_back(std::move(lines));
  };
  add(lines_of("Differs", manifest.differing));
  add(lines_of("Differs too, as it changes with the variable by nature", manifest.following));
  add(lines_of("Not readable on both sides", manifest.unreadable));
  add({"Unknown on both sides and told by no server: taken as equal", manifest.assumed_equal});
  return all;
}

std::vector<std::string> comparison_notes(const Comparison& comparison) {
  std::vector<std::string> notes;
  if (comparison.resamples > 0) {
    notes.push_back(
        fmt::format("Intervals by bootstrap come from {} draws of batches of consecutive requests, the same batches on "
                    "both sides (seed {}).",
                    comparison.resamples, comparison.bootstrap_seed));
  }
  for (const std::string& remark : comparison.remarks) notes.push_back(remark);
  for (const Doubt& doubt : comparison.doubts) notes.push_back(fmt::format("Not valid, {}: {}", doubt.id, doubt.text));
  return notes;
}

}  // namespace loadline
