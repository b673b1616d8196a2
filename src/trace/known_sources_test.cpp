#include "trace/known_sources.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "core/error.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

constexpr std::string_view chat_log =
    "TIMESTAMP,ContextTokens,GeneratedTokens\n"
    "2023-11-16 18:15:46.6805900,374,44\n"
    "2023-11-16 18:15:50.9951690,396,109\n";

/// A folder of its own, gone with the test.
class KnownSourcesTest : public testing::Test {
 protected:
  KnownSourcesTest()
      : folder_(
            std::filesystem::temp_directory_path() /
            ("loadline-known-sources-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    std::filesystem::create_directories(folder_);
  }
  ~KnownSourcesTest() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& name, std::string_view content = chat_log) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string message_of(const std::function<void()>& work) {
    try {
      work();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(KnownSourcesTest, AFileThatIsNamedTwiceIsRefused) {
  const std::string log = file("log.csv");
  EXPECT_EQ(message_of([&] { refuse_repeated_files({log, file("other.csv")}); }), "");
  EXPECT_NE(message_of([&] { refuse_repeated_files({log, log}); }).find("log.csv is named twice"), std::string::npos);
  std::filesystem::create_hard_link(log, path("link.csv"));
  const std::string message = message_of([&] { read_trace({log, path("link.csv")}); });
  EXPECT_NE(message.find("one file under two names"), std::string::npos) << message;
}

TEST_F(KnownSourcesTest, TwoFilesOfTheSameBytesAreRefused) {
  const std::string log = file("log.csv"), copy = file("copy.csv");
  const std::string message = message_of([&] { read_trace({log, copy}); });
  EXPECT_NE(message.find("log.csv and "), std::string::npos) << message;
  EXPECT_NE(message.find("copy.csv hold the same 111 bytes"), std::string::npos) << message;
  const std::string other = file("other.csv", std::string(chat_log) + "2023-11-16 18:15:51.0,1,1\n");
  EXPECT_EQ(read_trace({log, other}).rows.size(), 5u);
}

}  // namespace
}  // namespace loadline
