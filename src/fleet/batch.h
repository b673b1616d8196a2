#pragma once
// What a share tells the conductor: batches, handed over without a lock. docs/architecture.md "Many threads".

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/course.h"
#include "core/record.h"

namespace loadline {

struct ShareEvent {
  enum class Kind : std::uint8_t {
    released,     ///< `plan_index` and `instant` are set
    first_token,  ///< `instant` is set
    ended,        ///< `record` is set
    cancelled,    ///< `record` is set; the level was over
  };
  Kind kind = Kind::released;
  RunTime at{};
  std::uint32_t serial = 0;      ///< of the share: in order of its releases
  std::uint32_t plan_index = 0;  ///< in the share's plan
  RunTime instant{};             ///< released: when it was due; first_token: when the token arrived
  std::uint32_t record = 0;      ///< index into Batch::records
};

/// What happened on one share since its last batch, in order of time.
struct Batch {
  RunTime up_to{};  ///< later batches tell of nothing earlier
  std::vector<ShareEvent> events;
  std::vector<RequestRecord> records;  ///< serial and plan_index are the share's; gaps point into `gaps`
  std::vector<std::uint32_t> gaps;
  std::vector<std::string> texts{};  ///< of `records`, one each, where texts are kept; else empty
  bool is_last = false;              ///< the share's level is over
  ClientSelf client;                 ///< only in the last
};

/// Counts the tokens of an ended answer's text into its record. Called by the conductor, off the I/O threads.
using TextCount = std::function<void(const std::string& text, RequestRecord& record)>;

/// Hands batches from one thread to another: a place for one of them. The giver goes on collecting while it is taken.
class BatchSlot {
 public:
  ~BatchSlot() { delete place_.load(); }
  BatchSlot() = default;
  BatchSlot(const BatchSlot&) = delete;
  BatchSlot& operator=(const BatchSlot&) = delete;

  /// Whether a batch may be put: the last one was taken. The giver's.
  bool is_free() const { return place_.load(std::memory_order_acquire) == nullptr; }
  /// Only when `is_free`.
  void put(std::unique_ptr<Batch> batch) { place_.store(batch.release(), std::memory_order_release); }
  /// Null where there is none. The taker's.
  std::unique_ptr<Batch> take() { return std::unique_ptr<Batch>(place_.exchange(nullptr, std::memory_order_acq_rel)); }

 private:
  std::atomic<Batch*> place_{nullptr};
};

/// What the conductor tells all shares.
struct LevelBoard {
  std::atomic<Phase> phase{Phase::warming_up};
  std::atomic<std::int64_t> start_ns{0};  ///< run time at which the level starts; 0: not agreed yet
  std::atomic<std::uint32_t> ready{0};    ///< shares whose connections are open
  std::atomic<bool> failed{false};        ///< a share met what it cannot go on with: all end
};

}  // namespace loadline
