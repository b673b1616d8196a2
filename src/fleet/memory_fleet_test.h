#pragma once
// A fleet whose ranks are threads of one test: messages go through memory, and a rank can be silenced.

#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "fleet/communicator.h"
#include "net/time_source.h"

namespace loadline {

class MemoryFleet {
 public:
  explicit MemoryFleet(int size) : size_(size), hosts_(static_cast<std::size_t>(size)), ranks_(hosts_.size()) {
    for (std::size_t rank = 0; rank < hosts_.size(); ++rank) hosts_[rank] = "host-" + std::to_string(rank);
  }

  /// Runs `work` once a rank, each in a thread of its own.
  void run(const std::function<void(Communicator&)>& work) {
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size_; ++rank) {
      threads.emplace_back([&work, rank, this] {
        Rank communicator(*this, rank);
        work(communicator);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  /// Nothing was heard of it for a minute.
  void silence(int rank) { ranks_[static_cast<std::size_t>(rank)].silent = true; }

 private:
  struct Inbox {
    std::mutex mutex;
    std::array<std::deque<Message>, tag_count> messages;
    std::atomic<bool> silent = false, left = false;
  };

  class Rank final : public Communicator {
   public:
    Rank(MemoryFleet& fleet, int rank) : fleet_(fleet), rank_(rank) {}
    ~Rank() override { fleet_.inbox(rank_).left = true; }
    int rank() const override { return rank_; }
    int size() const override { return fleet_.size_; }
    const std::string& host(int rank) const override { return fleet_.hosts_[static_cast<std::size_t>(rank)]; }
    void send(int to, Tag tag, std::string bytes) override {
      Inbox& inbox = fleet_.inbox(to);
      const std::lock_guard lock(inbox.mutex);
      inbox.messages[static_cast<std::size_t>(tag)].push_back({rank_, std::move(bytes)});
    }
    std::optional<Message> poll(Tag tag) override {
      Inbox& inbox = fleet_.inbox(rank_);
      const std::lock_guard lock(inbox.mutex);
      std::deque<Message>& waiting = inbox.messages[static_cast<std::size_t>(tag)];
      if (waiting.empty()) return std::nullopt;
      Message message = std::move(waiting.front());
      waiting.pop_front();
      return message;
    }
    Nanos silence(int rank) const override {
      return fleet_.inbox(rank).silent ? Nanos(std::chrono::minutes(1)) : Nanos(0);
    }
    bool has_left(int rank) const override { return fleet_.inbox(rank).left; }
    bool is_broken() const override { return false; }
    void abandon() override {}
    std::vector<ClockSample> sample_clock(int, int rounds, Nanos) override {
      return std::vector<ClockSample>(
          static_cast<std::size_t>(rounds),
          {SystemTime::monotonic_now(), SystemTime::monotonic_now(), SystemTime::monotonic_now()});
    }

   private:
    MemoryFleet& fleet_;
    int rank_;
  };

  Inbox& inbox(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }

  int size_;
  std::vector<std::string> hosts_;
  std::vector<Inbox> ranks_;  ///< never resized
};

}  // namespace loadline
