#pragma once
// Where a log's bytes come from: a file, standard input, or memory.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace loadline {

/// Bytes in order, once. Not thread-safe.
class ByteSource {
 public:
  /// `path` "-" is standard input. Throws Error where there is no such file, or it is a directory, or it may not be
  /// read.
  static ByteSource open(const std::string& path);
  /// `bytes` must outlive the source; at most `step` of them come with one read.
  static ByteSource memory(std::string name, std::string_view bytes, std::size_t step = std::string_view::npos);

  ByteSource(ByteSource&& other) noexcept;
  ByteSource& operator=(ByteSource&&) = delete;
  ~ByteSource();

  /// Up to room.size() bytes; 0 only at the end. Throws Error where reading fails.
  std::size_t read(std::span<char> room);
  /// For messages: the path, or "standard input".
  const std::string& name() const { return name_; }

 private:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}

  std::string name_;
  int file_ = -1;
  std::string_view memory_;
  std::size_t step_ = 0;
};

}  // namespace loadline
