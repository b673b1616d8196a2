// A step goes over the running requests in order of admission. As long as the KV blocks suffice (nearly
// always) the order does not matter for those that decode, so they are three short loops over columns of
// integers; only a step that runs out of blocks walks them one by one and preempts from the end.

#include "engine/model.h"

#include <algorithm>

#include "core/error.h"

namespace loadline {

struct EngineModel::Hit {
  std::int32_t blocks = 0;
  std::int32_t evictable = 0;  ///< of them: held by nobody, so that using them makes them unavailable
  std::int32_t start = 0;      ///< where the prefill begins
};

EngineModel::EngineModel(const EngineParameters& parameters)
    : parameters_((validate(parameters), parameters)),
      block_size_(static_cast<std::int32_t>(parameters.block_size)),
      pool_(parameters.kv_blocks(), parameters.prefix_cache) {}

void EngineModel::submit(EngineId id, std::int64_t prompt, std::int64_t output, std::span<const std::uint64_t> hashes,
                         std::int64_t found) {
  check(can_serve(parameters_, prompt, output), "a submitted request can be served");
  check(static_cast<std::int64_t>(hashes.size()) * block_size_ <= prompt, "hashes are of full blocks of the prompt");
  if (id >= sequences_.size()) sequences_.resize(id + 1);
  Sequence& sequence = sequences_[id];
  check(sequence.place == Place::absent, "an id is free when it is submitted");
  sequence.prompt = sequence.target = static_cast<std::int32_t>(prompt);
  sequence.output = sequence.remaining = static_cast<std::int32_t>(output);
  check(found == 0 || hashes.empty(), "what is found is either told or looked up");
  sequence.stored = sequence.room = sequence.cached = 0;
  sequence.found = static_cast<std::int32_t>(found);
  sequence.published = 0;
  sequence.admitted = false;
  sequence.place = Place::waiting;
  sequence.hashes.assign(hashes.begin(), hashes.end());
  waiting_.push_back(id);
}

void EngineModel::cancel(EngineId id) {
  if (id >= sequences_.size()) return;
  Sequence& sequence = sequences_[id];
  switch (sequence.place) {
    case Place::absent:
      return;
    case Place::waiting:
      waiting_.erase(std::find(waiting_.begin(), waiting_.end(), id));
      break;
    case Place::prefilling:
      prefilling_.reset();
      break;
    case Place::decoding: {
      const auto position =
          static_cast<std::size_t>(std::find(decode_id_.begin(), decode_id_.end(), id) - decode_id_.begin());
      leave_decoding(position);
      const auto at = static_cast<std::ptrdiff_t>(position);
      decode_id_.erase(decode_id_.begin() + at);
      decode_context_.erase(decode_context_.begin() + at);
      decode_remaining_.erase(decode_remaining_.begin() + at);
      decode_room_.erase(decode_room_.begin() + at);
      break;
    }
  }
  release_blocks(sequence);
  sequence.place = Place::absent;
}

const EngineStep& EngineModel::step() {
  check(!idle(), "a step has something to do");
  budget_ = parameters_.token_budget;
  context_read_ = 0;
  completing_.clear();
  decode();
  continue_prefill();
  admit();
  step_.duration = cost();
  step_.tokens = parameters_.token_budget - budget_;
  ended_.clear();
  finish_decodes();
  finish_prefills();
  counters_.generation_tokens += started_.size() + continued_.size();
  step_.started = started_;
  step_.continued = continued_;
  step_.ended = ended_;
  return step_;
}

/// Rule 2 for the requests whose prefill is over: one token each, in order, while the budget lasts.
void EngineModel::decode() {
  const auto count =
      static_cast<std::size_t>(std::min<std::int64_t>(budget_, static_cast<std::int64_t>(decode_id_.size())));
  std::int64_t blocks = 0;
  for (std::size_t i = 0; i < count; ++i) blocks += decode_room_[i] == 0 ? 1 : 0;
  if (blocks > pool_.available()) {
    decode_while_short(static_cast<std::int64_t>(count));
  } else {
    pool_.take(blocks);
    for (std::size_t i = 0; i < count; ++i)
      decode_room_[i] = (decode_room_[i] == 0 ? block_size_ : decode_room_[i]) - 1;
    decoded_ = count;
  }
  for (std::size_t i = 0; i < decoded_; ++i) context_read_ += decode_context_[i];
  budget_ -= static_cast<std::int64_t>(decoded_);
}

/// The same with too few blocks: each that needs one preempts the last running request until there is
/// one, and itself where it is the last.
void EngineModel::decode_while_short(std::int64_t count) {
  decoded_ = 0;
  while (decoded_ < decode_id_.size() && static_cast<std::int64_t>(decoded_) < count) {
    if (decode_room_[decoded_] == 0) {
      if (pool_.available() == 0) {
        preempt_last();
        continue;
      }
      pool_.take(1);
      decode_room_[decoded_] = block_size_;
    }
    --decode_room_[decoded_++];
  }
}

/// Rule 2 for the unfinished prefill. It is the last of the running requests: it can only preempt itself.
void EngineModel::continue_prefill() {
  if (!prefilling_ || budget_ == 0) return;
  const EngineId id = *prefilling_;
  const Sequence& sequence = sequences_[id];
  const auto chunk = static_cast<std::int32_t>(std::min<std::int64_t>(budget_, sequence.target - sequence.stored));
  if (blocks_for(sequence, chunk) > pool_.available()) {
    preempt_last();
    return;
  }
  prefilling_.reset();
  prefill_chunk(id, chunk);
}

/// Rule 3: the queue in order, while budget, places and blocks last.
void EngineModel::admit() {
  while (budget_ > 0 && !waiting_.empty() &&
         static_cast<std::int64_t>(running() + completing_.size()) < parameters_.max_sequences) {
    const EngineId id = waiting_.front();
    Sequence& sequence = sequences_[id];
    const Hit hit = look_up(sequence);
    sequence.stored = hit.start;
    sequence.room = hit.blocks * block_size_ - hit.start;
    const auto chunk = static_cast<std::int32_t>(std::min<std::int64_t>(budget_, sequence.target - hit.start));
    if (blocks_for(sequence, chunk) > pool_.available() - hit.evictable) break;
    waiting_.pop_front();
    for (std::int32_t i = 0; i < hit.blocks; ++i) {
      sequence.handles.push_back(pool_.find(sequence.hashes[static_cast<std::size_t>(i)]));
      pool_.hold(sequence.handles.back());
    }
    sequence.published = static_cast<std::uint32_t>(hit.blocks);
    if (!sequence.admitted) {
      sequence.admitted = true;
      sequence.cached = hit.start;
      counters_.cache_queries += static_cast<std::uint64_t>(parameters_.prefix_cache ? sequence.prompt : 0);
      counters_.cache_hits += static_cast<std::uint64_t>(hit.start);
    }
    prefill_chunk(id, chunk);
  }
}

EngineModel::Hit EngineModel::look_up(const Sequence& sequence) const {
  Hit hit;
  for (const std::uint64_t hash : sequence.hashes) {
    const BlockHandle block = pool_.find(hash);
    if (block == no_block) break;
    ++hit.blocks;
    hit.evictable += pool_.evictable(block) ? 1 : 0;
  }
  // At least one prompt token is computed, or there would be nothing to emit from.
  hit.start = std::min(std::max(hit.blocks * block_size_, sequence.found), sequence.prompt - 1);
  return hit;
}

void EngineModel::prefill_chunk(EngineId id, std::int32_t chunk) {
  Sequence& sequence = sequences_[id];
  const std::int64_t blocks = blocks_for(sequence, chunk);
  pool_.take(blocks);
  context_read_ += sequence.stored;
  sequence.stored += chunk;
  sequence.room += static_cast<std::int32_t>(blocks) * block_size_ - chunk;
  budget_ -= chunk;
  sequence.place = Place::prefilling;
  if (sequence.stored == sequence.target)
    completing_.push_back(id);
  else
    prefilling_ = id;
}

std::int64_t EngineModel::blocks_for(const Sequence& sequence, std::int32_t tokens) const {
  return tokens <= sequence.room ? 0 : (tokens - sequence.room + block_size_ - 1) / block_size_;
}

/// Rule 4.
Nanos EngineModel::cost() const {
  const EngineParameters& p = parameters_;
  const Seconds memory = p.weight_read + p.kv_read * static_cast<double>(context_read_);
  const Seconds compute = p.token_compute * static_cast<double>(p.token_budget - budget_);
  return nanos(p.fixed_step + std::max(memory, compute) + (1 - p.overlap) * std::min(memory, compute) +
               p.sequence_step * static_cast<double>(running() + completing_.size()));
}

/// Rule 5 for the decodes of this step; the columns close up behind those that end, in order.
void EngineModel::finish_decodes() {
  continued_.assign(decode_id_.begin(), decode_id_.begin() + static_cast<std::ptrdiff_t>(decoded_));
  std::int32_t least = 1;
  for (std::size_t i = 0; i < decoded_; ++i) {
    ++decode_context_[i];
    --decode_remaining_[i];
    least = std::min(least, decode_remaining_[i]);
  }
  if (least > 0) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < decode_id_.size(); ++i) {
    if (decode_remaining_[i] == 0) {
      leave_decoding(i);
      Sequence& sequence = sequences_[decode_id_[i]];
      release_blocks(sequence);
      sequence.place = Place::absent;
      ended_.push_back(decode_id_[i]);
      continue;
    }
    decode_id_[kept] = decode_id_[i];
    decode_context_[kept] = decode_context_[i];
    decode_remaining_[kept] = decode_remaining_[i];
    decode_room_[kept] = decode_room_[i];
    ++kept;
  }
  decode_id_.resize(kept);
  decode_context_.resize(kept);
  decode_remaining_.resize(kept);
  decode_room_.resize(kept);
}

