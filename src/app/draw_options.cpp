#include "app/draw_options.h"

#include <fmt/format.h>

#include <cstdio>

#include "core/error.h"
#include "report/number_words.h"
#include "workload/sample_distance.h"

namespace loadline {

std::optional<Sampler> sampler_of(const std::string& word) {
  if (word.empty()) return std::nullopt;
  const std::optional<Sampler> sampler = sampler_named(word);
  if (sampler && *sampler != Sampler::quantiles && *sampler != Sampler::lognormal) return sampler;
  throw Error(fmt::format("--sampler: '{}' is unknown; known are sessions, rows and replay", word));
}

bool drops_over_limit(const std::string& word, std::string_view flag) {
  if (word != "drop" && word != "clip") {
    throw Error(fmt::format("{}: '{}' is unknown; drop leaves longer prompts out, clip cuts them", flag, word));
  }
  return word == "drop";
}

void print_sample(const Workload& workload, const SampleDistance& distance) {
  fmt::print(stderr, "{} {} by the sampler {}", figure_count(workload.requests.size()),
             workload.requests.size() == 1 ? "request" : "requests", name(workload.sampler));
  if (distance.prompt_ks) fmt::print(stderr, ", prompt KS {:.4f}", *distance.prompt_ks);
  if (distance.completion_ks) fmt::print(stderr, ", completion KS {:.4f}", *distance.completion_ks);
  if (distance.log_hit_rate && distance.sample_hit_rate) {
    fmt::print(stderr, ", prefix sharing {} in the log and {} here", figure_percent(*distance.log_hit_rate),
               figure_percent(*distance.sample_hit_rate));
  }
  fmt::print(stderr, "\n");
  for (const std::string& reason : reasons_for_doubt(distance)) fmt::print(stderr, "  doubtful: {}\n", reason);
  if (workload.cut_prompts + workload.dropped_prompts == 0) return;
  fmt::print(stderr, "  {} prompts over the limit were {}",
             figure_count(workload.cut_prompts + workload.dropped_prompts),
             workload.dropped_prompts > 0 ? "left out" : "cut");
  if (distance.uncut_hit_rate && distance.sample_hit_rate) {
    fmt::print(stderr, "; prefix sharing {} before and {} after", figure_percent(*distance.uncut_hit_rate),
               figure_percent(*distance.sample_hit_rate));
  }
  fmt::print(stderr, "\n");
}

}  // namespace loadline
