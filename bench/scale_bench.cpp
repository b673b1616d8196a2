// What rank 0 has to do for a fleet of many machines, at full size, without the machines: every share of the level is
// run by the engine model in virtual time, its batches go to one conductor as if from the network, and the level that
// comes out is held against what the engines did. Prints the conductor's CPU time for a second of the level.
//
//   scale_bench [STREAMS [SHARES]]      default 20000 64; exit status 1 where the merged level is not the engines'
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string_view>
#include <vector>

#include "core/random.h"
#include "engine/virtual_driver.h"
#include "fleet/conductor.h"
#include "fleet/share_course.h"
#include "measure/measure.h"
#include "measure/standard_course.h"

namespace {

using namespace loadline;

constexpr Nanos batch_interval = std::chrono::milliseconds(2);

Plan plan_of(std::size_t streams) {
  Plan plan;
  plan.level = {LevelKind::concurrency, static_cast<double>(streams), Arrivals::closed};
  Random random(1);
  plan.requests.resize(streams + streams / 4);
  for (std::size_t i = 0; i < plan.requests.size(); ++i) {
    Request& request = plan.requests[i].request;
    request.prompt.length = Tokens(20 + static_cast<std::int64_t>(random.uniform() * 100));
    request.prompt.own = i;
    request.completion = Tokens(40 + static_cast<std::int64_t>(random.uniform() * 40));
    plan.requests[i].due = WhenUserFree{};
  }
  return plan;
}

/// A share's course whose batches are kept, as the network would carry them.
class CollectedCourse final : public LevelCourse {
 public:
  CollectedCourse(LevelRecords& records, const LevelBoard& board) : share_(records, slot_, board, batch_interval) {}
  void start(const LevelRecords& records, RunTime now) override { share_.start(records, now); }
  void released(std::uint32_t serial, RunTime now) override { share_.released(serial, now); }
  void first_token(std::uint32_t serial, RunTime now) override { share_.first_token(serial, now); }
  void ended(std::uint32_t serial, RunTime now) override { share_.ended(serial, now); }
  Phase phase(RunTime now) override {
    const Phase phase = share_.phase(now);
    collect();
    return phase;
  }
  std::optional<RunTime> wake_at() const override { return share_.wake_at(); }
  std::optional<RunTime> window_start() const override { return std::nullopt; }
  std::optional<RunTime> window_end() const override { return std::nullopt; }
  std::vector<std::unique_ptr<Batch>> finish() {
    share_.finish();
    collect();
    return std::move(batches_);
  }

 private:
  void collect() {
    if (std::unique_ptr<Batch> batch = slot_.take()) batches_.push_back(std::move(batch));
  }
  BatchSlot slot_;
  ShareCourse share_;
  std::vector<std::unique_ptr<Batch>> batches_;
};

/// What must come out of the merge, whatever the order: sums over all requests.
struct Sums {
  std::uint64_t requests = 0, tokens = 0, gaps = 0;
  std::int64_t ttft_ns = 0, gap_units = 0;

  void add(const RequestRecord& record, std::span<const std::uint32_t> own_gaps) {
    ++requests;
    tokens += static_cast<std::uint64_t>(record.completion_tokens.value_or(Tokens(0)).value());
    ttft_ns += ttft(record).value_or(Nanos(0)).count();
    gaps += own_gaps.size();
    for (const std::uint32_t gap : own_gaps) gap_units += gap;
  }
  bool operator==(const Sums&) const = default;
};

struct SimulatedShare {
  std::vector<std::unique_ptr<Batch>> batches;
  std::size_t next = 0;
};

SimulatedShare simulate_share(const PlanShare& share, const LevelBoard& board, Sums& sums) {
  EngineParameters engine;
  engine.max_sequences = static_cast<std::int64_t>(share.plan.level.target) + 1;
  engine.token_budget = 4 * engine.max_sequences;
  engine.kv_tokens = 16 * 20 * engine.max_sequences;
  engine.token_compute = Seconds(1e-6);
  LevelRecords records;
  records.requests.resize(share.plan.requests.size());
  CollectedCourse course(records, board);
  simulate_level(share.plan, course, engine, records);
  SimulatedShare result{course.finish()};
  for (const std::unique_ptr<Batch>& batch : result.batches) {
    for (const RequestRecord& record : batch->records) {
      sums.add(record, std::span(batch->gaps).subspan(record.gaps.first, record.gaps.count));
    }
  }
  return result;
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::size_t number(std::string_view text) {
  std::size_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Gives the conductor what had come by `now`.
void deliver(std::vector<SimulatedShare>& shares, Conductor& conductor, RunTime now) {
  for (std::size_t i = 0; i < shares.size(); ++i) {
    SimulatedShare& share = shares[i];
    while (share.next < share.batches.size() && share.batches[share.next]->up_to <= now) {
      conductor.add(i, std::move(share.batches[share.next++]));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t streams = argc > 1 ? number(argv[1]) : 20'000;
  const std::size_t share_count = argc > 2 ? number(argv[2]) : 64;
  if (streams == 0 || share_count == 0) return std::fputs("usage: scale_bench [STREAMS [SHARES]]\n", stderr), 2;
  const Plan plan = plan_of(streams);
  const std::vector<PlanShare> split = split_plan(plan, shares_of(plan.level, share_count));
  LevelBoard board;
  Sums engines;
  std::vector<SimulatedShare> shares;
  for (const PlanShare& share : split) shares.push_back(simulate_share(share, board, engines));

  LevelRules rules;
  rules.warmup_requests = 0;
  rules.num_prompts = static_cast<std::uint32_t>(plan.requests.size());
  StandardCourse course(plan.level, rules);
  LevelRecords records;
  records.level = plan.level;
  records.requests.resize(plan.requests.size());
  Conductor conductor(plan, split, course, records);
  const double before = cpu_seconds();
  conductor.start(run_time(0));
  for (RunTime now = run_time(0); !conductor.all_over(); now += std::chrono::milliseconds(1)) {
    deliver(shares, conductor, now);
    conductor.advance();
  }
  conductor.advance();
  conductor.finish(false);
  const double merge_s = cpu_seconds() - before;

  Sums merged;
  for (const RequestRecord& record : records.requests) merged.add(record, records.gaps.at(record.gaps));
  const double measure_before = cpu_seconds();
  const LevelResult result = measure(records, rules, {}, 1);
  const double measure_s = cpu_seconds() - measure_before;
  const double span_s = seconds(records.ended - records.started);
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  fmt::print("streams {}, shares {}, requests {}, tokens {}, level {:.2f} s\n", streams, split.size(), merged.requests,
             merged.tokens, span_s);
  fmt::print("in flight: mean {:.0f}, most {:.0f}; output {:.0f} tok/s; TTFT p99 {:.1f} ms\n", result.in_flight_mean,
             result.in_flight_max, result.aggregate_output_tokens_per_s, result.ttft_ms.p99.value_or(0));
  fmt::print(
      "conductor {:.3f} s CPU = {:.3f} s a second of the level, {:.2f} us a request; measure {:.3f} s; memory {:.2f} GB\n",
      merge_s, merge_s / span_s, 1e6 * merge_s / static_cast<double>(merged.requests), measure_s,
      static_cast<double>(usage.ru_maxrss) / 1e6);
  const bool same = merged == engines && merged.requests == plan.requests.size() &&
                    result.in_flight_max <= static_cast<double>(streams);
  fmt::print("{}\n",
             same ? "The merged level is what the engines did." : "The merged level is NOT what the engines did.");
  return same ? 0 : 1;
}