/// Rule 5 for the prefills of this step. What they computed can be found in the cache from now on.
void EngineModel::finish_prefills() {
  started_.clear();
  if (prefilling_) publish(sequences_[*prefilling_]);
  for (const EngineId id : completing_) {
    Sequence& sequence = sequences_[id];
    publish(sequence);
    const bool first = sequence.remaining == sequence.output;
    (first ? started_ : continued_).push_back(id);
    if (first) counters_.prompt_tokens += static_cast<std::uint64_t>(sequence.prompt);
    if (--sequence.remaining > 0) {
      start_decoding(id);
      continue;
    }
    release_blocks(sequence);
    sequence.place = Place::absent;
    ended_.push_back(id);
  }
}

void EngineModel::publish(Sequence& sequence) {
  const auto full = static_cast<std::uint32_t>(sequence.stored / block_size_);
  const auto end = std::min(full, static_cast<std::uint32_t>(sequence.hashes.size()));
  for (; sequence.published < end; ++sequence.published) {
    const BlockHandle block = pool_.publish(sequence.hashes[sequence.published]);
    if (block != no_block) sequence.handles.push_back(block);
  }
}

void EngineModel::start_decoding(EngineId id) {
  Sequence& sequence = sequences_[id];
  sequence.place = Place::decoding;
  decode_id_.push_back(id);
  decode_context_.push_back(sequence.stored + 1);
  decode_remaining_.push_back(sequence.remaining);
  decode_room_.push_back(sequence.room);
}

