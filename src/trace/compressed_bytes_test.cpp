#include "trace/compressed_bytes.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "core/error.h"
#include "trace/byte_source.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

std::string gzipped(std::string_view text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstd_packed(std::string_view text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

std::string all_of(std::string_view bytes, std::size_t step) {
  ByteSource source = ByteSource::memory("log", bytes, step);
  std::string text;
  char room[37];
  for (std::size_t count = source.read(room); count > 0; count = source.read(room)) text.append(room, count);
  return text;
}

std::string unpacking_error(std::string_view bytes) {
  try {
    all_of(bytes, 5);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string long_text() {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += std::to_string(i * 7919 % 10007) + '\n';
  return text;
}

TEST(CompressedBytes, GzipAndZstdAreUnpackedInAnyPieces) {
  const std::string text = long_text();
  for (const std::string& packed : {gzipped(text), zstd_packed(text), text}) {
    for (const std::size_t step : {std::size_t{1}, std::size_t{1000}, std::string::npos}) {
      EXPECT_EQ(all_of(packed, step), text);
    }
  }
}

TEST(CompressedBytes, PiecesOneAfterAnotherAreOneLog) {
  EXPECT_EQ(all_of(gzipped("one\n") + gzipped("") + gzipped("two\n"), 3), "one\ntwo\n");
  EXPECT_EQ(all_of(zstd_packed("one\n") + zstd_packed("two\n"), 3), "one\ntwo\n");
  EXPECT_EQ(all_of(gzipped("one\n") + std::string(512, '\0'), 100), "one\n");  // padded to a block
}

TEST(CompressedBytes, DamageIsSaidNeverGuessed) {
  const std::string gzip = gzipped(long_text()), zstd = zstd_packed(long_text());
  EXPECT_NE(unpacking_error(gzip.substr(0, gzip.size() / 2)).find("log: its gzip data is damaged (it ends too early)"),
            std::string::npos);
  EXPECT_NE(unpacking_error(zstd.substr(0, zstd.size() / 2)).find("log: its zstd data is damaged (it ends too early)"),
            std::string::npos);
  std::string broken = gzip;
  broken[gzip.size() / 2] = static_cast<char>(broken[gzip.size() / 2] ^ 0x55);
  EXPECT_NE(unpacking_error(broken).find("gzip data is damaged"), std::string::npos);
  EXPECT_NE(unpacking_error(gzip + "text behind").find("gzip data is damaged"), std::string::npos);
}

TEST(CompressedBytes, APackedLogIsReadLikeAnyOther) {
  const std::string log = "TIMESTAMP,ContextTokens,GeneratedTokens\n2026-11-02 09:15:00,3,4\n";
  EXPECT_EQ(read_trace_bytes("log", gzipped(log)).rows.at(0).prompt, Tokens(3));
  EXPECT_EQ(read_trace_bytes("log", zstd_packed(log)).rows.at(0).completion, Tokens(4));
}

}  // namespace
}  // namespace loadline
