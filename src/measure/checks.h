#pragma once
// The checks of a level, at growing n (LevelRules::first_check, check_growth): is p99 stable, is the verdict decided?
// The same code serves the running level and its replay from records.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/level.h"
#include "core/level_result.h"
#include "core/record.h"

namespace loadline {

/// Those of `members` that belong to the class, in their order.
std::vector<std::uint32_t> members_of_class(const LevelRecords& records, std::span<const std::uint32_t> members,
                                            const RequestClass& of);

/// One objective over the first n requests of R.
struct ObjectiveCheck {
  ObjectiveResult result;
  bool stable = false;  ///< the interval of its percentile exists and is close enough
};
/// `members`: indices into records.requests, in order of due; an objective of a class takes those of its class, with
/// their own dependence. ITL is refused (n = 0, open) where gaps are chunk gaps.
ObjectiveCheck check_objective(const LevelRecords& records, std::span<const std::uint32_t> members,
                               const Objective& objective, double precision);

/// Of all objectives together: over if one is, under if all are (and there is one), else open.
Verdict verdict_of_all(std::span<const ObjectiveResult> objectives);

/// The sequence of checks and what it has come to.
class Checks {
 public:
  explicit Checks(const LevelRules& rules);
  /// Requests that the next check takes.
  std::uint64_t next_at() const { return next_at_; }
  /// Runs every check due with the first `resolved` members.
  void advance(const LevelRecords& records, std::span<const std::uint32_t> members, std::uint64_t resolved);
  /// The check at the end, over all members, if the last one took fewer. A level that ends with this as its only check
  /// is judged by it alone.
  void finish(const LevelRecords& records, std::span<const std::uint32_t> members);

  /// `stabilised` or `decided`, once it has come to one of them.
  std::optional<Stability> outcome() const { return outcome_; }
  /// Of the last check.
  Verdict verdict() const { return verdict_; }
  /// Why it ended, or what is still missing: one sentence.
  std::string reason() const;

 private:
  void run_check(const LevelRecords& records, std::span<const std::uint32_t> members);

  std::vector<Objective> objectives_;
  bool has_verdict_, until_stable_;
  double precision_, growth_;
  std::uint64_t next_at_;
  std::uint64_t last_at_ = 0;
  std::uint32_t count_ = 0;
  bool stable_ = false;
  Verdict verdict_ = Verdict::open;
  std::optional<Stability> outcome_;
  std::uint64_t outcome_at_ = 0;
  bool by_one_check_ = false;
};

}  // namespace loadline
