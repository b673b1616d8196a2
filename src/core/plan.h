#pragma once
// A plan: every request of one level with its due time, decided before the first byte.

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "core/level.h"
#include "core/request.h"

namespace loadline {

/// Due as soon as one of the level's users is free: the closed loop.
struct WhenUserFree {};
/// Due at an instant after the level's start, whatever the target does: the open loop.
struct AtOffset {
  Nanos after_level_start{};
};

/// Due `pause` after another request of the plan has ended, however it ended: the next turn of a conversation. In a
/// closed loop the user of that request takes it, before any other.
struct AfterTurn {
  std::uint32_t before = 0;  ///< index in Plan::requests, smaller than this request's own; each is named at most once
  Nanos pause{};
  Nanos not_before{};  ///< open loop: nor due before this offset from the level's start
};

struct PlannedRequest {
  Request request;
  std::variant<WhenUserFree, AtOffset, AfterTurn> due;
};

/// Requests in the order in which they become due, later turns (AfterTurn) aside: they wait for their turn before. A
/// plan is longer than a level needs: the level's course (core/course.h) decides how many are released. Those never
/// released do not enter the books.
struct Plan {
  Level level;
  std::uint32_t ordinal = 0;  ///< of the level within the run; enters every sharing namespace
  std::uint64_t seed = 0;
  std::vector<PlannedRequest> requests;
  std::vector<std::uint64_t> blocks;
  std::uint32_t block_size = 0;
};

/// Writes the HTTP body of request `plan_index` of the plan in place of what `body` holds; its memory is used again.
/// May keep scratch space: one writer a thread.
using BodyWriter = std::function<void(const Plan& plan, std::uint32_t plan_index, std::string& body)>;

}  // namespace loadline
