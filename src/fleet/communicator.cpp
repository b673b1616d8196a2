// The only file that knows MPI. Open MPI 4.1 ends a process from within any MPI call once a connection to a dead peer
// fails: the calling thread never returns from it, and the launcher's signals follow a second or two later. So MPI is
// spoken by a thread of its own that may be lost at any moment, and everything that it shares outlives it; the thread
// that works notices (is_broken), says what happened and writes its files. MPI_THREAD_FUNNELED: the thread that
// initialises MPI makes every call.
//
// Every rank says each 50 ms that it lives (beat), and rank 0 answers; it speaks to nobody unasked who is silent, since
// sending to a dead rank is what loses the thread. docs/scale.md has what was observed.
#include "fleet/communicator.h"

#include <unistd.h>

#include <cstdlib>

#include "core/error.h"
#include "fleet/launcher.h"
#include "fleet/lone_communicator.h"
#include "fleet/peer_traffic.h"
#include "net/time_source.h"

#ifdef LOADLINE_HAS_MPI
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <future>
#include <list>
#include <mutex>
#include <sstream>
#include <thread>
#endif

namespace loadline {
namespace {

std::string own_host() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unnamed machine";
}

#ifdef LOADLINE_HAS_MPI

constexpr Nanos nap = std::chrono::milliseconds(1);            // between two looks: what a message waits at most
constexpr Nanos ping_follows = std::chrono::milliseconds(2);   // after a ping the next one is awaited without sleep
constexpr Nanos hang = std::chrono::seconds(5);                // within MPI: it will not come back
constexpr Nanos everybody_starts = std::chrono::seconds(120);  // until all ranks have said their names

/// MPI tags: those of Tag, and beyond them the ones that never leave this file.
enum MpiTag : int { beat = tag_count, farewell, ping, pong };

class MpiThread;

/// Shared by both threads, and outlives the one that is lost.
struct Link {
  int rank = 0, size = 1;
  std::optional<PeerTraffic> traffic;
  std::mutex mutex;                           ///< of clock_job
  std::function<void(MpiThread&)> clock_job;  ///< run by the MPI thread when it comes to it
  std::atomic<bool> failed = false;           ///< MPI returned an error
  std::atomic<bool> finished = false;         ///< the MPI thread is at its end
  std::promise<void> started;
};

/// The thread that speaks MPI.
class MpiThread {
 public:
  explicit MpiThread(Link& link) : link_(link) {}

