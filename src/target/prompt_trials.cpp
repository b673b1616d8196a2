// First the exact way: a prompt of token ids whose count the server confirms. Else two prompts of words of
// different length give the line "prompt tokens = template + slope * words", by which lengths are hit on
// average, unless words are found that make it exact (exact_text).

#include "target/prompt_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "core/random.h"
#include "target/body.h"
#include "target/exact_text.h"
#include "target/refusal.h"
#include "target/words.h"

namespace loadline {
namespace {

constexpr std::int64_t trial_prompt = 40, trial_answer = 16;
constexpr std::int64_t few_words = 24, many_words = 184;
constexpr Nanos longest_count = std::chrono::seconds(10);  // of an engine's own count of a text
constexpr int busy_retries = 5;                            // a server that is still busy after so many is not idle
/// Tokens a common word can plausibly have; beyond, the server counted something else than this prompt.
constexpr double least_slope = 0.5, most_slope = 8;

bool is_busy(const TrialAnswer& answer) { return answer.http.status == 429 || answer.http.status == 503; }

std::uint64_t fresh_salt() {
  return mix(0x747269616cULL, static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()));
}

}  // namespace

PromptTrials::PromptTrials(Target& target, const TargetSettings& settings, const Credentials& credentials)
    : target_(target), settings_(settings), credentials_(credentials), salt_(fresh_salt()) {}

void PromptTrials::run() {
  const std::string& wanted = settings_.endpoint_type;
  if (wanted != "chat" && !settings_.log_texts && try_token_ids()) return;
  std::string trouble;
  if (wanted != "completions") {
    target_.endpoint = Endpoint::chat;
    trouble = try_words();
    if (trouble.empty()) return;
  }
  if (wanted != "chat") {
    target_.endpoint = Endpoint::completions;
    const std::string other = try_words();
    if (other.empty()) return;
    if (trouble != other)
      trouble = trouble.empty() ? other : fmt::format("{} (chat); {} (completions)", trouble, other);
  }
  refuse_target(credentials_, fmt::format("{} fails a small request for the model \"{}\": {}",
                                          target_.servers.front().url.text(), target_.model, trouble));
}

TrialAnswer PromptTrials::send_patiently(const std::string& body) const {
  const Server& server = target_.servers.front();
  TrialAnswer answer = try_request(server, request_path(target_, server), body, settings_.request_timeout);
  for (int again = 0; again < busy_retries && is_busy(answer); ++again) {
    std::this_thread::sleep_for(settings_.busy_pause);
    answer = try_request(server, request_path(target_, server), body, settings_.request_timeout);
  }
  return answer;
}

TrialAnswer PromptTrials::send(const std::string& body) {
  const Server& server = target_.servers.front();
  TrialAnswer answer = send_patiently(body);
  const unsigned status = answer.http.status;
  if (status == 401 || status == 403) refuse_unauthorized(credentials_, server, status);
  if (answer.http.reached == Reached::timed_out) {
    refuse_target(credentials_,
                  fmt::format("{} did not end its answer to a small request within {:g} s; wait until it is ready "
                              "and idle, and see whether it answers at all",
                              server.url.text(), seconds(settings_.request_timeout)));
  }
  if (is_busy(answer) || answer.http.reached != Reached::answered) {
    refuse_target(credentials_,
                  fmt::format("{} does not answer a trial request now: {}; wait until it is ready and idle",
                              server.url.text(), answer.trouble));
  }
  if (!answer.fingerprint.empty()) target_.fingerprint = answer.fingerprint;
  return answer;
}

/// A plan of one request through the load's own writer: what is tried is what will be sent.
TrialAnswer PromptTrials::send_token_ids() {
  Plan plan;
  plan.requests.resize(1);
  Request& request = plan.requests.front().request;
  request.prompt.length = Tokens(trial_prompt);
  request.prompt.own = next_own_++;
  request.completion = Tokens(trial_answer);
  Target trial = target_;
  trial.token_ids = true;
  std::string body;
  body_writer(trial, salt_)(plan, 0, body);
  return send(body);
}

TrialAnswer PromptTrials::send_words(std::int64_t count) {
  Random random(mix(salt_, next_own_++));
  std::vector<std::uint32_t> indices;
  for (std::int64_t i = 0; i < count; ++i) {
    indices.push_back(static_cast<std::uint32_t>(random.below(common_words().size())));
  }
  std::string text, body;
  append_words(indices, text);
  append_text_body(body, target_.endpoint, sampling_members(target_, Tokens(trial_answer)), text);
  return send(body);
}

bool PromptTrials::try_token_ids() {
  target_.endpoint = Endpoint::completions;
  const TrialAnswer answer = send_token_ids();
  if (!answer.finished || !answer.usage || answer.usage->prompt_tokens != trial_prompt) return false;
  target_.token_ids = true;
  note_answer(answer);
  return true;
}

/// Empty when prompts of words work on target_.endpoint, else why not.
std::string PromptTrials::try_words() {
  const TrialAnswer few = send_words(few_words);
  if (!few.finished) return few.trouble;
  const TrialAnswer many = send_words(many_words);
  if (!many.finished) return many.trouble;
  note_answer(many);
  fit_line(few, many);
  if (target_.tokens_per_word && !settings_.log_texts) make_exact();
  return "";
}

void PromptTrials::make_exact() {
  const TrialSender sender = [this](const std::string& body) { return send_patiently(body); };
  const Nanos timeout = std::min<Nanos>(longest_count, settings_.request_timeout);
  find_exact_text(target_, sender, mix(salt_, next_own_++), timeout);
}

void PromptTrials::fit_line(const TrialAnswer& few, const TrialAnswer& many) {
  if (!few.usage || !many.usage || !few.usage->prompt_tokens || !many.usage->prompt_tokens) {
    target_.remarks.emplace_back(
        "The server does not count prompt tokens: a word is taken for a token, so prompt lengths are "
        "estimates.");
    return;
  }
  const std::int64_t low = *few.usage->prompt_tokens, high = *many.usage->prompt_tokens;
  const double slope = static_cast<double>(high - low) / static_cast<double>(many_words - few_words);
  if (slope < least_slope || slope > most_slope) {
    target_.remarks.push_back(
        fmt::format("The server counts {} tokens for {} words and {} for {}: prompt lengths are "
                    "estimates.",
                    low, few_words, high, many_words));
    return;
  }
  target_.tokens_per_word = slope;
  target_.template_tokens = std::max(0.0, static_cast<double>(low) - slope * static_cast<double>(few_words));
}

void PromptTrials::note_answer(const TrialAnswer& answer) {
  target_.reports_usage = answer.usage && answer.usage->completion_tokens;
  const bool exact = target_.reports_usage && *answer.usage->completion_tokens == trial_answer;
  const bool asked = target_.sends_ignore_eos || target_.sends_min_tokens;
  target_.forced_lengths = asked && exact;
  if (asked && !exact) {
    target_.remarks.emplace_back(
        "The engine did not give the length it was told to: answers end where the model ends them.");
  }
  if (!target_.reports_usage) {
    target_.remarks.emplace_back(
        "The stream ends without token counts (stream_options.include_usage): output tokens are estimates.");
  }
}

}  // namespace loadline
