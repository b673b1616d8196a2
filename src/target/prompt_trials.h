#pragma once
// Trial requests of the load's own kind: how prompts must be written for this target, and whether it obeys.

#include <cstdint>
#include <string>

#include "target/credentials.h"
#include "target/target.h"
#include "target/trial.h"

namespace loadline {

/// Fills what only trying can tell: endpoint, token_ids or tokens_per_word, template_tokens and the exact words,
/// forced_lengths, reports_usage, fingerprint, remarks.
class PromptTrials {
 public:
  /// All three outlive the trials.
  PromptTrials(Target& target, const TargetSettings& settings, const Credentials& credentials);
  /// Error where no kind of request is answered by a stream with output, or one is not answered in time. An answer of
  /// 429 or 503 is tried again five times first.
  void run();

 private:
  bool try_token_ids();
  std::string try_words();
  void fit_line(const TrialAnswer& few, const TrialAnswer& many);
  void note_answer(const TrialAnswer& answer);
  void make_exact();
  TrialAnswer send_patiently(const std::string& body) const;
  TrialAnswer send(const std::string& body);
  TrialAnswer send_token_ids();
  TrialAnswer send_words(std::int64_t count);

  Target& target_;
  const TargetSettings& settings_;
  const Credentials& credentials_;
  std::uint64_t salt_;  ///< fresh in every process: no prompt is found in a cache
  std::uint64_t next_own_ = 1;
};

}  // namespace loadline
