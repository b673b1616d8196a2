#include "fleet/relay.h"

#include <algorithm>
#include <numeric>
#include <thread>

#include "core/error.h"

namespace loadline {
namespace {

constexpr auto relay_interval = std::chrono::milliseconds(1);

/// A share that came from rank 0 as a plan of its own.
PlanShare alone(Plan plan) {
  PlanShare share{std::move(plan), {}};
  share.plan_index.resize(share.plan.requests.size());
  std::iota(share.plan_index.begin(), share.plan_index.end(), 0U);
  return share;
}

Level sum_of(const std::vector<PlanShare>& shares) {
  Level level = shares.front().plan.level;
  level.target = 0;
  level.max_in_flight = 0;
  for (const PlanShare& share : shares) {
    level.target += share.plan.level.target;
    level.max_in_flight += share.plan.level.max_in_flight;
  }
  return level;
}

}  // namespace

Relay::Relay(ClientMaker maker, std::size_t threads, TimeSource& time, Communicator& ranks, PartSink& sink)
    : maker_(std::move(maker)), time_(time), ranks_(ranks), sink_(sink) {
  for (std::size_t i = 0; i < threads; ++i) threads_.push_back(std::make_unique<ShareThread>(maker_));
}

void Relay::tell(const FleetMessage& message) { ranks_.send(0, Tag::events, encode(message)); }

bool Relay::has_lost_rank_0() const {
  return ranks_.is_broken() || ranks_.has_left(0) || ranks_.silence(0) > lost_after;
}

void Relay::serve(const std::atomic<bool>& interrupted) {
  while (!end_ && !interrupted) {
    if (std::optional<Message> message = ranks_.poll(Tag::control)) {
      FleetMessage told = decode(message->bytes);
      if (auto* carried = std::get_if<CarryShares>(&told)) carry(std::move(*carried), interrupted);
      if (const auto* end = std::get_if<EndRun>(&told)) end_ = *end;
      continue;
    }
    if (has_lost_rank_0()) {
      throw Error(
          name_of(ranks_, 0) + " is gone: it ended or cannot be reached; what this rank measured stays in its part",
          ExitStatus::not_valid);
    }
    std::this_thread::sleep_for(relay_interval);
  }
  if (end_ && !end_->why.empty()) throw Error("the run was ended: " + end_->why, ExitStatus::not_valid);
}

void Relay::carry(CarryShares message, const std::atomic<bool>& interrupted) {
  if (message.shares.empty()) return;
  check(message.shares.size() <= threads_.size(), "a rank gets no more shares than it has threads");
  std::vector<PlanShare> shares;
  for (RemoteShare& remote : message.shares) shares.push_back(alone(std::move(remote.plan)));
  LevelBoard board;
  over_.assign(shares.size(), false);
  started_ = false;
  for (std::size_t i = 0; i < shares.size(); ++i) threads_[i]->begin(shares[i], shares[i].plan, board, interrupted);
  bool said_ready = false;
  while (!std::ranges::all_of(over_, std::identity{}) && !board.failed) {
    if (!said_ready && board.ready == shares.size()) {
      tell(SharesReady{message.level, static_cast<std::uint32_t>(shares.size())});
      said_ready = true;
    }
    obey(board, message.level, shares);
    for (std::size_t i = 0; i < shares.size(); ++i) pass_on(i, message.level, message.shares[i].share);
    if (has_lost_rank_0() || end_) board.phase = Phase::finished;
    std::this_thread::sleep_for(relay_interval);
  }
  if (board.failed) board.phase = Phase::finished;
  try {
    for (std::size_t i = 0; i < shares.size(); ++i) threads_[i]->join();
  } catch (const std::exception& failure) {
    tell(SharesFailed{message.level, failure.what()});
  }
  if (started_) sink_.level_ended(time_.now(), interrupted || has_lost_rank_0());
}

/// What rank 0 says while a level runs.
void Relay::obey(LevelBoard& board, std::uint32_t level, const std::vector<PlanShare>& shares) {
  while (std::optional<Message> message = ranks_.poll(Tag::control)) {
    const FleetMessage told = decode(message->bytes);
    if (const auto* start = std::get_if<StartLevel>(&told); start && start->level == level) {
      sink_.level_started(level, sum_of(shares), start->at);
      started_ = true;
      board.start_ns = start->at.time_since_epoch().count();
    }
    if (const auto* phase = std::get_if<LevelPhase>(&told); phase && phase->level == level) {
      board.phase = phase->phase;
      if (started_) sink_.window(phase->window_start, phase->window_end);
    }
    if (const auto* end = std::get_if<EndRun>(&told)) end_ = *end;
  }
}

void Relay::pass_on(std::size_t thread, std::uint32_t level, std::uint32_t share) {
  std::unique_ptr<Batch> batch = threads_[thread]->slot().take();
  if (batch == nullptr) return;
  if (batch->is_last) over_[thread] = true;
  if (started_) sink_.happened(share, *batch);
  tell(ShareBatch{level, share, std::move(*batch)});
}

}  // namespace loadline
