#pragma once
// The fleet of a run on one machine: rank 0 and nobody else.

#include <array>
#include <deque>

#include "core/error.h"
#include "fleet/communicator.h"

namespace loadline {

class LoneCommunicator final : public Communicator {
 public:
  explicit LoneCommunicator(std::string host) : host_(std::move(host)) {}

  int rank() const override { return 0; }
  int size() const override { return 1; }
  const std::string& host(int) const override { return host_; }
  void send(int to, Tag tag, std::string bytes) override {
    check(to == 0, "a message goes to a rank of the fleet");
    inbox_[static_cast<std::size_t>(tag)].push_back({0, std::move(bytes)});
  }
  std::optional<Message> poll(Tag tag) override {
    std::deque<Message>& waiting = inbox_[static_cast<std::size_t>(tag)];
    if (waiting.empty()) return std::nullopt;
    Message message = std::move(waiting.front());
    waiting.pop_front();
    return message;
  }
  Nanos silence(int) const override { return Nanos(0); }
  bool has_left(int) const override { return false; }
  bool is_broken() const override { return false; }
  void abandon() override {}
  std::vector<ClockSample> sample_clock(int, int, Nanos) override { return {}; }

 private:
  std::string host_;
  std::array<std::deque<Message>, tag_count> inbox_;
};

}  // namespace loadline
