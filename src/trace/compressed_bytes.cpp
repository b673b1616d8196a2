#include "trace/compressed_bytes.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"

namespace loadline {
namespace {

constexpr std::string_view gzip_mark = "\x1f\x8b", zstd_mark = "\x28\xb5\x2f\xfd";
constexpr std::size_t packed_step = std::size_t{1} << 18;

[[noreturn]] void refuse_damaged(const std::string& name, std::string_view kind, std::string_view why) {
  throw Error(fmt::format("{}: its {} data is damaged ({}); copy the file again, or unpack what can be saved of it",
                          name, kind, why));
}

/// Bytes of the packed file, and those that were looked at to tell its kind.
class PackedInput {
 public:
  explicit PackedInput(std::unique_ptr<ByteReader> source) : source_(std::move(source)), buffer_(packed_step) {}

  /// The bytes held, at least one unless the end has come.
  std::span<char> held() {
    if (begin_ == end_) {
      begin_ = 0;
      end_ = source_->read(buffer_);
    }
    return {buffer_.data() + begin_, end_ - begin_};
  }
  void take(std::size_t count) { begin_ += count; }
  /// The first bytes, at least `count` where there are so many.
  std::string_view peek(std::size_t count) {
    while (end_ - begin_ < count) {
      const std::size_t more = source_->read({buffer_.data() + end_, buffer_.size() - end_});
      if (more == 0) break;
      end_ += more;
    }
    return {buffer_.data() + begin_, end_ - begin_};
  }

 private:
  std::unique_ptr<ByteReader> source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
};

class PlainBytes final : public ByteReader {
 public:
  explicit PlainBytes(PackedInput input) : input_(std::move(input)) {}
  std::size_t read(std::span<char> room) override {
    const std::span<char> held = input_.held();
    const std::size_t count = std::min(held.size(), room.size());
    std::copy_n(held.data(), count, room.data());
    input_.take(count);
    return count;
  }

 private:
  PackedInput input_;
};

class GzipBytes final : public ByteReader {
 public:
  GzipBytes(PackedInput input, std::string name) : input_(std::move(input)), name_(std::move(name)) {
    check(inflateInit2(&stream_, MAX_WBITS + 16) == Z_OK, "zlib starts");
  }
  ~GzipBytes() override { inflateEnd(&stream_); }
  GzipBytes(const GzipBytes&) = delete;
  GzipBytes& operator=(const GzipBytes&) = delete;

  std::size_t read(std::span<char> room) override {
    for (;;) {
      const std::span<char> held = input_.held();
      if (held.empty()) {
        if (inside_) refuse_damaged(name_, "gzip", "it ends too early");
        return 0;
      }
      if (!inside_ && held.front() == 0) {  // padding behind the last piece, as tape and block writers leave it
        input_.take(1);
        continue;
      }
      const std::size_t count = inflate_some(held, room);
      if (count > 0) return count;
    }
  }

 private:
  std::size_t inflate_some(std::span<char> held, std::span<char> room) {
    inside_ = true;
    stream_.next_in = reinterpret_cast<Bytef*>(held.data());
    stream_.avail_in = static_cast<uInt>(held.size());
    stream_.next_out = reinterpret_cast<Bytef*>(room.data());
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(room.size(), 1U << 30));
    const uInt space = stream_.avail_out;
    const int code = inflate(&stream_, Z_NO_FLUSH);
    input_.take(held.size() - stream_.avail_in);
    if (code == Z_STREAM_END) {
      inside_ = false;
      inflateReset(&stream_);
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      refuse_damaged(name_, "gzip", stream_.msg == nullptr ? "no gzip stream" : stream_.msg);
    }
    return space - stream_.avail_out;
  }

  PackedInput input_;
  std::string name_;
  z_stream stream_{};
  bool inside_ = false;  ///< a piece has begun and not ended
};

class ZstdBytes final : public ByteReader {
 public:
  ZstdBytes(PackedInput input, std::string name)
      : input_(std::move(input)), name_(std::move(name)), stream_(ZSTD_createDStream(), &ZSTD_freeDStream) {
    check(stream_ != nullptr, "zstd starts");
  }

  std::size_t read(std::span<char> room) override {
    ZSTD_outBuffer out{room.data(), room.size(), 0};
    while (out.pos == 0) {
      const std::span<char> held = input_.held();
      if (held.empty() && !inside_) return 0;
      ZSTD_inBuffer in{held.data(), held.size(), 0};
      const std::size_t hint = ZSTD_decompressStream(stream_.get(), &out, &in);
      input_.take(in.pos);
      if (ZSTD_isError(hint) != 0) refuse_damaged(name_, "zstd", ZSTD_getErrorName(hint));
      inside_ = hint != 0;
      if (held.empty() && out.pos == 0) refuse_damaged(name_, "zstd", "it ends too early");
    }
    return out.pos;
  }

 private:
  PackedInput input_;
  std::string name_;
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_;
  bool inside_ = false;
};

}  // namespace

std::unique_ptr<ByteReader> unpack(std::unique_ptr<ByteReader> packed, const std::string& name) {
  PackedInput input(std::move(packed));
  const std::string_view head = input.peek(zstd_mark.size());
  if (head.starts_with(gzip_mark)) return std::make_unique<GzipBytes>(std::move(input), name);
  if (head.starts_with(zstd_mark)) return std::make_unique<ZstdBytes>(std::move(input), name);
  return std::make_unique<PlainBytes>(std::move(input));
}

}  // namespace loadline