  void run() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &link_.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &link_.size);
    link_.traffic.emplace(link_.rank, link_.size, SystemTime::monotonic_now());
    link_.started.set_value();
    while (!is_over()) turn();
    if (!link_.failed && !traffic().any_given_up()) MPI_Finalize();
    link_.finished = true;
  }

  /// Rank 0's side of an alignment.
  std::vector<ClockSample> ask_clock(int rank, int rounds, Nanos patience) {
    std::vector<ClockSample> samples;
    const Nanos deadline = SystemTime::monotonic_now() + patience;
    for (int round = 0; round < rounds; ++round) {
      const std::optional<ClockSample> sample = round_trip(rank, deadline);
      if (!sample) break;
      samples.push_back(*sample);
    }
    return samples;
  }

 private:
  struct Sending {
    MPI_Request request = MPI_REQUEST_NULL;
    std::string bytes;
  };
  struct Receiving {
    MPI_Request request = MPI_REQUEST_NULL;
    int from = 0;
    int kind = 0;
    std::string bytes;
  };
  struct ClockWord {
    std::int64_t round = 0, stamp = 0;
  };

  PeerTraffic& traffic() { return *link_.traffic; }
  void expect(int result) {
    if (result != MPI_SUCCESS) link_.failed = true;
  }

  void turn() {
    now_ = SystemTime::monotonic_now();
    traffic().look(now_);
    bool busy = receive();
    while (std::optional<Outgoing> message = traffic().next_to_send()) {
      start_send(message->to, static_cast<int>(message->tag), std::move(message->bytes));
    }
    std::erase_if(sending_, [this](Sending& sending) { return is_done(sending.request); });
    if (link_.rank != 0 && now_ - beaten_at_ >= PeerTraffic::beat) say_living();
    if (traffic().is_closing()) say_farewell();
    busy |= do_clock_job() || now_ < spin_until_;
    if (!busy) traffic().wait(nap);
  }

  bool is_over() {
    if (link_.failed) return true;
    return said_farewell_ && (sending_.empty() || traffic().any_given_up()) && traffic().all_left();
  }

  void start_send(int to, int kind, std::string bytes) {
    Sending& sending = sending_.emplace_back();
    sending.bytes = std::move(bytes);
    expect(MPI_Isend(sending.bytes.data(), static_cast<int>(sending.bytes.size()), MPI_BYTE, to, kind, MPI_COMM_WORLD,
                     &sending.request));
  }

  bool is_done(MPI_Request& request) {
    int done = 0;
    expect(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    return done != 0;
  }

  void say_living() {
    beaten_at_ = now_;
    start_send(0, beat, {});
  }

  void say_farewell() {
    if (said_farewell_ || !(traffic().all_sent() || traffic().any_given_up())) return;
    said_farewell_ = true;
    if (link_.rank != 0) return start_send(0, farewell, {});
    for (int to = 1; to < link_.size; ++to) {
      if (traffic().silence(to) <= PeerTraffic::held_back) start_send(to, farewell, {});
    }
  }

  /// Takes what has come, one message at a time and in order; false when there was nothing.
  bool receive() {
    bool any = false;
    while (!link_.failed && (receiving_ || begin_receive()) && is_done(receiving_->request)) {
      const Receiving message = std::move(*receiving_);
      receiving_.reset();
      take(message);
      any = true;
    }
    return any;
  }

  bool begin_receive() {
    int waiting = 0, length = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status{};
    expect(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &waiting, &message, &status));
    if (waiting == 0) return false;
    MPI_Get_count(&status, MPI_BYTE, &length);
    receiving_.emplace();
    receiving_->from = status.MPI_SOURCE;
    receiving_->kind = status.MPI_TAG;
    receiving_->bytes.resize(static_cast<std::size_t>(length));
    expect(MPI_Imrecv(receiving_->bytes.data(), length, MPI_BYTE, &message, &receiving_->request));
    return true;
  }

  void take(const Receiving& message) {
    const Nanos at = SystemTime::monotonic_now();  // before anything else: of a ping and of a pong it is the stamp
    if (message.kind == ping) answer_clock(message, at);
    if (message.kind == pong) {
      pong_ = word_in(message.bytes);
      ponged_at_ = at;
    }
    if (message.kind == beat && link_.rank == 0) start_send(message.from, beat, {});
    if (message.kind == farewell) traffic().left(message.from);
    if (message.kind < static_cast<int>(tag_count)) {
      link_.failed = link_.failed || !traffic().deliver(message.from, static_cast<Tag>(message.kind), message.bytes);
    }
    traffic().heard(message.from, at);
  }

  void answer_clock(const Receiving& message, Nanos at) {
    start_send(message.from, pong, bytes_of({word_in(message.bytes).round, at.count()}));
    spin_until_ = at + ping_follows;
  }

  static std::string bytes_of(const ClockWord& word) {
    return std::string(reinterpret_cast<const char*>(&word), sizeof word);
  }
  static ClockWord word_in(const std::string& bytes) {
    ClockWord word;
    std::memcpy(&word, bytes.data(), std::min(bytes.size(), sizeof word));
    return word;
  }

  std::optional<ClockSample> round_trip(int rank, Nanos deadline) {
    const ClockWord question{++rounds_asked_, 0};
    const Nanos sent = SystemTime::monotonic_now();
    start_send(rank, ping, bytes_of(question));
    while (pong_.round != question.round) {
      if (link_.failed || SystemTime::monotonic_now() > deadline) return std::nullopt;
      receive();
    }
    return ClockSample{sent, Nanos(pong_.stamp), ponged_at_};
  }

  bool do_clock_job() {
    std::function<void(MpiThread&)> job;
    {
      const std::lock_guard lock(link_.mutex);
      std::swap(job, link_.clock_job);
    }
    if (job) job(*this);
    return job != nullptr;
  }

  Link& link_;
  Nanos now_{}, beaten_at_{}, spin_until_{};
  bool said_farewell_ = false;
  std::int64_t rounds_asked_ = 0;
  ClockWord pong_;  ///< the last one
  Nanos ponged_at_{};
  std::list<Sending> sending_;
  std::optional<Receiving> receiving_;
};

