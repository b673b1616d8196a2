#include "trace/byte_fingerprint.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/random.h"

namespace loadline {
namespace {

SourceFingerprint fingerprint_of(std::string_view bytes, std::size_t step = std::string_view::npos) {
  ByteFingerprint fingerprint;
  for (std::size_t at = 0; at < bytes.size(); at += std::min(step, bytes.size() - at))
    fingerprint.add(std::span(bytes).subspan(at, std::min(step, bytes.size() - at)));
  return fingerprint.of_all();
}

std::string random_bytes(std::size_t size) {
  Random random(1);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random.below(256));
  return bytes;
}

TEST(ByteFingerprint, TheCutOfTheBytesDoesNotMatter) {
  const std::string bytes = random_bytes(1000);
  const SourceFingerprint whole = fingerprint_of(bytes);
  EXPECT_EQ(whole.bytes, 1000u);
  for (const std::size_t step : {1, 7, 127, 128, 129, 256, 999}) EXPECT_EQ(fingerprint_of(bytes, step), whole) << step;
}

TEST(ByteFingerprint, EveryBitAndEveryLengthCounts) {
  std::string bytes = random_bytes(300);
  std::set<std::uint64_t> hashes{fingerprint_of(bytes).hash};
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    hashes.insert(fingerprint_of(bytes).hash);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
  }
  EXPECT_EQ(hashes.size(), 1 + 8 * bytes.size());
  hashes.clear();
  for (std::size_t size = 0; size < 300; ++size) hashes.insert(fingerprint_of(std::string(size, '\0')).hash);
  EXPECT_EQ(hashes.size(), 300u);
}

TEST(ByteFingerprint, TheOrderOfLinesCounts) {
  const std::string a(128, 'a'), b(128, 'b');
  EXPECT_NE(fingerprint_of(a + b).hash, fingerprint_of(b + a).hash);
}

}  // namespace
}  // namespace loadline
