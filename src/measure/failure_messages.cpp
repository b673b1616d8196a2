#include "measure/failure_messages.h"

#include <algorithm>
#include <map>
#include <utility>

namespace loadline {

std::vector<FailureMessage> failure_messages(const LevelRecords& records) {
  constexpr std::size_t most_shown = 10;
  std::map<std::pair<Outcome, std::string_view>, std::uint64_t> counts;
  for (const RequestRecord& record : records.requests) {
    const bool is_told = failed(record.outcome) || record.outcome == Outcome::unsent;
    if (is_told && !record.message.empty()) ++counts[{record.outcome, record.message}];
  }
  std::vector<FailureMessage> messages;
  for (const auto& [said, count] : counts) messages.push_back({said.first, std::string(said.second), count});
  std::ranges::stable_sort(messages, std::greater<>{}, &FailureMessage::count);
  if (messages.size() > most_shown) messages.resize(most_shown);
  return messages;
}

}  // namespace loadline
