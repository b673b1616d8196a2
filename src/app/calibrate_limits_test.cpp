#include "app/calibrate_limits.h"

#include <gtest/gtest.h>

#include "app/thread_waits.h"

namespace loadline {
namespace {

/// A load that was carried without any fault.
CalibrationRow carried_streams(double streams, double writes_per_s, std::uint32_t tokens_per_write = 1) {
  CalibrationRow row;
  row.load = {LevelKind::concurrency, streams, writes_per_s, tokens_per_write, Phases::spread};
  row.requests = row.first_tokens = 100;
  row.streams_open = streams;
  row.writes_per_s = streams * writes_per_s;
  row.events_per_s = row.writes_per_s * tokens_per_write;
  row.ttft_error_p99_ms = 0.01;
  row.read_lateness_p99_ms = 0.5;
  row.cpu_share = 0.3;
  row.engine_lateness_p99_ms = 0.1;
  return row;
}

CalibrationRow carried_requests(double rate) {
  CalibrationRow row;
  row.load = {LevelKind::request_rate, rate, 0, 1, Phases::spread};
  row.requests = row.first_tokens = 100;
  row.requests_per_s = row.events_per_s = rate;
  row.send_lateness_p99_ms = 0.1;
  row.ttft_error_p99_ms = 0.02;
  return row;
}

ClientCalibration judged(std::vector<CalibrationRow> rows) {
  for (CalibrationRow& row : rows) judge(row);
  return limits_of(rows, "2026-11-30T00:00:00Z");
}

TEST(CalibrationLimits, ALoadFailsByTheFirstBoundThatItPasses) {
  struct Case {
    const char* what;
    std::optional<double> CalibrationRow::* figure;
    double most;
  };
  const Case cases[] = {{"TTFT error", &CalibrationRow::ttft_error_p99_ms, 1},
                        {"read lateness", &CalibrationRow::read_lateness_p99_ms, 5},
                        {"CPU", &CalibrationRow::cpu_share, 0.85}};
  for (const Case& at : cases) {
    CalibrationRow row = carried_streams(100, 10);
    row.*at.figure = at.most;
    judge(row);
    EXPECT_EQ(row.fault, Fault::none) << at.what << ": " << row.reason;
    row.*at.figure = at.most * 1.01;
    judge(row);
    EXPECT_EQ(row.fault, Fault::client) << at.what;
    EXPECT_NE(row.reason.find(at.what), std::string::npos) << row.reason;
  }
  CalibrationRow row = carried_requests(1000);
  row.send_lateness_p99_ms = 5.1;
  judge(row);
  EXPECT_EQ(row.fault, Fault::client);
}

TEST(CalibrationLimits, WhatIsNotDeliveredOrFailsIsNotCarried) {
  CalibrationRow row = carried_streams(100, 10);
  row.events_per_s = 949;
  judge(row);
  EXPECT_EQ(row.fault, Fault::client);
  row = carried_streams(100, 10);
  row.streams_open = 94;
  judge(row);
  EXPECT_EQ(row.fault, Fault::client);
  row = carried_streams(100, 10);
  row.failed = 1;
  judge(row);
  EXPECT_EQ(row.fault, Fault::client);
  row = carried_streams(100, 10);
  row.first_tokens = 0;
  judge(row);
  EXPECT_EQ(row.fault, Fault::client);
}

TEST(CalibrationLimits, TheEnginesLatenessIsNotTheClients) {
  CalibrationRow row = carried_streams(100, 10);
  row.engine_lateness_p99_ms = 9;
  judge(row);
  EXPECT_EQ(row.fault, Fault::none) << "errors are against the engine's own stamps";
  row.read_lateness_p99_ms = 8;
  judge(row);
  EXPECT_EQ(row.fault, Fault::engine);
  EXPECT_NE(row.reason.find("the engine's own writes 9 ms late"), std::string::npos) << row.reason;
}

TEST(CalibrationLimits, AMachineWithoutAFreeCoreIsNotTheClientsFault) {
  CalibrationRow row = carried_streams(100, 10);
  row.waited_share = 0.3;
  judge(row);
  EXPECT_EQ(row.fault, Fault::none) << "it was carried all the same";
  row.read_lateness_p99_ms = 80;
  judge(row);
  EXPECT_EQ(row.fault, Fault::machine);
  EXPECT_NE(row.reason.find("30.0% of the time no core was free"), std::string::npos) << row.reason;
  const ClientCalibration limits = judged({carried_streams(50, 10), row});
  EXPECT_EQ(limits.streams_per_thread->value, 50);
  EXPECT_TRUE(limits.streams_per_thread->at_least);
}

TEST(CalibrationLimits, WaitsAreThoseOfTheThreadsThatLivedOn) {
  using namespace std::chrono_literals;
  const ThreadWaits from = {{"1", 100ms}, {"2", 0ms}, {"3", 5ms}}, to = {{"1", 300ms}, {"2", 100ms}, {"4", 900ms}};
  EXPECT_DOUBLE_EQ(*waited_share(from, to, 1s), 0.2);
  EXPECT_FALSE(waited_share({}, to, 1s));
  EXPECT_FALSE(thread_waits().empty());
}

TEST(CalibrationLimits, AreTheHighestCarriedAndOnlyLowerEndsWhereNothingWasTooMuch) {
  const ClientCalibration limits = judged({carried_streams(100, 10), carried_streams(1000, 10),
                                           carried_streams(200, 100), carried_requests(100), carried_requests(900)});
  EXPECT_EQ(limits.events_per_s_per_thread->value, 20'000);
  EXPECT_EQ(limits.streams_per_thread->value, 1000);
  EXPECT_EQ(limits.requests_per_s_per_thread->value, 900);
  EXPECT_TRUE(limits.events_per_s_per_thread->at_least);
  EXPECT_TRUE(limits.streams_per_thread->at_least);
  EXPECT_TRUE(limits.requests_per_s_per_thread->at_least);
  EXPECT_EQ(limits.ttft_error_p99_ms, 0.02);
  EXPECT_EQ(limits.calibrated_utc, "2026-11-30T00:00:00Z");
}

TEST(CalibrationLimits, AHigherLoadThatWasTooMuchForTheClientMakesThemReal) {
  CalibrationRow too_much = carried_streams(500, 100), engines = carried_streams(4000, 10);
  too_much.cpu_share = 0.99;
  engines.read_lateness_p99_ms = engines.engine_lateness_p99_ms = 20;
  const ClientCalibration limits = judged({carried_streams(1000, 10), too_much, engines});
  EXPECT_EQ(limits.events_per_s_per_thread->value, 10'000);
  EXPECT_FALSE(limits.events_per_s_per_thread->at_least) << "50,000 were too much";
  EXPECT_EQ(limits.streams_per_thread->value, 1000);
  EXPECT_TRUE(limits.streams_per_thread->at_least) << "500 were not too many, and 4,000 were the engine's trouble";
  EXPECT_FALSE(limits.requests_per_s_per_thread) << "none were tried";
}

TEST(CalibrationLimits, WhatALateEngineDidDeliverIsProven) {
  CalibrationRow row = carried_streams(1000, 100);
  row.writes_per_s = row.events_per_s = 60'000;
  row.engine_lateness_p99_ms = 300;
  const ClientCalibration limits = judged({carried_streams(1000, 10), row});
  EXPECT_EQ(limits.events_per_s_per_thread->value, 60'000);
  EXPECT_TRUE(limits.events_per_s_per_thread->at_least);
}

TEST(CalibrationLimits, ArePerThreadAndByTheFewestTokensAWrite) {
  CalibrationRow row = carried_streams(1000, 10);
  row.threads = 4;
  const ClientCalibration limits = judged({row, carried_streams(100, 10, 8)});
  EXPECT_EQ(limits.events_per_s_per_thread->value, 2500);
  EXPECT_EQ(limits.streams_per_thread->value, 250);
}

TEST(CalibrationLimits, NothingCarriedIsNoLimit) {
  CalibrationRow row = carried_streams(64, 10);
  row.cpu_share = 0.99;
  const ClientCalibration limits = judged({row});
  EXPECT_FALSE(limits.events_per_s_per_thread);
  EXPECT_FALSE(limits.streams_per_thread);
  EXPECT_FALSE(limits.ttft_error_p99_ms);
}

}  // namespace
}  // namespace loadline
