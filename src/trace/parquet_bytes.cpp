// A child process writes lines into a pipe, and its exit status says how it ended. What it has to say beyond that goes
// to /dev/null: a traceback in the middle of our own output would help nobody.

#include "trace/parquet_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include "core/error.h"

extern char** environ;  // POSIX declares it nowhere

namespace loadline {
namespace {

constexpr int no_pyarrow = 3, no_parquet = 4;

/// The working directory is taken off the path of modules, so that a file of the user's own is not run as one.
constexpr const char* parquet_script = R"py(
import sys
sys.path = [place for place in sys.path if place]
import json, math, os, time
try:
    import pyarrow as pa, pyarrow.parquet as pq
except ImportError:
    os._exit(3)

digits = {"s": 0, "ms": 3, "us": 6, "ns": 9}

def stamps(column, kind):
    places, zone = digits[kind.unit], "Z" if kind.tz else ""
    for value in column.cast(pa.int64()).to_pylist():
        if value is None:
            yield None
            continue
        second, fraction = divmod(value, 10 ** places)
        text = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))
        yield text + (".%0*d" % (places, fraction) if places else "") + zone

def plain(value):
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, bytes):
        return None
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    return value if isinstance(value, (str, int, bool, type(None))) else str(value)

def cells(column):
    kind = column.type
    if pa.types.is_timestamp(kind):
        return list(stamps(column, kind))
    inner = kind.value_type if pa.types.is_list(kind) else kind
    if pa.types.is_integer(inner) or pa.types.is_string(inner):
        return column.to_pylist()
    return [plain(value) for value in column.to_pylist()]

row = 0
try:
    out = sys.stdout.buffer
    for batch in pq.ParquetFile(open(sys.argv[1], "rb")).iter_batches(batch_size=4096):
        names = batch.schema.names
        columns = [cells(column) for column in batch.columns]
        lines = []
        for values in zip(*columns):
            row += 1
            lines.append(json.dumps({"parquet_row": row, **dict(zip(names, values))}))
        if lines:
            out.write(("\n".join(lines) + "\n").encode())
    out.flush()
except Exception:
    os._exit(4)
)py";

[[noreturn]] void refuse_parquet(const std::string& path, std::string_view why) {
  throw Error(fmt::format("{} is a Parquet file, {}", path, why));
}

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int file) : file_(file) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  int get() const { return file_; }
  void close() {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
  }

 private:
  int file_;
};

/// Starts python3 with the script, its output going to `output`; 0 on success, else an errno.
int start_python(const std::string& path, int output, pid_t& child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string name = "python3", option = "-c", script = parquet_script, argument = path;
  const std::array<char*, 5> arguments{name.data(), option.data(), script.data(), argument.data(), nullptr};
  const int code = ::posix_spawnp(&child, "python3", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

class ParquetRows final : public ByteReader {
 public:
  explicit ParquetRows(const std::string& path) : path_(path), output_(start()) {}
  ~ParquetRows() override {
    output_.close();
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);  // nobody reads on
    wait();
  }
  ParquetRows(const ParquetRows&) = delete;
  ParquetRows& operator=(const ParquetRows&) = delete;

  std::size_t read(std::span<char> room) override {
    if (child_ <= 0 || room.empty()) return 0;
    for (;;) {
      const ssize_t count = ::read(output_.get(), room.data(), room.size());
      if (count > 0) return static_cast<std::size_t>(count);
      if (count == 0) break;
      if (errno != EINTR) refuse_parquet(path_, fmt::format("whose rows cannot be read ({})", std::strerror(errno)));
    }
    judge(wait());
    return 0;
  }

 private:
  Descriptor start() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
      refuse_parquet(path_, fmt::format("and no pipe can be made to read it ({})", std::strerror(errno)));
    }
    Descriptor rows(ends[0]);
    const Descriptor input(ends[1]);
    if (const int code = start_python(path_, input.get(), child_); code != 0) {
      child_ = 0;
      refuse_parquet(path_,
                     "which needs python3 with pyarrow, and there is no python3 on the PATH: install it, then "
                     "\"pip install pyarrow\", or convert the file to CSV or JSON lines");
    }
    return rows;
  }

  int wait() {
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = 0;
    return status;
  }

  void judge(int status) const {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    if (WIFEXITED(status) && WEXITSTATUS(status) == no_pyarrow) {
      refuse_parquet(path_,
                     "which needs pyarrow, and python3 has none: \"pip install pyarrow\", or convert the file to "
                     "CSV or JSON lines");
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == no_parquet) {
      refuse_parquet(path_, "but pyarrow cannot read it to its end: copy it again, or convert it to CSV or JSON lines");
    }
    refuse_parquet(path_,
                   "but python3, which converts it, ended before its time: try again, or convert it to CSV or "
                   "JSON lines");
  }

  std::string path_;
  pid_t child_ = 0;
  Descriptor output_;
};

}  // namespace

bool is_parquet(const std::string& path) {
  constexpr std::string_view mark = "PAR1";
  struct stat facts{};
  if (::stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return false;
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, mark.size()> head{};
  const bool read = file.get() >= 0 && ::pread(file.get(), head.data(), head.size(), 0) == std::ssize(head);
  return read && std::string_view(head.data(), head.size()) == mark;
}

std::unique_ptr<ByteReader> parquet_rows(const std::string& path) { return std::make_unique<ParquetRows>(path); }

}  // namespace loadline
