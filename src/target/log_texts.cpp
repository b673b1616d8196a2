#include "target/log_texts.h"

#include <fmt/format.h>

#include "core/error.h"
#include "wire/http_request.h"

namespace loadline {

LogTexts::LogTexts(const std::vector<PromptText>& texts) : texts_(texts) {
  for (std::size_t row = 0; row < texts.size(); ++row) {
    if (!texts[row].is_messages) continue;
    repaired_.clear();
    append_valid_utf8(repaired_, texts[row].text);
    const std::string_view fault = messages_.fault_of(repaired_);
    if (fault.empty()) continue;
    throw Error(
        fmt::format("--content log: the messages of request {} of the log cannot be sent: {}; mend that row of the log "
                    "or leave it out",
                    row + 1, fault));
  }
}

void LogTexts::append_body(std::uint64_t row, const BodyShape& shape, const SamplingMembers& members,
                           std::string& body) {
  check(row < texts_.size(), "a request of the log's content names its row");
  const PromptText& prompt = texts_[row];
  if (!prompt.is_messages) return append_text_body(body, shape, members, prompt.text);
  repaired_.clear();
  append_valid_utf8(repaired_, prompt.text);
  if (!shape.messages.empty()) return append_messages_body(body, shape, members, repaired_);
  lines_.clear();
  messages_.append_lines(repaired_, lines_);
  append_text_body(body, shape, members, lines_);
}

}  // namespace loadline
