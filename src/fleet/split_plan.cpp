#include "fleet/split_plan.h"

#include <algorithm>

#include "core/error.h"
#include "core/releases.h"

namespace loadline {
namespace {

/// Of `total` things handed out in turn, how many the share gets.
std::size_t part_of(std::size_t total, std::size_t share, std::size_t shares) {
  return total / shares + (share < total % shares ? 1 : 0);
}

std::vector<PlanShare> empty_shares(const Plan& plan, std::size_t shares) {
  std::vector<PlanShare> result(shares);
  for (std::size_t i = 0; i < shares; ++i) {
    Plan& part = result[i].plan;
    part.level = plan.level;
    part.ordinal = plan.ordinal;
    part.seed = plan.seed;
    part.block_size = plan.block_size;
    const bool closed = plan.level.kind == LevelKind::concurrency;
    part.level.target = closed ? static_cast<double>(part_of(users_of(plan.level), i, shares))
                               : plan.level.target / static_cast<double>(shares);
    // Rounded up: a share without a place could send nothing.
    const auto count = static_cast<std::uint32_t>(shares);
    part.level.max_in_flight = (plan.level.max_in_flight + count - 1) / count;
  }
  return result;
}

/// About how long a user is busy with it, in tokens of an answer: a prompt's tokens are read many at a time.
double work_of(const Request& request) {
  constexpr double prompt_tokens_in_time_of_one = 20;
  return 1 + static_cast<double>(request.completion.value()) +
         static_cast<double>(request.prompt.length.value()) / prompt_tokens_in_time_of_one;
}

/// Says to which share the next opening goes.
class Dealer {
 public:
  explicit Dealer(const std::vector<PlanShare>& shares) : work_(shares.size(), 0.0) {
    for (const PlanShare& share : shares) {
      is_rate_ |= share.plan.level.kind == LevelKind::request_rate;
      users_.push_back(share.plan.level.target);
    }
  }
  std::uint32_t choose() {
    if (is_rate_) return static_cast<std::uint32_t>(next_++ % work_.size());
    std::uint32_t least = 0;
    for (std::uint32_t i = 1; i < work_.size(); ++i) {
      if (work_[i] / users_[i] < work_[least] / users_[least]) least = i;
    }
    return least;
  }
  void add(std::uint32_t share, const Request& request) { work_[share] += work_of(request); }

 private:
  std::vector<double> work_, users_;
  std::size_t next_ = 0;
  bool is_rate_ = false;
};

/// A share releases as many as it has of the whole plan's first `most`: together these are exactly so many.
void limit_releases(std::uint32_t most, std::vector<PlanShare>& shares) {
  for (PlanShare& share : shares) {
    const auto own = std::ranges::count_if(share.plan_index, [most](std::uint32_t index) { return index < most; });
    share.plan.level.most_releases = static_cast<std::uint32_t>(own);
    if (own > 0) continue;
    share.plan.requests.clear();
    share.plan_index.clear();
  }
}

}  // namespace

std::size_t shares_of(const Level& level, std::size_t most) {
  const std::size_t users = level.kind == LevelKind::concurrency ? users_of(level) : most;
  return std::clamp<std::size_t>(users, 1, std::max<std::size_t>(1, most));
}

std::vector<PlanShare> split_plan(const Plan& plan, std::size_t shares) {
  check(shares >= 1 && shares <= shares_of(plan.level, shares), "a share of a closed loop has a user");
  std::vector<PlanShare> result = empty_shares(plan, shares);
  Dealer dealer(result);
  std::vector<std::uint32_t> share_of(plan.requests.size()), index_in_share(plan.requests.size());
  for (std::uint32_t i = 0; i < plan.requests.size(); ++i) {
    PlannedRequest planned = plan.requests[i];
    if (auto* turn = std::get_if<AfterTurn>(&planned.due)) {
      share_of[i] = share_of[turn->before];
      turn->before = index_in_share[turn->before];
    } else {
      share_of[i] = dealer.choose();
    }
    dealer.add(share_of[i], planned.request);
    PlanShare& share = result[share_of[i]];
    index_in_share[i] = static_cast<std::uint32_t>(share.plan.requests.size());
    share.plan.requests.push_back(planned);
    share.plan_index.push_back(i);
  }
  if (plan.level.most_releases > 0) limit_releases(plan.level.most_releases, result);
  return result;
}

Plan self_contained(const PlanShare& share, const Plan& whole) {
  Plan plan = share.plan;
  for (PlannedRequest& planned : plan.requests) {
    Prompt& prompt = planned.request.prompt;
    const auto first = whole.blocks.begin() + static_cast<std::ptrdiff_t>(prompt.first_block);
    prompt.first_block = plan.blocks.size();
    plan.blocks.insert(plan.blocks.end(), first, first + prompt.block_count);
  }
  return plan;
}

}  // namespace loadline
