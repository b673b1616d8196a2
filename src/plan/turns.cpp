#include "plan/turns.h"

#include <algorithm>
#include <unordered_map>

namespace loadline {

std::vector<std::optional<AfterTurn>> turns_that_wait(const std::vector<Request>& requests, LevelKind kind) {
  const bool closed = kind == LevelKind::concurrency;
  std::vector<std::optional<AfterTurn>> turns(requests.size());
  std::unordered_map<SessionIndex, std::uint32_t> latest;
  for (std::uint32_t i = 0; i < requests.size(); ++i) {
    const Request& request = requests[i];
    if (request.session == no_session) continue;
    const auto [place, is_first] = latest.try_emplace(request.session, i);
    if (!is_first && (closed || request.think)) {
      const Nanos pause = closed ? Nanos{} : std::max(*request.think, Nanos{});
      turns[i] = AfterTurn{place->second, pause};
    }
    place->second = i;
  }
  return turns;
}

}  // namespace loadline
