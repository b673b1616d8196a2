#include "app/answer_counter.h"

#include <fmt/format.h>

#include <cmath>

namespace loadline {
namespace {

constexpr double most_disagreement = 0.01;

}  // namespace

void AnswerCounter::count(const std::string& text, RequestRecord& record) {
  if (text.empty()) return;
  const Tokens counted = tokenizer_.count(text);
  if (!record.completion_tokens) {
    record.completion_tokens = counted;
    record.token_source = TokenSource::tokenizer;
  } else if (succeeded(record.outcome)) {
    ++compared_.answers;
    compared_.by_server += *record.completion_tokens;
    compared_.by_tokenizer += counted;
  }
}

std::optional<Doubt> AnswerCounter::disagreement() const {
  const auto told = static_cast<double>(compared_.by_server.value());
  const double difference = static_cast<double>(compared_.by_tokenizer.value()) - told;
  if (std::abs(difference) <= most_disagreement * told) return std::nullopt;
  return make_doubt(
      "tokens_estimated", std::nullopt,
      fmt::format(
          "The server counted {} tokens in {} answers, the tokenizer {} in their text ({:+.1f}%): it is another "
          "model's, or not every token is in the text. The server's count is used.",
          compared_.by_server.value(), compared_.answers, compared_.by_tokenizer.value(), 100 * difference / told));
}

}  // namespace loadline
