#include "report/sample_words.h"

#include <fmt/format.h>

#include <vector>

#include "report/number_words.h"

namespace loadline {
namespace {

std::string joined(const std::vector<std::string>& parts) { return fmt::format("{}", fmt::join(parts, ", ")); }

std::string ks_words(const SampleDistance& sample) {
  std::vector<std::string> parts;
  if (sample.prompt_ks) parts.push_back("prompt " + figure_number(*sample.prompt_ks));
  if (sample.completion_ks) parts.push_back("completion " + figure_number(*sample.completion_ks));
  return parts.empty() ? "" : "KS distance " + joined(parts);
}

std::string hit_rate_words(const SampleDistance& sample) {
  std::vector<std::string> parts;
  if (sample.log_hit_rate) parts.push_back(figure_percent(*sample.log_hit_rate) + " in the log");
  if (sample.sample_hit_rate) parts.push_back(figure_percent(*sample.sample_hit_rate) + " drawn");
  if (sample.uncut_hit_rate)
    parts.push_back(figure_percent(*sample.uncut_hit_rate) + " before long prompts were cut or dropped");
  return parts.empty() ? "" : "token hit rate " + joined(parts);
}

}  // namespace

std::string sample_words(const SampleDistance& sample) {
  const std::string distance = ks_words(sample), hits = hit_rate_words(sample);
  return distance + (distance.empty() || hits.empty() ? "" : "; ") + hits;
}

std::string over_limit_words(std::uint64_t cut_prompts, std::uint64_t dropped_prompts) {
  const auto prompts = [](std::uint64_t n) { return figure_count(n) + (n == 1 ? " prompt" : " prompts"); };
  std::vector<std::string> parts;
  if (cut_prompts > 0) parts.push_back(prompts(cut_prompts) + " cut to the longest allowed");
  if (dropped_prompts > 0) parts.push_back(prompts(dropped_prompts) + " dropped as too long");
  return joined(parts);
}

}  // namespace loadline
