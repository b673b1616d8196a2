#pragma once
// Trial requests of the load's own kind: how prompts must be written for this target, and whether it obeys.

#include <cstdint>
#include <optional>
#include <string>

#include "target/credentials.h"
#include "target/target.h"
#include "target/trial.h"

namespace loadline {

/// Fills what only trying can tell: endpoint, streamed, token_ids or tokens_per_word, template_tokens and the exact
/// words, forced_lengths, reports_usage, fingerprint, remarks.
class PromptTrials {
 public:
  /// All three outlive the trials.
  PromptTrials(Target& target, const TargetSettings& settings, const Credentials& credentials);
  /// Error where no kind of request is answered with output, in the pieces asked for, or one is not answered in time.
  /// An answer of 429 or 503 is tried again five times first. `wanted` absent: completions with token ids, else chat
  /// with words, else completions with words.
  void run(std::optional<Endpoint> wanted);
  /// After `run`: one request of the kind found, to a further server. Error where it does not answer it as the first
  /// one does.
  void confirm(const Server& server);

 private:
  void use(Endpoint endpoint);
  bool try_token_ids(Endpoint endpoint);
  std::string try_words(Endpoint endpoint);
  void fit_line(const TrialAnswer& few, const TrialAnswer& many);
  void note_answer(const TrialAnswer& answer);
  void make_exact();
  TrialAnswer send_patiently(const Server& server, const std::string& body) const;
  TrialAnswer send(const Server& server, const std::string& body);
  TrialAnswer send_planned(const Server& server, const Target& target, std::int64_t prompt_tokens);
  TrialAnswer send_words(std::int64_t count);

  Target& target_;
  const TargetSettings& settings_;
  const Credentials& credentials_;
  std::uint64_t salt_;  ///< fresh in every process: no prompt is found in a cache
  std::uint64_t next_own_ = 1;
};

}  // namespace loadline
