#pragma once
// Where a log's bytes come from: a file, standard input, or memory; unpacked where they are packed.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "trace/byte_fingerprint.h"
#include "trace/byte_reader.h"

namespace loadline {

/// Bytes in order, once. Not thread-safe.
class ByteSource {
 public:
  /// `path` "-" is standard input. Throws Error where there is no such file, or it is a directory, or it may not be
  /// read.
  static ByteSource open(const std::string& path);
  /// `bytes` must outlive the source; at most `step` of them come with one read.
  static ByteSource memory(std::string name, std::string_view bytes, std::size_t step = std::string_view::npos);

  /// Up to room.size() bytes; 0 only at the end. Throws Error where reading or unpacking fails.
  std::size_t read(std::span<char> room);
  /// Of the bytes read so far.
  SourceFingerprint fingerprint() const { return fingerprint_.of_all(); }
  /// For messages: the path, or "standard input".
  const std::string& name() const { return name_; }

 private:
  ByteSource(std::string name, std::unique_ptr<ByteReader> reader);

  std::string name_;
  std::unique_ptr<ByteReader> reader_;
  ByteFingerprint fingerprint_;
};

}  // namespace loadline
