#pragma once
// The rules of a running level: when its warm-up ends, when its window closes, when it is over.
// docs/method.md sections 2 to 4. Told events in order of time, asked for the phase; O(1) an event, and the checks
// (sorting some thousands of numbers; with an ITL objective a pass over the gaps so far) run while `phase` is
// asked, at n = 1,000 and every 25% more.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/course.h"
#include "core/level.h"
#include "core/level_result.h"
#include "measure/checks.h"
#include "measure/saturation.h"

namespace loadline {

/// The course of one level. Two ways to measure an exact number of requests:
/// - `num_prompts` with load around it: after that many are released in the window the phase is cooling_down; the
/// window
///   ends with the moment at which the next one is due (so window_end() is known only then, or when all of R ended).
/// - `num_prompts` with `warmup_requests` = 0: exactly that many are sent; then draining, and the window ends with
///   the last of them.
/// A level at which max(50, 4 users) requests have ended, all of them failures, is over at once, in warm-up and window;
/// except where exactly N are sent.
/// A request that cannot be sent is resolved when `ended` is told of it, or at `released` when its record is closed
/// already. After the window has closed, what has not ended within another `max_duration`, 600 s at least, is given up (finished).
class StandardCourse : public LevelCourse {
 public:
  StandardCourse(Level level, LevelRules rules);

  void start(const LevelRecords& records, RunTime now) override;
  void released(std::uint32_t serial, RunTime now) override;
  void first_token(std::uint32_t serial, RunTime now) override;
  void ended(std::uint32_t serial, RunTime now) override;
  Phase phase(RunTime now) override;
  std::optional<RunTime> wake_at() const override;
  std::optional<RunTime> window_start() const override { return window_start_; }
  std::optional<RunTime> window_end() const override { return window_end_; }

  // How the course sees the level, live. A run does not need it: `measure` judges the records by the same rules. Tests
  // do.
  Stability stability() const;
  /// One sentence: why the window closed.
  std::string reason() const;
  Verdict verdict() const { return checks_.verdict(); }
  std::optional<double> queue_growth_per_s() const;
  std::uint32_t in_flight() const { return in_flight_; }
  /// Requests of R so far; of these, the longest prefix that has what the objectives ask for.
  std::uint64_t measured() const { return members_.size(); }
  std::uint64_t resolved() const { return resolved_; }
  std::uint64_t next_check_at() const { return checks_.next_at(); }

 private:
  enum class Progress : std::uint8_t { unknown, in_flight, has_token, has_ended };

  bool is_open_loop() const { return level_.kind == LevelKind::request_rate; }
  bool sends_exactly() const { return rules_.num_prompts && rules_.warmup_requests == 0u; }
  bool stops_early() const { return !rules_.num_prompts && !rules_.duration; }
  bool plan_is_used_up() const;
  Nanos least_warmup() const;
  Nanos cool_down_patience() const;
  std::optional<std::uint64_t> request_limit() const;
  std::optional<Nanos> window_limit() const;
  bool belongs_to_window(RunTime due) const;
  RunTime due_of(std::uint32_t serial) const;

  void end_request(std::uint32_t serial);
  void sample_queue(RunTime until);
  bool all_failed() const;
  void judge_warmup(RunTime now);
  void open_window(RunTime now);
  void stop_without_window(std::string why);
  void advance_resolved();
  void judge_window(RunTime now);
  void close_window(RunTime end, Phase next, std::string why);
  void set_window_end(RunTime end);
  void leave_cool_down(RunTime now);
  void finish();

  Level level_;
  LevelRules rules_;
  Checks checks_;
  std::optional<SaturationWatch> queue_;
  const LevelRecords* records_ = nullptr;
  Phase phase_ = Phase::warming_up;
  RunTime started_{}, latest_{};  // latest_: the last instant told or asked
  std::optional<RunTime> last_due_;
  std::optional<RunTime> window_start_, window_end_, closed_at_;
  bool end_is_pending_ = false;  // the window closes with the due moment of the next release
  RunTime next_sample_{};
  std::string why_;

  std::vector<Progress> progress_;       // by serial
  std::vector<std::uint32_t> members_;   // R, in order of release
  std::vector<std::uint8_t> is_member_;  // by serial
  std::uint64_t plan_size_ = 0, released_count_ = 0, ended_count_ = 0;
  std::uint64_t first_count_ = 0, first_ended_ = 0;  // the first c requests: how many, how many have ended
  std::vector<std::uint8_t> is_first_;               // by serial
  std::uint64_t members_ended_ = 0, resolved_ = 0;
  std::uint64_t succeeded_ = 0, failed_ = 0;
  std::uint32_t in_flight_ = 0;
  bool needs_end_ = false;  // an objective other than TTFT: a request resolves when it has ended
};

}  // namespace loadline
