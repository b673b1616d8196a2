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

namespace loadline {
namespace {

[[noreturn]] void refuse_to_open(const std::string& path, int code) {
  if (code == ENOENT) throw Error(fmt::format("{}: no such file; check the path (\"-\" reads standard input)", path));
  if (code == EISDIR) throw Error(fmt::format("{} is a directory; name the log files inside it", path));
  if (code == EACCES) throw Error(fmt::format("{} may not be read by this user; change its permissions", path));
  throw Error(fmt::format("{} cannot be read ({}); check the file", path, std::strerror(code)));
}

}  // namespace

ByteSource ByteSource::open(const std::string& path) {
  if (path.empty()) throw Error("the name of a trace is empty; name a file, or \"-\" for standard input");
  ByteSource source(path == "-" ? "standard input" : path);
  if (path == "-") {
    source.file_ = ::dup(STDIN_FILENO);
    if (source.file_ < 0) throw Error("standard input is closed; name a file, or pipe a log into the program");
    return source;
  }
  source.file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (source.file_ < 0) refuse_to_open(path, errno);
  struct stat facts{};
  if (::fstat(source.file_, &facts) == 0 && S_ISDIR(facts.st_mode)) refuse_to_open(path, EISDIR);
  (void)::posix_fadvise(source.file_, 0, 0, POSIX_FADV_SEQUENTIAL);  // a hint: pipes refuse it
  return source;
}

ByteSource ByteSource::memory(std::string name, std::string_view bytes, std::size_t step) {
  ByteSource source(std::move(name));
  source.memory_ = bytes;
  source.step_ = step;
  return source;
}

ByteSource::ByteSource(ByteSource&& other) noexcept
    : name_(std::move(other.name_)),
      file_(std::exchange(other.file_, -1)),
      memory_(other.memory_),
      step_(other.step_) {}

ByteSource::~ByteSource() {
  if (file_ >= 0) ::close(file_);
}

std::size_t ByteSource::read(std::span<char> room) {
  if (file_ < 0) {
    const std::size_t count = std::min({room.size(), memory_.size(), step_});
    std::copy_n(memory_.data(), count, room.data());
    memory_.remove_prefix(count);
    return count;
  }
  for (;;) {
    const ssize_t count = ::read(file_, room.data(), room.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) refuse_to_open(name_, errno);
  }
}

}  // namespace loadline
