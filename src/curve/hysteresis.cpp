#include "curve/hysteresis.h"

#include <fmt/format.h>

#include <cmath>

#include "curve/level_p99.h"

namespace loadline {
namespace {

constexpr double most_apart = 0.10;

bool lies_below(const LatencySummary& a, const LatencySummary& b) {
  return a.p99_high && b.p99_low && *a.p99_high < *b.p99_low;
}

std::string p99_text(std::string_view metric, const LatencySummary& up, const LatencySummary& down) {
  if (!lies_below(up, down) && !lies_below(down, up)) return "";
  return fmt::format("p99 of {} was {:.4g} ms upwards and {:.4g} ms downwards, further apart than their intervals",
                     metric, up.p99_failures_as_infinite.value_or(infinite),
                     down.p99_failures_as_infinite.value_or(infinite));
}

bool contradict(Verdict a, Verdict b) {
  return (a == Verdict::over && b == Verdict::under) || (a == Verdict::under && b == Verdict::over);
}

std::string difference_of(const LevelResult& up, const LevelResult& down) {
  if (contradict(up.verdict, down.verdict)) {
    return fmt::format("the verdict was `{}` upwards and `{}` downwards", name(up.verdict), name(down.verdict));
  }
  for (const auto& [metric, summary] : {std::pair("ttft", &LevelResult::ttft_ms), {"e2e", &LevelResult::e2e_ms}}) {
    if (std::string text = p99_text(metric, up.*summary, down.*summary); !text.empty()) return text;
  }
  const double a = up.aggregate_output_tokens_per_s, b = down.aggregate_output_tokens_per_s;
  if (!up.tokens_counted || !down.tokens_counted || a <= 0 || b <= 0) return "";
  if (std::abs(std::log(b / a)) <= std::log1p(most_apart)) return "";
  return fmt::format("the aggregate was {:.4g} tokens/s upwards and {:.4g} downwards", a, b);
}

}  // namespace

std::vector<UpAndDown> compare_up_and_down(const std::vector<LevelResult>& levels) {
  std::vector<UpAndDown> rows;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const LevelResult& down = levels[i];
    if (down.level.purpose != LevelPurpose::backward) continue;
    const LevelResult* up = nullptr;
    for (std::size_t j = 0; j < i; ++j) {
      const Level& other = levels[j].level;
      const bool is_same = other.kind == down.level.kind && other.target == down.level.target &&
                           other.pass == down.level.pass && other.purpose != LevelPurpose::backward;
      if (is_same) up = &levels[j];
    }
    if (up == nullptr) continue;
    rows.push_back({down.level.target, up->ordinal, down.ordinal, difference_of(*up, down)});
  }
  return rows;
}

}  // namespace loadline
