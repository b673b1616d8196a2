#pragma once
// The first line of a canonical trace.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/trace.h"
#include "trace/line_reader.h"

namespace loadline {

struct CanonicalHeader {
  std::string source, tokenizer;
  std::optional<std::uint64_t> rows;
  std::uint32_t block_size = 0;
  bool partial_tail = true, tokens_estimated = false;
  SharingOrigin sharing = SharingOrigin::unknown;
  std::optional<double> time_resolution_ms;
  std::optional<Nanos> started;  ///< after 1970, as if UTC where `local_zone`
  bool local_zone = false;
};

/// Throws Error, naming `file` and the key, where the line is no header that this version reads.
CanonicalHeader read_canonical_header(const Line& line, const std::string& file);

}  // namespace loadline
