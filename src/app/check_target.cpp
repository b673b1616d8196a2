#include "app/check_target.h"

#include <fmt/format.h>

#include <cstdio>

#include "app/expected_time.h"
#include "report/escape.h"
#include "report/number_words.h"
#include "target/cache.h"

namespace loadline {
namespace {

// A curve of 8 to 12 levels of 1,000 requests or twice that, and 12 to 40 visits of 1,000.
constexpr double least_sweep_requests = 20'000, most_sweep_requests = 60'000;

void print_facts(const RunDescription& description) {
  std::vector<std::string> unknown;
  fmt::print("facts\n");
  for (const Fact& fact : with_unknowns(description.facts)) {
    if (fact.source == FactSource::unknown) {
      unknown.push_back(fact.key);
    } else {
      fmt::print("  {:<34} {}  ({})\n", escape_terminal(fact.key), escape_terminal(fact.value), name(fact.source));
    }
  }
  if (!unknown.empty()) fmt::print("  unknown, state them with --fact KEY=VALUE: {}\n", fmt::join(unknown, ", "));
}

void print_requests(const Target& target, const std::string& content) {
  fmt::print(
      "requests\n  {} with {}\n", endpoint_row(target.endpoint).words,
      content == "log"   ? "the log's own texts, as they stand"
      : target.token_ids ? "token ids: prompts have exactly their length"
      : target.exact_text
          ? fmt::format(
                "words that are one token each ({} of them found), and {:.0f} tokens for the template: prompts have exactly their length",
                target.exact_words.size(), target.template_tokens)
      : target.tokens_per_word
          ? fmt::format("words: {:.2f} tokens each and {:.0f} for the template, so that lengths are met on average",
                        *target.tokens_per_word, target.template_tokens)
          : "words: the server does not count tokens, so lengths are not known");
  fmt::print("  completion lengths are {}\n", target.forced_lengths ? "obeyed"
                                              : endpoint_row(target.endpoint).streams
                                                  ? "not forced by this target: they are the model's own"
                                                  : "none: this endpoint generates no text");
  fmt::print("  token counts come {}\n",
             target.reports_usage ? "from the server's usage report" : "from nobody: the server reports no usage");
  if (target.context_limit) fmt::print("  context limit {} tokens\n", figure_count(target.context_limit->value()));
  for (const std::string& remark : target.remarks) fmt::print("  {}\n", escape_terminal(remark));
}

/// Empties the cache where the run would: that is how it is known whether it can be.
void print_cache(const Target& target, const std::string& state) {
  fmt::print("prefix cache ({})\n", state);
  if (state != "cold") {
    fmt::print("  left as it is\n");
    return;
  }
  const CacheReset reset = reset_cache(target);
  fmt::print(
      "  {}\n",
      reset.done ? "can be emptied before every level (and is empty now)"
      : reset.possible
          ? "could not be emptied now: " + escape_terminal(reset.words)
          : "cannot be emptied over HTTP: fresh prompts keep it cold, and the hit rate is measured where the server tells");
}

void print_cost(const RunSettings& settings, const Input& input, double engine_speed) {
  fmt::print("expected cost\n  {}\n", expected_time_words(settings, engine_speed));
  const double repeats = settings.repeats;
  if (settings.rules.num_prompts && !settings.levels.empty()) {
    const double requests = repeats * static_cast<double>(*settings.rules.num_prompts * settings.levels.size());
    fmt::print("  {} requests measured, about {} output tokens\n", figure_number(requests),
               figure_number(requests * input.mean_completion));
  } else if (settings.levels.empty() && settings.goal.refine && !settings.rules.objectives.empty()) {
    fmt::print("  a sweep until the capacity is known measures some {} to {} requests, about {} to {} output tokens\n",
               figure_number(repeats * least_sweep_requests), figure_number(repeats * most_sweep_requests),
               figure_number(repeats * least_sweep_requests * input.mean_completion),
               figure_number(repeats * most_sweep_requests * input.mean_completion));
  }
}

}  // namespace

ExitStatus check_target(const RunSettings& settings, const Input& input, const ReachedTarget& reached,
                        const RunDescription& description) {
  const Target& target = reached.target;
  fmt::print("target\n  {}\n  engine {}, model {}\n", escape_terminal(description.target),
             escape_terminal(target.engine), escape_terminal(target.model));
  print_requests(target, description.content);
  print_cache(target, description.cache_state);
  print_facts(description);
  fmt::print("input\n  {}\n", escape_terminal(input.source));
  if (!input.assumption.empty()) fmt::print("  {}\n", input.assumption);
  print_cost(settings, input, description.engine_speed);
  return ExitStatus::valid;
}

}  // namespace loadline
