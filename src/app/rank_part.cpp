#include "app/rank_part.h"

namespace loadline {
namespace {

constexpr auto write_interval = std::chrono::milliseconds(200);

}  // namespace

void RankPart::level_started(std::uint32_t ordinal, const Level& level, RunTime started) {
  ordinal_ = ordinal;
  serial_ = 0;
  client_.reset();
  writer_.begin_level(ordinal, level, started);
}

void RankPart::window(std::optional<RunTime> start, std::optional<RunTime> end) {
  writer_.window(ordinal_, start, end);
}

void RankPart::happened(std::uint32_t, const Batch& batch) {
  for (const RequestRecord& record : batch.records) {
    StoredRequest stored{record, {}};
    stored.record.serial = serial_++;  // in order of their ends: shares number their own
    const auto first = batch.gaps.begin() + static_cast<std::ptrdiff_t>(record.gaps.first);
    stored.gaps.assign(first, first + record.gaps.count);
    pending_.push_back(std::move(stored));
  }
  if (batch.is_last) client_ = client_ ? together(*client_, batch.client) : batch.client;
  if (std::chrono::steady_clock::now() - written_ > write_interval) write_pending();
}

void RankPart::write_pending() {
  if (!pending_.empty()) writer_.append(ordinal_, pending_);
  pending_.clear();
  written_ = std::chrono::steady_clock::now();
}

void RankPart::level_ended(RunTime ended, bool interrupted) {
  write_pending();
  if (client_) writer_.put_client(ordinal_, *client_);
  writer_.end_level(ordinal_, ended, interrupted ? "interrupted" : "complete");
}

void RankPart::finish(bool interrupted) {
  writer_.put("state", interrupted ? "interrupted" : "complete");
  writer_.finish();
}

}  // namespace loadline
