// Parquet is converted by a child process. Its part is played by small shell scripts where the test is about how the
// child is started, how it ends and what its lines mean, and by pyarrow where that is at hand.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/error.h"
#include "trace/block_size_guess.h"
#include "trace/byte_source.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

class Parquet : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("loadline_parquet_test_{}", static_cast<const void*>(this));
    fs::create_directories(folder_ / "bin");
    path_ = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
    file_ = write("log.parquet", "PAR1 and so on");
  }
  void TearDown() override {
    ::setenv("PATH", path_.c_str(), 1);
    fs::remove_all(folder_);
  }
  std::string write(const char* name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  /// From now on python3 is this script.
  void play_python(std::string_view script) const {
    const fs::path python = write("bin/python3", fmt::format("#!/bin/sh\n{}\n", script));
    fs::permissions(python, fs::perms::owner_all);
    ::setenv("PATH", fmt::format("{}:{}", (folder_ / "bin").string(), path_).c_str(), 1);
  }
  std::string message() const {
    try {
      read_trace({file_});
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  fs::path folder_;
  std::string path_, file_;
};

constexpr std::string_view one_row = R"({"parquet_row": 1, "prompt_tokens": 5, "completion_tokens": 6})";

TEST_F(Parquet, WithoutPythonItSaysWhatToInstall) {
  ::setenv("PATH", (folder_ / "bin").c_str(), 1);
  EXPECT_NE(message().find("there is no python3"), std::string::npos) << message();
  EXPECT_NE(message().find(file_ + " is a Parquet file"), std::string::npos) << message();
}

TEST_F(Parquet, WithoutPyarrowItSaysWhatToInstall) {
  play_python("echo noise >&2; exit 3");
  EXPECT_NE(message().find("pip install pyarrow"), std::string::npos) << message();
}

TEST_F(Parquet, AConversionThatFailsIsNoShorterLog) {
  play_python(fmt::format("echo '{}'; exit 4", one_row));
  EXPECT_NE(message().find("cannot read it to its end"), std::string::npos) << message();
  play_python(fmt::format("echo '{}'; kill -9 $$", one_row));
  EXPECT_NE(message().find("ended before its time"), std::string::npos) << message();
  play_python("exit 0");
  EXPECT_NE(message().find("is empty"), std::string::npos) << message();
}

TEST_F(Parquet, ThePathIsAnArgumentAndNotPartOfAScript) {
  file_ = write("it's $(touch harm) \".parquet", "PAR1");
  play_python(fmt::format("test \"$1\" = -c && test -f \"$3\" && echo '{}'", one_row));
  EXPECT_EQ(read_trace({file_}).rows.size(), 1u);
  EXPECT_FALSE(fs::exists("harm"));
}

TEST_F(Parquet, TheChildEndsWithTheReader) {
  const std::string note = (folder_ / "pid").string();
  play_python(fmt::format("echo $$ > {}; while echo '{}'; do :; done", note, one_row));
  {
    ByteSource source = ByteSource::open(file_);
    char room[64];
    ASSERT_GT(source.read(room), 0u);
  }
  pid_t child = 0;
  std::ifstream(note) >> child;
  ASSERT_GT(child, 0);
  EXPECT_EQ(::kill(child, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

TEST(ParquetRequests, Generic) {
  const Trace trace = read_trace_bytes(
      "log",
      R"({"parquet_row": 1, "timestamp": "2026-11-02T09:15:00.000000Z", "prompt_tokens": 1843, "completion_tokens": 212, "cached_tokens": 0, "session_id": "a", "hash_ids": [0, 1, 2, 3]})"
      "\n"
      R"({"parquet_row": 2, "timestamp": "2026-11-02T09:15:00.412000Z", "prompt_tokens": 961, "completion_tokens": 37, "cached_tokens": null, "session_id": null, "hash_ids": [9007199254740993, 5]})"
      "\n"
      R"({"parquet_row": 3, "timestamp": null, "prompt_tokens": 961, "completion_tokens": 37, "hash_ids": [4, 5]})"
      "\n"
      R"({"parquet_row": 4, "timestamp": "2026-11-02T09:15:01Z", "prompt_tokens": 961, "completion_tokens": null, "hash_ids": [4, 5]})"
      "\n"
      R"({"parquet_row": 5, "timestamp": "2026-11-02T09:15:01Z", "prompt_tokens": 961, "completion_tokens": 7, "hash_ids": null})"
      "\n");
  EXPECT_EQ(trace.format, "parquet-generic");
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.block_size, 512u);
  EXPECT_TRUE(trace.partial_tail);
  EXPECT_EQ(trace.sharing, SharingOrigin::hashed);
  EXPECT_EQ(trace.rows[1].arrival, 412ms);
  EXPECT_EQ(trace.time_zone, "UTC");
  EXPECT_EQ(trace.time_resolution_ms, 0.001);
  EXPECT_EQ(trace.rows[0].cached, Tokens(0));
  EXPECT_FALSE(trace.rows[1].cached);
  EXPECT_EQ(trace.rows[1].session, no_session);
  EXPECT_EQ(trace.blocks.at(4), 9007199254740993u);
  EXPECT_EQ(trace.refused.at("bad_timestamp").first_lines, std::vector<std::uint64_t>{3});
  EXPECT_EQ(trace.refused.at("no_completion_length").first_lines, std::vector<std::uint64_t>{4});
  EXPECT_EQ(trace.refused.at("hash_count_disagrees").first_lines, std::vector<std::uint64_t>{5});
}

TEST(ParquetRequests, IdsOfNoOneBlockSizeAreNotUsed) {
  const Trace trace = read_trace_bytes(
      "log",
      "{\"parquet_row\": 1, \"timestamp\": \"2026-11-02T09:15:00\", \"prompt_tokens\": 100, \"completion_tokens\": 2, "
      "\"hash_ids\": [1]}\n");
  ASSERT_EQ(trace.rows.size(), 1u);
  EXPECT_TRUE(trace.blocks.empty());
  EXPECT_EQ(trace.sharing, SharingOrigin::unknown);
  EXPECT_EQ(trace.time_zone, "local");
  EXPECT_EQ(trace.remarks.size(), 1u);
}

TEST(ParquetRequests, Baseten) {
  const Trace trace = read_trace_bytes(
      "log",
      R"({"parquet_row": 1, "timestamp_start_unix_ms": 1793610900000, "prompt": "text", "input_tokens": 100, "output_tokens": 7, "total_hashes": [1, 2], "provided_session_id": null, "poor_man_session_id": "p", "block_size": 64})"
      "\n"
      R"({"parquet_row": 2, "timestamp_start_unix_ms": 1793610900412, "input_tokens": 64, "output_tokens": 7, "total_hashes": [1], "provided_session_id": "q", "poor_man_session_id": "p", "block_size": 64})"
      "\n"
      R"({"parquet_row": 3, "timestamp_start_unix_ms": -5, "input_tokens": 64, "output_tokens": 7, "total_hashes": [1], "block_size": 64})"
      "\n");
  EXPECT_EQ(trace.format, "baseten");
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.sessions, (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(trace.block_size, 64u);
  EXPECT_EQ(trace.rows[1].arrival, 412ms);
  EXPECT_EQ(trace.started, Nanos(1793610900000ms));
  EXPECT_EQ(trace.time_resolution_ms, 1);
  EXPECT_TRUE(trace.texts.empty());
  EXPECT_EQ(trace.refused.at("bad_timestamp").first_lines, std::vector<std::uint64_t>{3});
}

TEST(BlockSizeGuess, OnePowerOfTwoOrNone) {
  BlockSizeGuess up, down, many, none;
  EXPECT_FALSE(up.size());
  for (const std::int64_t prompt : {1843, 961, 4096, 15872}) {
    up.note(Tokens(prompt), static_cast<std::uint64_t>((prompt + 511) / 512));
    down.note(Tokens(prompt), static_cast<std::uint64_t>(prompt / 64));
    none.note(Tokens(prompt), static_cast<std::uint64_t>(prompt / 100));
  }
  many.note(Tokens(100), 1);
  ASSERT_TRUE(up.size());
  EXPECT_EQ(up.size()->tokens, 512u);
  EXPECT_TRUE(up.size()->partial_tail);
  ASSERT_TRUE(down.size());
  EXPECT_EQ(down.size()->tokens, 64u);
  EXPECT_FALSE(down.size()->partial_tail);
  EXPECT_FALSE(many.size());
  EXPECT_FALSE(none.size());
  EXPECT_TRUE(many.size_of(128)->partial_tail);
  EXPECT_FALSE(many.size_of(32));
  EXPECT_FALSE(many.size_of(100));
}

}  // namespace
}  // namespace loadline
