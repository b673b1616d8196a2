#pragma once
// One step of the way from a file to its bytes: the file itself, or something that unpacks another step.

#include <cstddef>
#include <span>

namespace loadline {

class ByteReader {
 public:
  virtual ~ByteReader() = default;
  /// Up to room.size() bytes, in order; 0 only at the end, or for no room. Throws Error where reading fails.
  virtual std::size_t read(std::span<char> room) = 0;
};

}  // namespace loadline
