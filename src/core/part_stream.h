#pragma once
// The binary form of partial results that are joined later, perhaps on another machine: numbers of any size in few
// bytes, little endian, each section with its kind, its version and a checksum. Knows nothing of what the numbers mean.

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

#include "core/key_counts.h"

namespace loadline {

/// Eight bytes that open a section, and the version of what follows that this program writes and reads.
struct PartKind {
  std::string_view mark;  ///< eight bytes
  std::uint32_t version;
};

/// One section of a part. Every function throws Error as soon as the stream takes no more, and puts nothing behind
/// that.
class PartWriter {
 public:
  PartWriter(std::ostream& stream, const PartKind& kind);
  /// Seven bits a byte, the lowest first.
  void number(std::uint64_t value);
  /// Small values of either sign in few bytes.
  void signed_number(std::int64_t value);
  void real(double value);
  void text(std::string_view value);
  /// In ascending order of keys, as steps from key to key.
  void counts(const KeyCounts& value);
  /// Ends the section: all of it is where the stream leads.
  void finish();

 private:
  [[noreturn]] void refuse_to_go_on();
  void byte(unsigned char value);
  void word(std::uint64_t value);

  std::ostream& stream_;
  std::uint64_t checksum_;
};

/// Reads what PartWriter wrote. Every function throws Error for a file that ends early; nothing is allocated on the
/// word of a length alone.
class PartReader {
 public:
  /// `name`: the file, for messages. Throws Error for another kind of file and for another version.
  PartReader(std::istream& stream, std::string name, const PartKind& kind);
  std::uint64_t number();
  /// Refuses a number above `most` as damage.
  std::uint64_t number_up_to(std::uint64_t most);
  std::int64_t signed_number();
  double real();
  std::string text();
  KeyCounts counts();
  /// Throws Error where the section does not end here with the right checksum.
  void finish();
  [[noreturn]] void refuse_damaged() const;

 private:
  unsigned char byte();
  std::uint64_t word();

  std::istream& stream_;
  std::string name_;
  std::uint64_t checksum_;
};

}  // namespace loadline
