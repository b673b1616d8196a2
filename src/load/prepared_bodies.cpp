#include "load/prepared_bodies.h"

#include <utility>

#include "core/error.h"
#include "core/releases.h"

namespace loadline {
namespace {

// Long enough to find an idle moment, short enough that what people's long pauses hold in memory stays little.
constexpr Nanos turn_ahead = std::chrono::seconds(10);

}  // namespace

PreparedBodies::PreparedBodies(const Plan& plan, const BodyWriter& write_body, std::size_t most,
                               std::size_t memory_limit)
    : plan_(plan),
      write_body_(write_body),
      most_(most),
      memory_limit_(has_turns(plan) ? memory_limit / 2 : memory_limit),
      next_(next_opening(plan, 0)) {}

void PreparedBodies::announce(std::uint32_t turn, RunTime earliest_due) {
  const bool is_new = turns_.try_emplace(turn, AnnouncedTurn{earliest_due, false, {}}).second;
  check(is_new, "a turn is announced once");
  waiting_.insert({earliest_due, turn});
}

bool PreparedBodies::wants_turn(RunTime now) const {
  if (waiting_.empty() || waiting_.begin()->earliest_due > now + turn_ahead) return false;
  const bool none_is_ready = waiting_.size() == turns_.size();
  return none_is_ready || turn_bytes_ < memory_limit_;
}

bool PreparedBodies::wants_opening() const {
  return next_ < plan_.requests.size() && openings_.size() < most_ &&
         (openings_.empty() || opening_bytes_ < memory_limit_);
}

std::string PreparedBodies::render(std::size_t plan_index) {
  std::string body;
  if (!spare_.empty()) {
    body = std::move(spare_.back());
    spare_.pop_back();
    body.clear();
  }
  write_body_(plan_, static_cast<std::uint32_t>(plan_index), body);
  return body;
}

void PreparedBodies::prepare_one(RunTime now) {
  if (wants_turn(now)) return prepare_turn();
  openings_.push_back({next_, render(next_)});
  opening_bytes_ += openings_.back().body.size();
  next_ = next_opening(plan_, next_ + 1);
}

void PreparedBodies::prepare_turn() {
  const std::uint32_t plan_index = waiting_.begin()->plan_index;
  waiting_.erase(waiting_.begin());
  AnnouncedTurn& turn = turns_.at(plan_index);
  turn.body = render(plan_index);
  turn.is_ready = true;
  turn_bytes_ += turn.body.size();
}

std::string PreparedBodies::take(std::uint32_t plan_index) {
  const bool is_turn = std::holds_alternative<AfterTurn>(plan_.requests[plan_index].due);
  return is_turn ? take_turn(plan_index) : take_opening(plan_index);
}

std::string PreparedBodies::take_opening(std::uint32_t plan_index) {
  check(plan_index == (openings_.empty() ? next_ : openings_.front().plan_index), "bodies are taken in plan order");
  if (openings_.empty()) {
    next_ = next_opening(plan_, next_ + 1);
    return render(plan_index);
  }
  std::string body = std::move(openings_.front().body);
  openings_.pop_front();
  opening_bytes_ -= body.size();
  return body;
}

std::string PreparedBodies::take_turn(std::uint32_t plan_index) {
  auto announced = turns_.extract(plan_index);
  check(!announced.empty(), "a turn is announced before it is taken");
  AnnouncedTurn& turn = announced.mapped();
  if (!turn.is_ready) {
    waiting_.erase({turn.earliest_due, plan_index});
    return render(plan_index);
  }
  turn_bytes_ -= turn.body.size();
  return std::move(turn.body);
}

void PreparedBodies::give_back(std::string&& body) {
  if (spare_.size() < most_) spare_.push_back(std::move(body));
}

}  // namespace loadline
