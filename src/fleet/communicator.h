#pragma once
// Messages between the processes of a run (ranks) on several machines. It knows nothing of plans, levels and records:
// what is sent are bytes.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/units.h"
#include "fleet/clock_alignment.h"

namespace loadline {

/// What a message is about. Messages of one sender and one tag arrive in the order in which they were sent.
enum class Tag : std::uint8_t {
  control,     ///< rank 0 to the others: plans, starts, phases, stop
  events,      ///< the others to rank 0: what happened
  collective,  ///< the communicator's own: barrier, broadcast, gather
};
inline constexpr std::size_t tag_count = 3;

/// A rank that was silent for so long is gone, whatever the launcher says: mpirun may take minutes to miss a machine.
inline constexpr Nanos lost_after = std::chrono::seconds(10);

struct Message {
  int from = 0;
  std::string bytes;
};

/// One rank's end of the fleet. Every call from one thread, the same one; none waits except those that say so, and
/// those only as long as their `patience`. Ranks speak with rank 0 only: a star, so that rank 0 knows whom it waits
/// for.
class Communicator {
 public:
  /// Waits for the others to close theirs: the other ranks for rank 0, however long it works, rank 0 for all. Not for
  /// one that is gone.
  virtual ~Communicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// The name of that rank's machine, as the machine calls itself.
  virtual const std::string& host(int rank) const = 0;

  /// Takes the bytes and returns at once. They are lost when that rank dies. A message to a rank that has been silent
  /// for a moment is held back until it speaks again.
  virtual void send(int to, Tag tag, std::string bytes) = 0;
  /// The oldest message of that tag that was not yet taken, of any rank.
  virtual std::optional<Message> poll(Tag tag) = 0;

  /// For how long nothing was heard of `rank`, which says something of itself several times a second, whatever it is
  /// busy with. Known on rank 0 of all, elsewhere of rank 0. 0 of itself. Stands still once the connection is broken.
  virtual Nanos silence(int rank) const = 0;
  /// Whether that rank closed its end (its communicator is destroyed, or waits to be). All that it sent before has
  /// come.
  virtual bool has_left(int rank) const = 0;
  /// Nothing can be sent or received any more: the message system gave up, as it does when a peer dies. Never true
  /// again false.
  virtual bool is_broken() const = 0;
  /// Leaves without a farewell that waits for the others. Nothing is sent or received afterwards.
  virtual void abandon() = 0;

  /// Round trips with another rank, by CLOCK_MONOTONIC of both: rank 0 asks, the other answers by itself. Takes about a
  /// millisecond a hundred; fewer than `rounds`, perhaps none, when there was no answer within `patience`.
  virtual std::vector<ClockSample> sample_clock(int rank, int rounds, Nanos patience) = 0;

  // Collectives: every rank calls the same ones in the same order. Where a rank does not come in time they throw an
  // Error that names it and its machine; the fleet is of no use then.

  /// Waits until every rank is here.
  void barrier(Nanos patience);
  /// Rank 0's bytes, on every rank; those of the others are ignored.
  std::string broadcast(std::string bytes, Nanos patience);
  /// On rank 0 the bytes of every rank, by rank; elsewhere empty.
  std::vector<std::string> gather(std::string bytes, Nanos patience);

 private:
  using Deadline = std::chrono::steady_clock::time_point;
  std::string await(int from, Deadline deadline);

  std::vector<std::vector<std::string>> early_;  ///< by sender: came while another was waited for
};

/// The fleet that this process was started in (mpirun, srun, the MPI operator), or one of a single rank: then nothing
/// of MPI is touched. Throws Error where a launcher started several ranks and this program was built without MPI.
std::unique_ptr<Communicator> make_communicator();

/// How a rank is named in messages: "rank 2 (host-3)".
std::string name_of(const Communicator& communicator, int rank);

/// The rank that is probably gone, asked when the run is told to stop or the connection is broken: the one that is
/// silent longest, if it is silent for longer than a living rank ever is. Absent: all are there.
std::optional<int> lost_rank(const Communicator& communicator);

}  // namespace loadline
