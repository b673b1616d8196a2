#pragma once
// One model of continuous batching, pure: no clock, no I/O. virtual_driver.h runs it in virtual time,
// http_server.h serves it over real HTTP. docs/method.md section 7 gives the five rules, and they are
// followed to the letter. Does not know text, tokens' values, users or time of day.

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "engine/kv_pool.h"
#include "engine/parameters.h"

namespace loadline {

/// The caller's name for a live request. Small and dense: memory grows with the largest one; free for
/// use again once its request has ended or was cancelled.
using EngineId = std::uint32_t;

/// What one step did. All of it appears at the step's start + duration. The spans live until the next step.
struct EngineStep {
  Nanos duration{};
  std::int64_t tokens = 0;              ///< computed: decodes and prefill chunks
  std::span<const EngineId> started;    ///< emitted their first token
  std::span<const EngineId> continued;  ///< emitted a further one
  std::span<const EngineId> ended;      ///< of both: that was their last; the id is free
};

/// Totals since the model was made.
struct EngineCounters {
  std::uint64_t preemptions = 0;
  std::uint64_t cache_queries = 0, cache_hits = 0;         ///< prompt tokens looked up and found, at first admission
  std::uint64_t prompt_tokens = 0, generation_tokens = 0;  ///< of prompts whose first token is out; emitted
};

class EngineModel {
 public:
  /// Throws Error for parameters that cannot be.
  explicit EngineModel(const EngineParameters& parameters);

  /// The request joins the queue; it takes part from the next step on. `hashes` are those of its leading
  /// full blocks of block_size prompt tokens, each chained to the ones before; none for a prompt
  /// that shares nothing. The request must be can_serve() and `id` not live. `found`: prompt tokens that count as found
  /// in the cache whatever it holds (without hashes); the request holds blocks of its own for them.
  void submit(EngineId id, std::int64_t prompt, std::int64_t output, std::span<const std::uint64_t> hashes = {},
              std::int64_t found = 0);
  /// Drops the request wherever it is; does nothing when `id` is not live.
  void cancel(EngineId id);
  /// Runs one step. Must not be idle.
  const EngineStep& step();

  bool idle() const { return running() == 0 && waiting_.empty(); }
  std::size_t running() const { return decode_id_.size() + (prefilling_ ? 1 : 0); }
  std::size_t waiting() const { return waiting_.size(); }
  /// Prompt tokens found in the cache when `id` was first admitted; kept until `id` is submitted again.
  std::int64_t cached_tokens(EngineId id) const { return sequences_[id].cached; }
  /// Share of the KV blocks that requests hold, 0 to 1.
  double kv_usage() const { return static_cast<double>(pool_.held()) / static_cast<double>(pool_.capacity()); }
  const EngineCounters& counters() const { return counters_; }
  const EngineParameters& parameters() const { return parameters_; }
  /// Forgets the prefix cache; false, and nothing done, while requests are live.
  bool reset_prefix_cache();

 private:
  enum class Place : std::uint8_t { absent, waiting, prefilling, decoding };
  struct Sequence {
    std::int32_t prompt = 0, output = 0, remaining = 0;  ///< remaining: tokens still to emit
    std::int32_t target = 0;                             ///< tokens that its prefill must store
    std::int32_t stored = 0;  ///< tokens with keys and values in memory (not kept up while it decodes)
    std::int32_t room = 0;    ///< places left in its last block (not kept up while it decodes)
    std::int32_t cached = 0;
    std::int32_t found = 0;       ///< in the cache, as told
    std::uint32_t published = 0;  ///< leading blocks that were found or offered to the cache
    bool admitted = false;        ///< at least once
    Place place = Place::absent;
    std::vector<std::uint64_t> hashes;
    std::vector<BlockHandle> handles;  ///< held blocks of known content; all its others are counted
  };
  struct Hit;  ///< what the cache holds of a prompt

  void decode();
  void decode_while_short(std::int64_t count);
  void continue_prefill();
  void admit();
  Hit look_up(const Sequence& sequence) const;
  void prefill_chunk(EngineId id, std::int32_t chunk);
  std::int64_t blocks_for(const Sequence& sequence, std::int32_t tokens) const;
  Nanos cost() const;
  void finish_decodes();
  void finish_prefills();
  void publish(Sequence& sequence);
  void start_decoding(EngineId id);
  void leave_decoding(std::size_t position);
  void preempt_last();
  void release_blocks(Sequence& sequence);

  EngineParameters parameters_;
  std::int32_t block_size_;
  KvPool pool_;
  std::vector<Sequence> sequences_;  ///< by id
  std::deque<EngineId> waiting_;

  // The running requests in order of admission: those that decode, in columns, then the one whose prefill
  // is unfinished. There is at most one and it is the last: it left no budget for another to be admitted.
  std::vector<EngineId> decode_id_;
  std::vector<std::int32_t> decode_context_;  ///< prompt + generated: tokens its next token reads
  std::vector<std::int32_t> decode_remaining_;
  std::vector<std::int32_t> decode_room_;
  std::optional<EngineId> prefilling_;

  // This step.
  std::int64_t budget_ = 0;
  std::int64_t context_read_ = 0;
  std::size_t decoded_ = 0;           ///< leading decodes that got a token
  std::vector<EngineId> completing_;  ///< prefills that end with this step
  std::vector<EngineId> started_, continued_, ended_;
  EngineStep step_;
  EngineCounters counters_;
};

}  // namespace loadline
