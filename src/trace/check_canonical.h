#pragma once
// The proof that a canonical trace holds no text: every line is read again, and every string in it must be one that the
// format defines or a short opaque name.

#include <cstdint>
#include <string>
#include <vector>

#include "trace/byte_source.h"

namespace loadline {

/// A string, or a key, that a trace without text has no place for.
struct ForeignText {
  std::uint64_t line = 0;
  std::string key;  ///< where it stands; empty: the line is no JSON object
  std::string why;
};

struct CanonicalCheck {
  std::uint64_t lines = 0;           ///< looked at, the header among them
  std::uint64_t foreign_count = 0;   ///< of strings and keys that have no place
  std::vector<ForeignText> foreign;  ///< the first ten
  bool proven() const { return lines > 0 && foreign_count == 0; }
};

/// Allowed are: in the header the words that canonical.h lists, a time for `started`, names for `source` and a name for
/// `tokenizer`; in a row the keys that canonical.h lists, numbers, pairs of numbers in `hash_runs`, and for `session`
/// and `client` a name or a number. Names are those of opaque_name.h. Keys are judged whatever their value, and numbers
/// to their last character. Throws Error where the file is no canonical trace at all.
CanonicalCheck check_canonical(ByteSource& source);

}  // namespace loadline