class MpiCommunicator final : public Communicator {
 public:
  MpiCommunicator() : link_(std::make_shared<Link>()) {
    std::future<void> started = link_->started.get_future();
    thread_ = std::thread([link = link_] { MpiThread(*link).run(); });
    started.get();
    learn_hosts();
  }
  ~MpiCommunicator() override {
    if (!thread_.joinable()) return;
    traffic().close();
    while (!link_->finished && !is_broken()) std::this_thread::sleep_for(nap);
    if (link_->finished) {
      thread_.join();
    } else {
      abandon();
    }
  }

  int rank() const override { return link_->rank; }
  int size() const override { return link_->size; }
  const std::string& host(int rank) const override { return hosts_[static_cast<std::size_t>(rank)]; }
  void send(int to, Tag tag, std::string bytes) override { traffic().post({to, tag, std::move(bytes)}); }
  std::optional<Message> poll(Tag tag) override { return traffic().take(tag); }
  Nanos silence(int rank) const override { return traffic().silence(rank); }
  bool has_left(int rank) const override { return traffic().has_left(rank); }
  bool is_broken() const override {
    return link_->failed || SystemTime::monotonic_now() - traffic().looked_at() > hang;
  }
  void abandon() override {
    if (thread_.joinable()) thread_.detach();
  }

  std::vector<ClockSample> sample_clock(int rank, int rounds, Nanos patience) override {
    auto samples = std::make_shared<std::promise<std::vector<ClockSample>>>();
    std::future<std::vector<ClockSample>> result = samples->get_future();
    {
      const std::lock_guard lock(link_->mutex);
      link_->clock_job = [=](MpiThread& thread) { samples->set_value(thread.ask_clock(rank, rounds, patience)); };
    }
    if (result.wait_for(patience + hang) != std::future_status::ready) return {};
    return result.get();
  }

 private:
  PeerTraffic& traffic() const { return *link_->traffic; }

  void learn_hosts() {
    hosts_.assign(static_cast<std::size_t>(size()), "machine not yet known");
    std::string names;
    for (const std::string& name : gather(own_host(), everybody_starts)) names += name + '\n';
    std::istringstream lines(broadcast(names, everybody_starts));
    for (std::string& host : hosts_) std::getline(lines, host);
  }

  std::shared_ptr<Link> link_;
  std::thread thread_;
  std::vector<std::string> hosts_;
};

std::unique_ptr<Communicator> make_mpi_communicator(int) { return std::make_unique<MpiCommunicator>(); }

#else

std::unique_ptr<Communicator> make_mpi_communicator(int size) {
  if (size == 1) return std::make_unique<LoneCommunicator>(own_host());
  throw Error("started as one of " + std::to_string(size) +
              " ranks, but this loadline was built without MPI: install libopenmpi-dev and build it again, or start it "
              "once, without mpirun or srun");
}

#endif

}  // namespace

std::unique_ptr<Communicator> make_communicator() {
  const Launch launch = launch_of([](const char* variable) -> const char* { return std::getenv(variable); });
  if (launch.by_launcher) return make_mpi_communicator(launch.size);
  return std::make_unique<LoneCommunicator>(own_host());
}

}  // namespace loadline
