// Barrier, broadcast and gather over single messages to and from rank 0. MPI has its own, which wait for ever for a
// rank that died and cannot say which one it is; some hundred ranks need no tree.
#include <chrono>
#include <thread>

#include "core/error.h"
#include "fleet/communicator.h"

namespace loadline {
namespace {

constexpr std::chrono::microseconds look_again(200);

[[noreturn]] void refuse_absence(const Communicator& communicator, int missing) {
  throw Error(
      "the fleet has lost " + name_of(communicator, missing) +
          ": it did not answer in time; see what it said last, and whether its machine is reached from the others",
      ExitStatus::not_valid);
}

}  // namespace

std::string Communicator::await(int from, Deadline deadline) {
  early_.resize(static_cast<std::size_t>(size()));
  std::vector<std::string>& waiting = early_[static_cast<std::size_t>(from)];
  while (waiting.empty()) {
    if (std::optional<Message> message = poll(Tag::collective)) {
      early_[static_cast<std::size_t>(message->from)].push_back(std::move(message->bytes));
      continue;
    }
    if (is_broken()) refuse_absence(*this, lost_rank(*this).value_or(from));
    if (has_left(from) || std::chrono::steady_clock::now() > deadline) refuse_absence(*this, from);
    std::this_thread::sleep_for(look_again);
  }
  std::string bytes = std::move(waiting.front());
  waiting.erase(waiting.begin());
  return bytes;
}

std::vector<std::string> Communicator::gather(std::string bytes, Nanos patience) {
  if (rank() != 0) {
    send(0, Tag::collective, std::move(bytes));
    return {};
  }
  const Deadline deadline = std::chrono::steady_clock::now() + patience;
  std::vector<std::string> all{std::move(bytes)};
  for (int from = 1; from < size(); ++from) all.push_back(await(from, deadline));
  return all;
}

std::string Communicator::broadcast(std::string bytes, Nanos patience) {
  if (rank() != 0) return await(0, std::chrono::steady_clock::now() + patience);
  for (int to = 1; to < size(); ++to) send(to, Tag::collective, bytes);
  return bytes;
}

void Communicator::barrier(Nanos patience) {
  gather({}, patience);
  broadcast({}, patience);
}

std::string name_of(const Communicator& communicator, int rank) {
  return "rank " + std::to_string(rank) + " (" + communicator.host(rank) + ")";
}

std::optional<int> lost_rank(const Communicator& communicator) {
  // A living rank speaks every 50 ms; a machine that is busy may keep it from doing so for some of these.
  constexpr Nanos living = std::chrono::milliseconds(300);
  const int first = communicator.rank() == 0 ? 1 : 0;
  const int last = communicator.rank() == 0 ? communicator.size() - 1 : 0;
  std::optional<int> longest;
  for (int rank = first; rank <= last; ++rank) {
    if (!longest || communicator.silence(rank) > communicator.silence(*longest)) longest = rank;
  }
  if (longest && (communicator.is_broken() || communicator.silence(*longest) > living)) return longest;
  return std::nullopt;
}

}  // namespace loadline
