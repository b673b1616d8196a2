#include "app/calibration_store.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/calibration_json.h"
#include "core/error.h"

namespace loadline {
namespace {

class CalibrationStore : public testing::Test {
 protected:
  CalibrationStore() {
    std::string pattern = testing::TempDir() + "calibration-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~CalibrationStore() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& name = "state/loadline/calibration.json") const { return folder_ + "/" + name; }
  void write(const std::string& text) const {
    std::filesystem::create_directories(folder_ + "/state/loadline");
    std::ofstream(file()) << text;
  }
  std::string text() const {
    std::ifstream stream(file());
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::string folder_;
};

const ClientMachine machine{"A Processor", 8, "1.2.3", "6.1"};

ClientCalibration some_limits(double streams) {
  ClientCalibration limits;
  limits.calibrated_utc = "2026-11-30T12:00:00Z";
  limits.events_per_s_per_thread = {.value = 123'456.5, .at_least = true};
  limits.streams_per_thread = {.value = streams};
  limits.ttft_error_p99_ms = 0.0125;
  return limits;
}

TEST_F(CalibrationStore, KeepsWhatWasProven) {
  CalibrationRow row;
  row.load = {LevelKind::concurrency, 64, 20, 1, Phases::burst};
  store_calibration(file(), machine, some_limits(512), {row});
  const KnownCalibration known = load_calibration(file(), machine);
  ASSERT_TRUE(known.calibration);
  EXPECT_EQ(known.remark, "");
  EXPECT_EQ(known.calibration->calibrated_utc, "2026-11-30T12:00:00Z");
  EXPECT_EQ(known.calibration->events_per_s_per_thread->value, 123'456.5);
  EXPECT_TRUE(known.calibration->events_per_s_per_thread->at_least);
  EXPECT_EQ(known.calibration->streams_per_thread->value, 512);
  EXPECT_FALSE(known.calibration->streams_per_thread->at_least);
  EXPECT_FALSE(known.calibration->requests_per_s_per_thread) << "unknown stays unknown";
  EXPECT_EQ(known.calibration->ttft_error_p99_ms, 0.0125);
  const auto json = nlohmann::json::parse(text());
  EXPECT_EQ(json["entries"][0]["kernel"], "6.1");
  EXPECT_EQ(json["entries"][0]["table"][0]["phases"], "burst");
  EXPECT_EQ(json["entries"][0]["table"][0]["cpu_share"], nullptr);
}

TEST_F(CalibrationStore, HasOneEntryAMachine) {
  ClientMachine other = machine, newer = machine, newer_kernel = machine;
  other.cores = 4;
  newer.loadline_version = "1.2.4";
  newer_kernel.kernel = "6.2";
  store_calibration(file(), machine, some_limits(1), {});
  store_calibration(file(), other, some_limits(2), {});
  EXPECT_FALSE(load_calibration(file(), newer).calibration);
  store_calibration(file(), newer_kernel, some_limits(3), {});
  EXPECT_EQ(load_calibration(file(), machine).calibration->streams_per_thread->value, 3) << "in place of the first";
  EXPECT_EQ(load_calibration(file(), other).calibration->streams_per_thread->value, 2);
  EXPECT_EQ(nlohmann::json::parse(text())["entries"].size(), 2u);
}

TEST_F(CalibrationStore, WithoutAnEntryARunIsToldWhatToDo) {
  for (const std::string& place : {file(), std::string()}) {
    const KnownCalibration known = load_calibration(place, machine);
    EXPECT_FALSE(known.calibration);
    EXPECT_NE(known.remark.find("run loadline calibrate"), std::string::npos);
  }
}

TEST_F(CalibrationStore, WhatItCannotReadIsIgnoredByRunsAndRefusedByCalibrate) {
  const char* texts[] = {"",
                         "not JSON",
                         "[]",
                         R"({"schema":2,"entries":[]})",
                         R"({"schema":1})",
                         R"({"schema":1,"entries":[{"cpu":"A Processor"}]})",
                         R"({"schema":1,"entries":[{"cpu":"A Processor","cores":8,"loadline_version":"1.2.3","limits":
                            {"calibrated_utc":"x","events_per_s_per_thread":{"value":-1,"at_least":false},
                             "streams_per_thread":null,"requests_per_s_per_thread":null,"ttft_error_p99_ms":null}}]})"};
  for (const char* content : texts) {
    write(content);
    const KnownCalibration known = load_calibration(file(), machine);
    EXPECT_FALSE(known.calibration) << content;
    EXPECT_NE(known.remark.find(file()), std::string::npos) << known.remark;
    try {
      store_calibration(file(), machine, some_limits(1), {});
      ADD_FAILURE() << "overwrote " << content;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("--output FILE"), std::string::npos) << error.what();
    }
    EXPECT_EQ(text(), content) << "it is as it was";
  }
}

TEST_F(CalibrationStore, APlaceThatCannotBeWrittenIsSaid) {
  std::ofstream(folder_ + "/file") << "x";
  EXPECT_THROW(store_calibration(folder_ + "/file/calibration.json", machine, some_limits(1), {}), Error);
}

TEST(CalibrationFile, StandsInTheStateFolder) {
  ::setenv("XDG_STATE_HOME", "/somewhere/state", 1);
  EXPECT_EQ(usual_calibration_file(), "/somewhere/state/loadline/calibration.json");
  ::setenv("XDG_STATE_HOME", "relative", 1);
  ::setenv("HOME", "/home/me", 1);
  EXPECT_EQ(usual_calibration_file(), "/home/me/.local/state/loadline/calibration.json");
  ::unsetenv("XDG_STATE_HOME");
  EXPECT_EQ(usual_calibration_file(), "/home/me/.local/state/loadline/calibration.json");
  ::unsetenv("HOME");
  EXPECT_EQ(usual_calibration_file(), "");
}

}  // namespace
}  // namespace loadline
