#pragma once
// The log's own texts as request bodies.

#include <cstdint>
#include <string>
#include <vector>

#include "core/trace.h"
#include "wire/chat_messages.h"
#include "wire/request_body.h"

namespace loadline {

class LogTexts {
 public:
  /// Keeps `texts`, one per row of the trace, by reference. Error naming the first row whose messages are not a JSON
  /// array of objects.
  explicit LogTexts(const std::vector<PromptText>& texts);

  /// Appends the body that sends the text of `row`. Where the endpoint takes messages they stand as the log has them,
  /// and other text is one message of the user; else text stands by itself, and messages become lines "role: content".
  /// Bytes that are not UTF-8 become U+FFFD.
  void append_body(std::uint64_t row, const BodyShape& shape, const SamplingMembers& members, std::string& body);

 private:
  const std::vector<PromptText>& texts_;
  ChatMessagesReader messages_;
  std::string repaired_, lines_;
};

}  // namespace loadline
