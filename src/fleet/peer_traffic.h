#pragma once
// What waits to be sent and to be taken, and who was heard when: the ground between the thread that works and the one
// that speaks MPI. Safe from both. Knows no MPI.

#include <array>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.h"
#include "fleet/communicator.h"

namespace loadline {

struct Outgoing {
  int to = 0;
  Tag tag = Tag::control;
  std::string bytes;
};

class PeerTraffic {
 public:
  /// A living rank speaks every `beat`. To one that is silent for longer than `held_back` nothing is sent.
  static constexpr Nanos beat = std::chrono::milliseconds(50);
  static constexpr Nanos held_back = std::chrono::milliseconds(250);
  /// Silent for so long, a rank is not waited for when this one leaves.
  static constexpr Nanos given_up = lost_after;

  /// Events of so long go together: a thread hands over a batch every 2 ms, and a message costs rank 0 some
  /// microseconds whatever is in it.
  static constexpr Nanos bundled = std::chrono::milliseconds(5);
  static constexpr std::size_t most_bundled = std::size_t{4} << 20;  ///< bytes

  /// Everybody is heard at `now`.
  PeerTraffic(int rank, int size, Nanos now);

  // The thread that works.
  void post(Outgoing message);
  std::optional<Message> take(Tag tag);
  /// How long `rank` was silent when the other thread last looked.
  Nanos silence(int rank) const;
  bool has_left(int rank) const;
  /// When the other thread last looked.
  Nanos looked_at() const;
  /// Asks the other thread to come to its end.
  void close();

  // The thread that speaks MPI.
  /// What may go now: the next message with all others of its receiver and tag, as one bundle.
  std::optional<Outgoing> next_to_send();
  /// Takes a bundle apart. False where it is none.
  bool deliver(int from, Tag tag, std::string_view bundle);
  void heard(int rank, Nanos now);
  /// What still waits to be sent to it is dropped.
  void left(int rank);
  /// It looks again at `now`, for messages of all.
  void look(Nanos now);
  /// Sleeps until there is something to send, at most so long.
  void wait(Nanos longest);
  bool is_closing() const;
  /// Nothing waits to be sent, not even held back.
  bool all_sent() const;
  /// Whether there is none left to wait for: everybody whom this rank speaks with has left or is given up.
  bool all_left() const;
  /// Whether one of them is given up and has not left: a farewell that waits for it would wait for ever.
  bool any_given_up() const;

 private:
  struct Peer {
    Nanos heard_at{};
    bool has_left = false;
    std::optional<Nanos> events_sent_at{};
  };
  bool may_go(const Outgoing& message) const;
  Nanos silence_of(std::size_t rank) const;
  template <class Holds>
  bool any_peer(Holds holds) const;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::size_t own_rank_;
  Nanos looked_at_;
  bool closing_ = false;
  bool posted_ = false;  ///< since the last wait
  std::vector<Peer> peers_;
  std::deque<Outgoing> outbox_;
  std::array<std::deque<Message>, tag_count> inbox_;
};

}  // namespace loadline
