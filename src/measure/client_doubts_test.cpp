#include "measure/client_doubts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "measure/measure.h"
#include "measure/output_arrivals.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

/// A second of 40 streams, each with 50 events/s in reads of two, the first at 10 s: 1,000 reads and 2,000 events.
LevelRecords forty_streams() {
  LevelRecords records;
  records.level = {LevelKind::concurrency, 40, Arrivals::closed};
  records.started = run_start;
  records.window_start = run_start + 10s;
  records.window_end = run_start + 11s;
  records.ended = run_start + 12s;
  for (std::uint32_t i = 0; i < 40; ++i) {
    RequestRecord record;
    record.serial = i;
    record.due = record.sent = run_start + 10s;
    record.first_token = run_start + 10s;
    record.last_token = record.closed = run_start + 11s;
    std::vector<std::uint32_t> gaps;
    for (int read = 0; read < 25; ++read) {
      gaps.push_back(0);
      gaps.push_back(400'000);  // 40 ms
    }
    record.gaps = records.gaps.append(gaps);
    record.events = 51;
    record.completion_tokens = Tokens(51);
    record.outcome = Outcome::ok;
    records.requests.push_back(record);
  }
  return records;
}

const Doubt* find(const LevelResult& result, std::string_view id) {
  const auto found = std::ranges::find(result.doubts, id, &Doubt::id);
  return found == result.doubts.end() ? nullptr : &*found;
}

/// What is said of the forty streams under that id; empty where nothing is.
std::string said(std::string_view id, const ClientCalibration& calibration, std::uint32_t threads = 1,
                 double engine_speed = 1) {
  LevelRecords records = forty_streams();
  records.client.threads = threads;
  const LevelResult result = measure(records, {}, {}, engine_speed, &calibration);
  const Doubt* doubt = find(result, id);
  return doubt == nullptr ? "" : doubt->text;
}

TEST(OutputArrivals, CountsEventsAndTheReadsThatBroughtThem) {
  const LevelRecords records = forty_streams();
  const OutputArrivals all = output_arrivals(records, {run_start + 10s, run_start + 11s});
  EXPECT_EQ(all.events, 2000u) << "the last of each arrives at the window's end";
  EXPECT_EQ(all.reads, 1000u);
  const OutputArrivals some = output_arrivals(records, {run_start + 10'040ms, run_start + 10'120ms});
  EXPECT_EQ(some.events, 160u);
  EXPECT_EQ(some.reads, 80u);
}

TEST(ClientDoubts, ALoadOverAProvenLimitIsTheClients) {
  ClientCalibration limits;
  limits.events_per_s_per_thread = {.value = 999};
  EXPECT_NE(said("client_limited", limits).find("1000 reads of output/s"), std::string::npos);
  EXPECT_NE(said("client_limited", limits).find("Add CPU cores, or another machine (mpirun)"), std::string::npos);
  limits.events_per_s_per_thread = {.value = 1000};
  EXPECT_EQ(said("client_limited", limits), "");
  limits.streams_per_thread = {.value = 39};
  EXPECT_NE(said("client_limited", limits).find("40 streams"), std::string::npos);
  limits.streams_per_thread.reset();
  limits.requests_per_s_per_thread = {.value = 30};
  EXPECT_NE(said("client_limited", limits).find("40 requests/s"), std::string::npos);
}

TEST(ClientDoubts, ThreadsShareTheLoadAndAFastEngineMultipliesIt) {
  ClientCalibration limits;
  limits.events_per_s_per_thread = {.value = 600};
  EXPECT_NE(said("client_limited", limits, 1), "");
  EXPECT_EQ(said("client_limited", limits, 2), "") << "500 a thread";
  EXPECT_NE(said("client_limited", limits, 2, 1.5), "") << "750 a thread of the wall";
}

TEST(ClientDoubts, BeyondWhatWasTriedIsARemark) {
  ClientCalibration limits;
  limits.streams_per_thread = {.value = 32, .at_least = true};
  EXPECT_EQ(said("client_limited", limits), "");
  EXPECT_NE(said("client_unproven", limits).find("at least 32"), std::string::npos);
  EXPECT_FALSE(make_doubt("client_unproven", 0, "").invalidates);
}

TEST(ClientDoubts, WithoutACalibrationNothingIsProvenOrRefuted) {
  const LevelResult result = measure(forty_streams(), {}, {});
  EXPECT_EQ(find(result, "client_limited"), nullptr);
  EXPECT_EQ(find(result, "client_unproven"), nullptr);
}

TEST(ClientDoubts, NamesWhatTheMachineLacked) {
  const std::pair<const char*, const char*> rows[] = {
      {"cannot connect: Too many open files", "open files (ulimit -n)"},
      {"cannot connect: Cannot assign requested address", "local ports"},
      {"cannot connect: No buffer space available", "memory"}};
  for (const auto& [message, remedy] : rows) {
    LevelRecords records = forty_streams();
    records.requests.back().outcome = Outcome::unsent;
    records.requests.back().message = message;
    const LevelResult result = measure(records, {}, {});
    const Doubt* doubt = find(result, "client_limited");
    ASSERT_NE(doubt, nullptr) << message;
    EXPECT_TRUE(doubt->invalidates);
    EXPECT_NE(doubt->text.find(std::string("Add ") + remedy), std::string::npos) << doubt->text;
  }
}

}  // namespace
}  // namespace loadline
