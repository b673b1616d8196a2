// First the exact way: a prompt of token ids whose count the server confirms. Else two prompts of words of
// different length give the line "prompt tokens = template + slope * words", by which lengths are hit on
// average, unless words are found that make it exact (exact_text).

#include "target/prompt_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
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

/// One reason is said once, several with the endpoint of each.
std::string all_troubles(const std::vector<Endpoint>& tried, const std::vector<std::string>& troubles) {
  const bool one = std::ranges::count(troubles, troubles.front()) == static_cast<std::ptrdiff_t>(troubles.size());
  if (one) return troubles.front();
  std::string all;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    all += fmt::format("{}{} ({})", i == 0 ? "" : "; ", troubles[i], endpoint_row(tried[i]).name);
  }
  return all;
}

}  // namespace

PromptTrials::PromptTrials(Target& target, const TargetSettings& settings, const Credentials& credentials)
    : target_(target), settings_(settings), credentials_(credentials), salt_(fresh_salt()) {}

void PromptTrials::use(Endpoint endpoint) {
  target_.endpoint = endpoint;
  target_.streamed = settings_.stream && endpoint_row(endpoint).streams;
}

void PromptTrials::run(std::optional<Endpoint> wanted) {
  const Endpoint by_ids = wanted.value_or(Endpoint::completions);
  const bool takes_ids = !endpoint_row(by_ids).body.token_ids.empty();
  if (takes_ids && !settings_.log_texts && try_token_ids(by_ids)) return;
  const std::vector<Endpoint> by_words =
      wanted ? std::vector{*wanted} : std::vector{Endpoint::chat, Endpoint::completions};
  std::vector<std::string> troubles;
  for (const Endpoint endpoint : by_words) {
    troubles.push_back(try_words(endpoint));
    if (troubles.back().empty()) return;
  }
  refuse_target(credentials_,
                fmt::format("{} fails a small request for the model \"{}\": {}", target_.servers.front().url.text(),
                            target_.model, all_troubles(by_words, troubles)));
}

void PromptTrials::confirm(const Server& server) {
  const std::int64_t length = std::max<std::int64_t>(trial_prompt, std::llround(target_.template_tokens) + few_words);
  const std::string build = target_.fingerprint, first = target_.servers.front().url.text();
  const TrialAnswer answer = send_planned(server, target_, length);
  target_.fingerprint = build;
  const auto refuse = [&](const std::string& why) {
    refuse_target(credentials_,
                  fmt::format("{} {}; all URLs must be replicas of one deployment", server.url.text(), why));
  };
  if (!answer.finished) refuse(fmt::format("fails a small request that {} answers: {}", first, answer.trouble));
  if (answer.fingerprint != build) {
    refuse(fmt::format("tells engine.build \"{}\" where {} tells \"{}\"", answer.fingerprint, first, build));
  }
  if (!target_.token_ids && !target_.exact_text) return;
  if (answer.usage && answer.usage->prompt_tokens == length) return;
  refuse(fmt::format("does not count {} tokens for a prompt of {}, as {} does", length, length, first));
}

TrialAnswer PromptTrials::send_patiently(const Server& server, const std::string& body) const {
  const EndpointRow& endpoint = endpoint_row(target_.endpoint);
  const auto try_once = [&] {
    return try_request(server, request_path(target_, server), body, settings_.request_timeout, endpoint,
                       target_.streamed);
  };
  TrialAnswer answer = try_once();
  for (int again = 0; again < busy_retries && is_busy(answer); ++again) {
    if (settings_.stop != nullptr && *settings_.stop) break;
    std::this_thread::sleep_for(settings_.busy_pause);
    answer = try_once();
  }
  return answer;
}

TrialAnswer PromptTrials::send(const Server& server, const std::string& body) {
  TrialAnswer answer = send_patiently(server, body);
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
TrialAnswer PromptTrials::send_planned(const Server& server, const Target& target, std::int64_t prompt_tokens) {
  Plan plan;
  plan.requests.resize(1);
  Request& request = plan.requests.front().request;
  request.prompt.length = Tokens(prompt_tokens);
  request.prompt.own = next_own_++;
  request.completion = Tokens(trial_answer);
  std::string body;
  body_writer(target, salt_)(plan, 0, body);
  return send(server, body);
}

TrialAnswer PromptTrials::send_words(std::int64_t count) {
  Random random(mix(salt_, next_own_++));
  std::vector<std::uint32_t> indices;
  for (std::int64_t i = 0; i < count; ++i) {
    indices.push_back(static_cast<std::uint32_t>(random.below(common_words().size())));
  }
  std::string text, body;
  append_words(indices, text);
  const BodyShape& shape = endpoint_row(target_.endpoint).body;
  append_text_body(body, shape, sampling_members(target_, Tokens(trial_answer)), text);
  return send(target_.servers.front(), body);
}

bool PromptTrials::try_token_ids(Endpoint endpoint) {
  use(endpoint);
  Target trial = target_;
  trial.token_ids = true;
  const TrialAnswer answer = send_planned(target_.servers.front(), trial, trial_prompt);
  if (!answer.finished || !answer.usage || answer.usage->prompt_tokens != trial_prompt) return false;
  target_.token_ids = true;
  note_answer(answer);
  return true;
}

/// Empty when prompts of words work on that endpoint, else why not.
std::string PromptTrials::try_words(Endpoint endpoint) {
  use(endpoint);
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
  const TrialSender sender = [this](const std::string& body) { return send_patiently(target_.servers.front(), body); };
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
  const bool generates = endpoint_row(target_.endpoint).streams;
  const std::optional<std::int64_t> told = answer.usage ? answer.usage->completion_tokens : std::nullopt;
  target_.reports_usage = generates ? told.has_value() : answer.usage && answer.usage->prompt_tokens;
  const bool exact = told == trial_answer;
  const bool asked = target_.sends_ignore_eos || target_.sends_min_tokens;
  target_.forced_lengths = generates && asked && exact;
  if (!generates) return;
  if (asked && !exact) {
    target_.remarks.emplace_back(
        "The engine did not give the length it was told to: answers end where the model ends them.");
  }
  if (!target_.reports_usage) {
    target_.remarks.emplace_back(
        "Answers come without token counts (on chat and completions: stream_options.include_usage): output tokens are "
        "estimates.");
  }
}

}  // namespace loadline
