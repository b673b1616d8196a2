#include "measure/lengths_told.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace loadline {
namespace {

std::int64_t prompt_length(const RequestRecord& record) {
  return record.prompt_tokens.value_or(record.planned_prompt).value();
}

// More hits than the prompt has tokens tell nothing.
std::optional<std::int64_t> cached_length(const RequestRecord& record) {
  if (!record.cached_tokens || record.cached_tokens->value() > prompt_length(record)) return std::nullopt;
  return record.cached_tokens->value();
}

void tell_counts(const LevelRecords& records, const MeasuredSet& set, LevelResult& result) {
  std::vector<std::int64_t> prompt, completion, planned_prompt, planned_completion;
  std::uint64_t forced = 0, obeyed = 0;
  for (const std::uint32_t member : set.members) {
    const RequestRecord& record = records.requests[member];
    // 0: a length that nobody knew beforehand.
    if (record.planned_prompt.value() > 0) planned_prompt.push_back(record.planned_prompt.value());
    if (record.planned_completion.value() > 0) planned_completion.push_back(record.planned_completion.value());
  }
  for (const std::uint32_t member : set.succeeded) {
    const RequestRecord& record = records.requests[member];
    if (record.prompt_tokens) prompt.push_back(record.prompt_tokens->value());
    if (!record.completion_tokens) continue;
    completion.push_back(record.completion_tokens->value());
    // A tokenizer's count of a text is not what was generated, to the token.
    if (record.planned_completion.value() <= 0 || record.token_source != TokenSource::server) continue;
    ++forced;
    obeyed += *record.completion_tokens == record.planned_completion ? 1 : 0;
  }
  if (forced > 0) result.lengths_obeyed_share = static_cast<double>(obeyed) / static_cast<double>(forced);
  double sum = 0, squares = 0;
  for (const std::int64_t n : completion) sum += static_cast<double>(n);
  const double mean = completion.empty() ? 0 : sum / static_cast<double>(completion.size());
  for (const std::int64_t n : completion) squares += (static_cast<double>(n) - mean) * (static_cast<double>(n) - mean);
  if (completion.size() > 1 && mean > 0) {
    result.completion_cv = std::sqrt(squares / static_cast<double>(completion.size() - 1)) / mean;
  }
  result.prompt_tokens = summarise_lengths(std::move(prompt));
  result.completion_tokens = summarise_lengths(std::move(completion));
  result.planned_prompt_tokens = summarise_lengths(std::move(planned_prompt));
  result.planned_completion_tokens = summarise_lengths(std::move(planned_completion));
}

void tell_shapes(const LevelRecords& records, const MeasuredSet& set, LevelResult& result) {
  double contexts = 0, decoded = 0;
  LevelResult::RequestMeans sums;
  for (const std::uint32_t member : set.succeeded) {
    const RequestRecord& record = records.requests[member];
    if (!record.completion_tokens) continue;
    const std::int64_t prompt = prompt_length(record), out = record.completion_tokens->value();
    const std::int64_t cached = cached_length(record).value_or(0);
    result.shapes.push_back({prompt - cached, cached, out});
    sums.new_tokens += static_cast<double>(prompt - cached);
    sums.cached_tokens += static_cast<double>(cached);
    sums.out_tokens += static_cast<double>(out);
    // Token j + 1 (j = 1 .. out - 1) is decoded at a context of prompt + j.
    const auto steps = static_cast<double>(std::max<std::int64_t>(0, out - 1));
    contexts += steps * static_cast<double>(prompt) + steps * (steps + 1) / 2;
    decoded += steps;
  }
  if (decoded > 0) result.mean_context_tokens = contexts / decoded;
  if (result.shapes.empty()) return;
  const auto n = static_cast<double>(result.shapes.size());
  result.request_means = {sums.new_tokens / n, sums.cached_tokens / n, sums.out_tokens / n};
}

void tell_cache(const LevelRecords& records, const MeasuredSet& set, CacheResult& cache) {
  std::int64_t hit = 0, asked = 0;
  for (const std::uint32_t member : set.succeeded) {
    const RequestRecord& record = records.requests[member];
    const std::optional<std::int64_t> cached = cached_length(record);
    if (!cached || !record.prompt_tokens) continue;
    hit += *cached;
    asked += record.prompt_tokens->value();
  }
  if (asked <= 0) return;
  cache.measured_rate = static_cast<double>(hit) / static_cast<double>(asked);
  cache.source = "usage";
}

}  // namespace

void tell_lengths(const LevelRecords& records, const MeasuredSet& set, LevelResult& result) {
  tell_counts(records, set, result);
  tell_shapes(records, set, result);
  tell_cache(records, set, result.cache);
}

}  // namespace loadline
