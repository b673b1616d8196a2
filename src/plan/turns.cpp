#include "plan/turns.h"

#include <algorithm>
#include <unordered_map>

namespace loadline {

std::vector<std::optional<WaitingTurn>> turns_that_wait(const std::vector<Request>& requests, bool pauses) {
  std::vector<std::optional<WaitingTurn>> turns(requests.size());
  std::unordered_map<SessionIndex, std::uint32_t> latest;
  for (std::uint32_t i = 0; i < requests.size(); ++i) {
    const Request& request = requests[i];
    if (request.session == no_session) continue;
    const auto [place, is_first] = latest.try_emplace(request.session, i);
    if (!is_first) {
      turns[i] = WaitingTurn{place->second};
      if (pauses && request.think) turns[i]->pause = std::max(*request.think, Nanos{});
    }
    place->second = i;
  }
  return turns;
}

}  // namespace loadline
