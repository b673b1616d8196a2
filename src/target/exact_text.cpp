#include "target/exact_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "target/body.h"
#include "target/dialect.h"
#include "target/one_token_words.h"
#include "target/tokenize_route.h"
#include "target/words.h"

namespace loadline {
namespace {

constexpr std::size_t enough_words = 64;
constexpr int most_trials = 24;
constexpr int most_route_counts = 100;            // they cost no generation
constexpr std::int64_t words_of_the_proof = 160;  // most words come up twice or more, in another order

class ExactText {
 public:
  ExactText(Target& target, const TrialSender& send, std::uint64_t salt, Nanos timeout)
      : target_(target), send_(send), salt_(salt), timeout_(timeout), dialect_(dialect_named(target.engine)) {}

  void run() {
    if (try_route() || try_usage()) return;
    target_.remarks.push_back(why_not_ + ": prompts of words meet their lengths on average, not exactly.");
  }

 private:
  bool try_route() {
    const TokenCounter by_route = [this](const std::string& text) {
      return told_by_tokenize(target_, dialect_, text, timeout_);
    };
    const OneTokenWords found = find_one_token_words(by_route, {common_words().size(), most_route_counts});
    if (found.words.size() < enough_words) return false;
    std::string opening;
    append_words({&opening_word, 1}, opening);
    return prove(usage_of(opening), found.words);
  }

  bool try_usage() {
    const TokenCounter by_usage = [this](const std::string& text) { return usage_of(text); };
    const OneTokenWords found = find_one_token_words(by_usage, {enough_words, trials_left_ - 1});
    why_not_ = found.opening
                   ? fmt::format("Only {} common words are known to be one token each here, after {} trial requests",
                                 found.words.size(), most_trials - trials_left_)
                   : std::string("The server does not count a trial request of one output token");
    return found.words.size() >= enough_words && prove(found.opening, found.words);
  }

  /// Adopts the words where a prompt made of them counts as it was made.
  bool prove(std::optional<std::int64_t> opening, const std::vector<std::uint32_t>& words) {
    if (!opening || *opening < 1) return false;
    Target exact = target_;
    exact.exact_text = true;
    exact.exact_words = words;
    exact.tokens_per_word = 1;
    exact.template_tokens = static_cast<double>(*opening - 1);
    const std::int64_t made = *opening + words_of_the_proof;
    const std::optional<std::int64_t> told = usage_of_prompt(exact, made);
    if (told == made) {
      target_ = std::move(exact);
    } else {
      why_not_ = told ? fmt::format("The server counts {} tokens for a prompt made of {}", *told, made)
                      : fmt::format("The server does not count a prompt made of {} tokens", made);
    }
    return told == made;
  }

  std::optional<std::int64_t> usage_of_prompt(const Target& exact, std::int64_t length) {
    Plan plan;
    plan.requests.resize(1);
    plan.requests.front().request.prompt.length = Tokens(length);
    plan.requests.front().request.completion = Tokens(1);
    std::string body;
    body_writer(exact, salt_)(plan, 0, body);
    return usage_of_body(body);
  }

  std::optional<std::int64_t> usage_of(const std::string& text) {
    std::string body;
    append_text_body(body, endpoint_row(target_.endpoint).body, sampling_members(target_, Tokens(1)), text);
    return usage_of_body(body);
  }

  /// The count is there even where the one token is the end of the answer, and no output came.
  std::optional<std::int64_t> usage_of_body(const std::string& body) {
    if (trials_left_ == 0) return std::nullopt;
    --trials_left_;
    const TrialAnswer answer = send_(body);
    return answer.http.ok() && answer.usage ? answer.usage->prompt_tokens : std::nullopt;
  }

  Target& target_;
  const TrialSender& send_;
  std::uint64_t salt_;
  Nanos timeout_;
  const Dialect& dialect_;
  int trials_left_ = most_trials;
  std::string why_not_;
};

}  // namespace

void find_exact_text(Target& target, const TrialSender& send, std::uint64_t salt, Nanos timeout) {
  ExactText(target, send, salt, timeout).run();
}

}  // namespace loadline
