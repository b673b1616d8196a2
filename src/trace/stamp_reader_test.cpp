#include "trace/stamp_reader.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

using namespace std::chrono_literals;

constexpr Nanos t0{1793610900'000'000'000};  // 2026-11-02T09:15:00Z

TEST(StampReader, TextInEveryZone) {
  StampReader stamps;
  for (const char* const text :
       {"2026-11-02T09:15:00Z", "2026-11-02 09:15:00", "2026-11-02 09:15:00 UTC", "2026-11-02 09:15:00.000+00",
        "2026-11-02T11:15:00.0+02:00", " 2026-11-02T04:15:00-05 "})
    EXPECT_EQ(stamps.read(text, std::nullopt), t0) << text;
  for (const char* const text : {"", "yesterday", "2026-11-02", "2026-13-02T09:15:00Z", "2026-11-02T09:15:00 CET", "Z"})
    EXPECT_FALSE(stamps.read(text, std::nullopt)) << text;
}

TEST(StampReader, NumbersOfAUnitOrOfASizeThatTellsIt) {
  StampReader stamps;
  EXPECT_EQ(stamps.read("1793610900", std::nullopt), t0);
  EXPECT_EQ(stamps.read("1793610900.25", std::nullopt), t0 + 250ms);
  EXPECT_EQ(stamps.read("1793610900412", std::nullopt), t0 + 412ms);
  EXPECT_EQ(stamps.read("1793610900412001", std::nullopt), t0 + 412'001us);
  EXPECT_EQ(stamps.read("1793610900412001007", std::nullopt), t0 + 412'001'007ns);
  EXPECT_EQ(stamps.read("412", 1ms), 412ms);
  EXPECT_EQ(stamps.read("0.412", 1s), 412ms);
  EXPECT_EQ(stamps.read("2026-11-02T09:15:00Z", 1ms), t0);
  for (const char* const text : {"412", "0", "-1793610900", "17936109000", "1793610900.2.5"})
    EXPECT_FALSE(stamps.read(text, std::nullopt)) << text;
}

Trace settled(std::initializer_list<const char*> texts, std::optional<Nanos> unit = {}) {
  StampReader stamps;
  for (const char* const text : texts) stamps.read(text, unit);
  Trace trace;
  stamps.settle(trace, "local");
  return trace;
}

TEST(StampReader, ZoneAndResolutionAreThoseThatTheStampsShow) {
  EXPECT_EQ(settled({"2026-11-02T09:15:00Z", "2026-11-02T09:15:00.5Z"}).time_zone, "UTC");
  EXPECT_EQ(settled({"2026-11-02T09:15:00Z", "2026-11-02T09:15:00.5Z"}).time_resolution_ms, 100);
  EXPECT_EQ(settled({"2026-11-02T09:15:00"}).time_zone, "local");
  EXPECT_EQ(settled({"2026-11-02T09:15:00Z", "2026-11-02T09:15:00+02:00"}).time_zone, "offset");
  EXPECT_EQ(settled({"1793610900", "1793610900.125"}).time_resolution_ms, 1);
  EXPECT_EQ(settled({"1793610900"}).time_zone, "UTC");
  EXPECT_EQ(settled({"17", "18.5"}, 1s).time_zone, "");  // no date
  EXPECT_EQ(settled({"17", "18.5"}, 1ms).time_resolution_ms, 0.1);
  EXPECT_EQ(settled({"never"}).time_resolution_ms, 0);
}

}  // namespace
}  // namespace loadline
