#include "report/plan_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "report/escape.h"
#include "report/number_words.h"
#include "report/sample_words.h"
#include "report/text_page.h"
#include "report/trace_stats_words.h"

namespace loadline {
namespace {

std::string load_words(const Level& level) {
  if (level.kind == LevelKind::concurrency) {
    return fmt::format("{} {}, each waits for its answer", figure_setting(level.target),
                       level.target == 1 ? "user" : "users");
  }
  return fmt::format("{} requests/s, {} arrivals", figure_setting(level.target), name(level.arrivals));
}

void put_lengths(TextPage& out, std::string_view what, const LengthSummary& lengths) {
  out.say("  {:<18}", what);
  for (const std::int64_t value : {lengths.min, lengths.p50, lengths.p90, lengths.p99, lengths.max}) {
    out.say("{:>10}", figure_count(value));
  }
  out.say("{:>10}\n", figure_number(lengths.mean));
}

std::string due_words(const PlannedRequest& planned) {
  const auto* offset = std::get_if<AtOffset>(&planned.due);
  if (offset) return fmt::format("{:.3f} s", seconds(offset->after_level_start));
  const auto* turn = std::get_if<AfterTurn>(&planned.due);
  if (turn == nullptr) return "user free";
  const std::string pause = turn->pause > Nanos(0) ? fmt::format(" + {:.3f} s", seconds(turn->pause)) : "";
  if (turn->not_before > Nanos(0)) {
    return fmt::format("{:.3f} s, or end of {}{}", seconds(turn->not_before), turn->before, pause);
  }
  return fmt::format("end of {}{}", turn->before, pause);
}

/// A length of 0 is one that nobody has counted, or that the model decides.
std::string known_tokens(Tokens length) { return length.value() > 0 ? figure_count(length.value()) : absent_mark; }

void put_requests(TextPage& out, const PlannedLevel& level, std::size_t shown) {
  const std::size_t n = std::min(shown, level.plan.requests.size());
  if (n == 0) return;
  check(level.shared.size() >= n, "what is shared is known of every request shown");
  out.say("  {:>8}{:>22}{:>10}{:>12}{:>10}{:>9}{:>6}\n", "request", "due", "prompt", "completion", "shared", "session",
          "turn");
  for (std::size_t i = 0; i < n; ++i) {
    const PlannedRequest& planned = level.plan.requests[i];
    const Request& request = planned.request;
    const bool in_session = request.session != no_session;
    out.say("  {:>8}{:>22}{:>10}{:>12}{:>10}{:>9}{:>6}\n", i, due_words(planned), known_tokens(request.prompt.length),
            known_tokens(request.completion), figure_count(level.shared[i].value()),
            in_session ? fmt::to_string(request.session) : absent_mark,
            in_session ? fmt::to_string(request.turn) : absent_mark);
  }
}

void put_sample(TextPage& out, const PlannedLevel& level) {
  if (!level.sampler.empty()) out.say("  drawn by the sampler {}\n", level.sampler);
  const std::string distance = level.sample ? sample_words(*level.sample) : "";
  if (!distance.empty()) out.say("  against the log: {}\n", distance);
}

void put_level(TextPage& out, const PlannedLevel& level, const PlanPage& page, std::size_t shown) {
  out.say("\nLevel {}: {}\n", level.plan.ordinal, load_words(level.plan.level));
  out.say(
      "  {} requests drawn (a level stops when its rules are met, so it rarely sends them all), digest "
      "{:016x}\n",
      figure_count(static_cast<std::uint64_t>(level.plan.requests.size())), level.digest);
  if (level.plan.requests.empty()) return;
  out.say("  {:<18}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}\n", with_token_origin("tokens", page.tokens_estimated), "min",
          "p50", "p90", "p99", "max", "mean");
  put_lengths(out, "prompt", level.prompt_tokens);
  put_lengths(out, "completion", level.completion_tokens);
  if (level.plan.blocks.empty()) {
    out.say("  no prefix is shared: every prompt is unique\n");
  } else {
    out.say(
        "  {} of the prompt tokens repeat an earlier prefix (blocks of {} tokens, a cache that forgets "
        "nothing)\n",
        figure_percent(level.prefix_sharing_rate), level.plan.block_size);
  }
  put_sample(out, level);
  if (level.dropped_prompts > 0) out.say("  {}\n", over_limit_words(0, level.dropped_prompts));
  if (level.cut_prompts + level.cut_completions > 0) {
    out.say("  cut to the longest allowed: {} prompts, {} completions\n", figure_count(level.cut_prompts),
            figure_count(level.cut_completions));
  }
  put_requests(out, level, shown);
}

}  // namespace

std::string plan_text(const PlanPage& page, std::size_t shown) {
  TextPage out;
  out.say("What would be sent from {}, seed {}. Nothing has been sent.\n", escape_terminal(page.source), page.seed);
  if (!page.assumption.empty()) out.say("{}\n", escape_terminal(page.assumption));
  if (page.scale_lengths != 1) out.say("Both lengths are multiplied by {}.\n", page.scale_lengths);
  for (const PlannedLevel& level : page.levels) put_level(out, level, page, shown);
  return out.text();
}

}  // namespace loadline