/// Brings the columns of one decode back into its sequence. The caller removes the row.
void EngineModel::leave_decoding(std::size_t position) {
  Sequence& sequence = sequences_[decode_id_[position]];
  sequence.stored = decode_context_[position] - 1;
  sequence.remaining = decode_remaining_[position];
  sequence.room = decode_room_[position];
}

void EngineModel::preempt_last() {
  EngineId id;
  if (prefilling_) {
    id = *prefilling_;
    prefilling_.reset();
  } else {
    id = decode_id_.back();
    leave_decoding(decode_id_.size() - 1);
    decode_id_.pop_back();
    decode_context_.pop_back();
    decode_remaining_.pop_back();
    decode_room_.pop_back();
  }
  Sequence& sequence = sequences_[id];
  release_blocks(sequence);
  sequence.target = sequence.prompt + sequence.output - sequence.remaining;
  sequence.place = Place::waiting;
  waiting_.push_front(id);
  ++counters_.preemptions;
}

/// The end of the sequence first: of two blocks that nobody needs, the later one is the less shared.
void EngineModel::release_blocks(Sequence& sequence) {
  const std::int64_t blocks = (sequence.stored + sequence.room) / block_size_;
  if (sequence.place != Place::waiting) pool_.give_back(blocks - static_cast<std::int64_t>(sequence.handles.size()));
  for (auto block = sequence.handles.rbegin(); block != sequence.handles.rend(); ++block) pool_.release(*block);
  sequence.handles.clear();
  sequence.stored = sequence.room = 0;
}

bool EngineModel::reset_prefix_cache() {
  if (!idle()) return false;
  pool_.reset();
  return true;
}

}  // namespace loadline
