#include "core/part_stream.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <streambuf>

#include "core/error.h"

namespace loadline {
namespace {

constexpr PartKind test_part{"LOADLNTE", 3};

/// Takes so many bytes and no more; counts what is put behind them.
class FullDisk final : public std::streambuf {
 public:
  explicit FullDisk(std::size_t room) : room_(room) {}
  std::size_t refused() const { return refused_; }

 private:
  int_type overflow(int_type c) override {
    if (room_ == 0) {
      ++refused_;
      return traits_type::eof();
    }
    --room_;
    return c;
  }
  std::size_t room_, refused_ = 0;
};

void write_everything(std::ostream& stream) {
  PartWriter part(stream, test_part);
  part.number(1'000'000);
  part.signed_number(-5);
  part.real(0.5);
  part.text("some text");
  KeyCounts counts;
  for (std::uint64_t key = 0; key < 20; ++key) counts.add(key * 1000, key + 1);
  part.counts(counts);
  part.finish();
}

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(PartWriter, NothingIsPutBehindTheFirstByteThatWasNotTaken) {
  std::ostringstream whole;
  write_everything(whole);
  for (std::size_t room = 0; room < whole.str().size(); ++room) {
    FullDisk disk(room);
    std::ostream stream(&disk);
    EXPECT_NE(message_of([&] { write_everything(stream); }).find("could not be written"), std::string::npos) << room;
    EXPECT_EQ(disk.refused(), 1u) << room;
  }
  FullDisk disk(whole.str().size());
  std::ostream stream(&disk);
  EXPECT_EQ(message_of([&] { write_everything(stream); }), "");
}

TEST(PartWriter, AFileOnAFullDiskIsAnErrorAndNoCrash) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no device that is always full";
  std::ofstream file("/dev/full", std::ios::binary);
  EXPECT_NE(message_of([&] {
              PartWriter part(file, test_part);
              for (std::uint64_t i = 0; i < 1'000'000; ++i) part.number(i << 40);
              part.finish();
            }).find("could not be written"),
            std::string::npos);
}

TEST(PartReader, OtherVersionsAreNamedByTheirAge) {
  const auto message_of_version = [](std::uint32_t version) {
    std::stringstream file;
    PartWriter(file, {test_part.mark, version}).finish();
    return message_of([&] { PartReader(file, "log.part", test_part); });
  };
  EXPECT_EQ(message_of_version(3), "");
  EXPECT_NE(message_of_version(4).find("log.part was written by a newer loadline"), std::string::npos);
  EXPECT_NE(message_of_version(2).find("log.part was written by an older loadline"), std::string::npos);
}

}  // namespace
}  // namespace loadline
