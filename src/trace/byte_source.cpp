#include "trace/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.h"
#include "trace/compressed_bytes.h"
#include "trace/parquet_bytes.h"

namespace loadline {
namespace {

[[noreturn]] void refuse_to_open(const std::string& path, int code) {
  if (code == ENOENT) throw Error(fmt::format("{}: no such file; check the path (\"-\" reads standard input)", path));
  if (code == EISDIR) throw Error(fmt::format("{} is a directory; name the log files inside it", path));
  if (code == EACCES) throw Error(fmt::format("{} may not be read by this user; change its permissions", path));
  throw Error(fmt::format("{} cannot be read ({}); check the file", path, std::strerror(code)));
}

class FileBytes final : public ByteReader {
 public:
  /// Owns `file` from now on.
  FileBytes(int file, std::string name) : file_(file), name_(std::move(name)) {}
  ~FileBytes() override { ::close(file_); }
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  std::size_t read(std::span<char> room) override {
    for (;;) {
      const ssize_t count = ::read(file_, room.data(), room.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) refuse_to_open(name_, errno);
    }
  }

 private:
  int file_;
  std::string name_;
};

class MemoryBytes final : public ByteReader {
 public:
  MemoryBytes(std::string_view bytes, std::size_t step) : bytes_(bytes), step_(step) {}
  std::size_t read(std::span<char> room) override {
    const std::size_t count = std::min({room.size(), bytes_.size(), step_});
    std::copy_n(bytes_.data(), count, room.data());
    bytes_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view bytes_;
  std::size_t step_;
};

int open_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) refuse_to_open(path, errno);
  struct stat facts{};
  if (::fstat(file, &facts) == 0 && S_ISDIR(facts.st_mode)) {
    ::close(file);
    refuse_to_open(path, EISDIR);
  }
  (void)::posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL);  // a hint: pipes refuse it
  return file;
}

}  // namespace

ByteSource::ByteSource(std::string name, std::unique_ptr<ByteReader> reader)
    : name_(std::move(name)), reader_(unpack(std::move(reader), name_)) {}

ByteSource ByteSource::open(const std::string& path) {
  if (path.empty()) throw Error("the name of a trace is empty; name a file, or \"-\" for standard input");
  if (path == "-") {
    const int input = ::dup(STDIN_FILENO);
    if (input < 0) throw Error("standard input is closed; name a file, or pipe a log into the program");
    return {"standard input", std::make_unique<FileBytes>(input, "standard input")};
  }
  if (is_parquet(path)) return {path, parquet_rows(path)};
  return {path, std::make_unique<FileBytes>(open_file(path), path)};
}

std::size_t ByteSource::read(std::span<char> room) {
  const std::size_t count = reader_->read(room);
  fingerprint_.add(room.first(count));
  return count;
}

ByteSource ByteSource::memory(std::string name, std::string_view bytes, std::size_t step) {
  return {std::move(name), std::make_unique<MemoryBytes>(bytes, step)};
}

}  // namespace loadline
