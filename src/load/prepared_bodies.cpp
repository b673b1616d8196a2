#include "load/prepared_bodies.h"

#include "core/error.h"

namespace loadline {

PreparedBodies::PreparedBodies(const Plan& plan, const BodyWriter& write_body, std::size_t most,
                               std::size_t memory_limit)
    : plan_(plan), write_body_(write_body), most_(most), memory_limit_(memory_limit) {}

bool PreparedBodies::wants_more() const {
  return next_ < plan_.requests.size() && ready_.size() < most_ && (ready_.empty() || ready_bytes_ < memory_limit_);
}

std::string PreparedBodies::render(std::size_t serial) {
  std::string body;
  if (!spare_.empty()) {
    body = std::move(spare_.back());
    spare_.pop_back();
    body.clear();
  }
  write_body_(plan_, static_cast<std::uint32_t>(serial), body);
  return body;
}

void PreparedBodies::prepare_one() {
  ready_.push_back(render(next_++));
  ready_bytes_ += ready_.back().size();
}

std::string PreparedBodies::take(std::uint32_t serial) {
  if (ready_.empty()) {
    check(serial == next_, "bodies are taken in order");
    return render(next_++);
  }
  check(serial + ready_.size() == next_, "bodies are taken in order");
  std::string body = std::move(ready_.front());
  ready_.pop_front();
  ready_bytes_ -= body.size();
  return body;
}

void PreparedBodies::give_back(std::string&& body) {
  if (spare_.size() < most_) spare_.push_back(std::move(body));
}

}  // namespace loadline
