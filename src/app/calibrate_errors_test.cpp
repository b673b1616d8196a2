#include "app/calibrate_errors.h"

#include <gtest/gtest.h>

#include "app/calibrate_plan.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

RunTime at(Nanos after_start) { return run_start + after_start; }

/// A level with its window from 1 s to 2 s.
LevelRecords calibrated_level() {
  LevelRecords records;
  records.window_start = at(1s);
  records.window_end = at(2s);
  return records;
}

/// A request due at `due` whose output arrived at those instants.
void add_record(LevelRecords& records, std::uint32_t plan_index, Nanos due, const std::vector<Nanos>& arrivals) {
  RequestRecord record;
  record.plan_index = plan_index;
  record.due = record.sent = at(due);
  record.first_token = at(arrivals.front());
  record.last_token = at(arrivals.back());
  std::vector<std::uint32_t> gaps;
  for (std::size_t i = 1; i < arrivals.size(); ++i)
    gaps.push_back(static_cast<std::uint32_t>((arrivals[i] - arrivals[i - 1]).count() / nanos_per_gap_unit));
  record.gaps = records.gaps.append(gaps);
  record.attempts = 1;
  records.requests.push_back(record);
}

/// Writes that were due at those instants, began 10 us later and took 5 us.
StreamStamps stamps(std::uint32_t request, std::uint32_t tokens_per_write, const std::vector<Nanos>& due) {
  StreamStamps stream{request, 0, tokens_per_write, false, {}};
  for (const Nanos instant : due) stream.writes.push_back({at(instant), at(instant + 10us), at(instant + 15us)});
  return stream;
}

TEST(ArrivalErrors, AreTheKnownShiftsOfTheClient) {
  LevelRecords records = calibrated_level();
  // The writes end at 1100.015, 1120.015 and 1140.015 ms; the arrivals are 3 us early, 20 us late and 5 us late.
  add_record(records, 7, 1050ms, {1100ms + 12us, 1120ms + 35us, 1140ms + 20us});
  const ArrivalErrors errors = arrival_errors(records, std::vector{stamps(7, 1, {1100ms, 1120ms, 1140ms})});
  ASSERT_EQ(errors.ttft_ms.size(), 1u);
  EXPECT_NEAR(errors.ttft_ms[0], -0.003, 1e-9) << "the bytes came while the engine's call still lasted";
  ASSERT_EQ(errors.gap_ms.size(), 2u);
  EXPECT_NEAR(errors.gap_ms[0], 0.023, 1e-9);
  EXPECT_NEAR(errors.gap_ms[1], 0.015, 1e-9) << "shorter than it was is an error too";
  ASSERT_EQ(errors.engine_lateness_ms.size(), 3u);
  for (const double late : errors.engine_lateness_ms) EXPECT_NEAR(late, 0.010, 1e-9);
}

TEST(ArrivalErrors, EventsOfOneWriteCountOnce) {
  LevelRecords records = calibrated_level();
  add_record(records, 0, 1050ms, {1100ms + 25us, 1100ms + 25us, 1100ms + 25us, 1120ms + 15us, 1120ms + 15us});
  const ArrivalErrors errors = arrival_errors(records, std::vector{stamps(0, 3, {1100ms, 1120ms})});
  ASSERT_EQ(errors.ttft_ms.size(), 1u);
  EXPECT_NEAR(errors.ttft_ms[0], 0.010, 1e-9);
  ASSERT_EQ(errors.gap_ms.size(), 1u);
  EXPECT_NEAR(errors.gap_ms[0], 0.010, 1e-9);
}

TEST(ArrivalErrors, OnlyWhatCanBeCompared) {
  LevelRecords records = calibrated_level();
  add_record(records, 0, 900ms, {1100ms});   // due before the window
  add_record(records, 1, 2000ms, {2100ms});  // after it
  add_record(records, 2, 1100ms, {1200ms});  // sent twice
  records.requests.back().attempts = 2;
  add_record(records, 3, 1100ms, {1200ms});                                       // the engine knows nothing of it
  records.requests.push_back({});                                                 // never answered
  add_record(records, 4, 1100ms, {1200ms + 15us, 1220ms + 15us, 1240ms + 15us});  // the last write was held up
  const ArrivalErrors errors =
      arrival_errors(records, std::vector{stamps(0, 1, {1100ms}), stamps(1, 1, {2100ms}), stamps(2, 1, {1200ms}),
                                          stamps(4, 1, {1200ms, 1220ms})});
  ASSERT_EQ(errors.ttft_ms.size(), 1u);
  EXPECT_NEAR(errors.ttft_ms[0], 0, 1e-9);
  EXPECT_EQ(errors.gap_ms.size(), 1u);
}

TEST(CalibratePlan, StreamsHaveSeveralAnswersAndNeverRunOutOfThem) {
  const CalibrationLoad few{LevelKind::concurrency, 64, 50, 1, Phases::spread};
  const Plan plan = plan_of(few, 2s, 2500ms);
  EXPECT_EQ(plan.level.target, 64);
  // 8 answers in 2 s of 50 writes/s: 12.5 of them each, rounded; 125 writes in all are 9.6 answers, and 3 to spare.
  EXPECT_EQ(plan.requests.front().request.completion, Tokens(13));
  EXPECT_EQ(plan.requests.size(), 64u * 13u);
  const CalibrationLoad many{LevelKind::concurrency, 2000, 50, 8, Phases::spread};
  EXPECT_EQ(plan_of(many, 2s, 2500ms).requests.front().request.completion, Tokens(50 * 8)) << "2 answers of 50 writes";
}

TEST(CalibratePlan, RequestsComeEvenlyAndAreNamedByTheirIndex) {
  const Plan plan = plan_of({LevelKind::request_rate, 100, 0, 1, Phases::spread}, 1s, 1500ms);
  ASSERT_EQ(plan.requests.size(), 151u);
  EXPECT_EQ(std::get<AtOffset>(plan.requests[150].due).after_level_start, 1500ms);
  std::string body;
  write_calibration_body(plan, 42, body);
  EXPECT_NE(body.find(R"("prompt":[42],"max_tokens":1,)"), std::string::npos) << body;
}

}  // namespace
}  // namespace loadline
