// The ladder keeps no state: what the next level is for is found by asking, for each level run so far, what the
// ladder would have said before it. That counts how many levels have been put inside the bracket.

#include "curve/ladder.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "core/units.h"
#include "curve/level_p99.h"

namespace loadline {
namespace {

constexpr double least_growth = 1.03, far_multiple = 3, factor_past_crossing = 1.5;

enum class Step : std::uint8_t { outward, inside, filling, complete };
struct NextStep {
  Step step = Step::complete;
  double load = 0;
};

// The levels so far, one per load, ascending; of levels of one load the last counts.
std::vector<const LevelResult*> by_load(std::span<const LevelResult> results) {
  std::vector<const LevelResult*> levels;
  for (const LevelResult& level : results) {
    if (level.level.kind != LevelKind::concurrency) continue;
    std::erase_if(levels, [&](const LevelResult* other) { return other->level.target == level.level.target; });
    levels.push_back(&level);
  }
  std::ranges::sort(levels, {}, [](const LevelResult* level) { return level->level.target; });
  return levels;
}

bool level_is(const LevelResult& level, Verdict verdict) {
  if (level.stability == Stability::saturated) return verdict == Verdict::over;
  return level.verdict == verdict;
}

// In output tokens/s, or in requests/s where tokens were not counted. From nothing to nothing is no growth.
bool grew_too_little(const LevelResult& below, const LevelResult& above) {
  const bool by_tokens = below.tokens_counted && above.tokens_counted;
  const auto carried = [&](const LevelResult& level) {
    return by_tokens ? level.aggregate_output_tokens_per_s : level.completed_requests_per_s;
  };
  return carried(above) <= 0 || carried(above) < least_growth * carried(below);
}

bool is_far_over(const LevelResult& level, const std::vector<Objective>& objectives) {
  for (std::size_t i = 0; i < objectives.size(); ++i) {
    const std::optional<double> value = percentile_ms(level, i, objectives[i]);
    if (value && *value >= far_multiple * milliseconds(objectives[i].limit)) return true;
  }
  return false;
}

class Ladder {
 public:
  Ladder(std::span<const LevelResult> results, const LadderSettings& settings, std::size_t middles)
      : settings_(settings), levels_(by_load(results)), middles_(middles) {}

  NextStep next() const {
    if (levels_.empty()) return bounded(Step::outward, 1);
    if (const NextStep step = outward(); step.step != Step::complete) return step;
    if (settings_.objectives.empty() || !bracket()) return fill();
    if (middles_ >= settings_.least_middles && levels_.size() >= settings_.least_levels) return {};
    if (const NextStep step = middle(*bracket()); step.step != Step::complete) return step;
    if (const NextStep step = bounded(Step::inside, larger(top())); step.step != Step::complete) return step;
    return levels_.size() < settings_.least_levels ? fill() : NextStep{};
  }

 private:
  struct Bracket {
    double low, high;
  };

  double top() const { return levels_.back()->level.target; }
  static double larger(double load) { return std::max(load + 1, std::round(load * factor_past_crossing)); }

  NextStep bounded(Step step, double load) const {
    const double held = std::min(load, std::floor(settings_.most_users));
    if (held < 1 || (!levels_.empty() && held <= top())) return {};
    return {step, held};
  }

  NextStep outward() const {
    if (settings_.objectives.empty()) return flattened_twice() ? NextStep{} : bounded(Step::outward, 2 * top());
    const auto over =
        std::ranges::count_if(levels_, [](const LevelResult* level) { return level_is(*level, Verdict::over); });
    if (over == 0) return bounded(Step::outward, 2 * top());
    const LevelResult& last = *levels_.back();
    const bool is_flat = levels_.size() > 1 && grew_too_little(*levels_[levels_.size() - 2], last);
    const bool goes_far_enough = is_flat || is_far_over(last, settings_.objectives);
    if (over >= 2 && (middles_ > 0 || goes_far_enough)) return {};
    return bounded(Step::outward, larger(top()));
  }

  // The aggregate grew by less than 3% over the last two doublings.
  bool flattened_twice() const {
    const std::size_t n = levels_.size();
    if (n >= 3 && grew_too_little(*levels_[n - 3], *levels_[n - 2]) &&
        grew_too_little(*levels_[n - 2], *levels_[n - 1]))
      return true;
    return middles_ > 0;
  }

  // Highest load that is under, lowest above it that is over; where the order is broken, the lowest that is over and
  // the highest under below it. Low is 1 where nothing is under: there is no load below.
  std::optional<Bracket> bracket() const {
    std::optional<double> low, high;
    for (const LevelResult* level : levels_) {
      if (level_is(*level, Verdict::under)) low = level->level.target;
    }
    for (const LevelResult* level : levels_) {
      if (level_is(*level, Verdict::over) && level->level.target > low.value_or(0) && !high) high = level->level.target;
    }
    if (high) return Bracket{low.value_or(levels_.front()->level.target), *high};
    low.reset();
    for (const LevelResult* level : levels_) {
      if (level_is(*level, Verdict::over))
        return Bracket{low.value_or(levels_.front()->level.target), level->level.target};
      if (level_is(*level, Verdict::under)) low = level->level.target;
    }
    return std::nullopt;
  }

  NextStep middle(Bracket bracket) const { return widest_gap(bracket.low, bracket.high, Step::inside); }

  NextStep fill() const {
    if (levels_.size() >= settings_.least_levels) return {};
    return widest_gap(levels_.front()->level.target, top(), Step::filling);
  }

  // The whole number nearest to the geometric middle of the widest gap (by ratio) that has one inside.
  NextStep widest_gap(double from, double to, Step step) const {
    double widest = 1;
    NextStep next;
    for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
      const double low = levels_[i]->level.target, high = levels_[i + 1]->level.target;
      if (low < from || high > to || high / low <= widest || std::floor(low) + 1 >= high) continue;
      widest = high / low;
      next = {step, std::clamp(std::round(std::sqrt(low * high)), std::floor(low) + 1, std::ceil(high) - 1)};
    }
    return next;
  }

  const LadderSettings& settings_;
  std::vector<const LevelResult*> levels_;
  std::size_t middles_;
};

}  // namespace

std::optional<double> next_level(const std::vector<LevelResult>& results, const LadderSettings& settings) {
  std::size_t middles = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const NextStep said = Ladder(std::span(results).first(i), settings, middles).next();
    const bool followed = said.step != Step::complete && said.load == results[i].level.target;
    if (followed && said.step != Step::outward) ++middles;
  }
  const NextStep next = Ladder(results, settings, middles).next();
  if (next.step == Step::complete) return std::nullopt;
  return next.load;
}

}  // namespace loadline
