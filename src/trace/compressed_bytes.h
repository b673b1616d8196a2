#pragma once
// Logs that were packed to save space: gzip and zstd, told by their first bytes, unpacked as they are read.

#include <memory>
#include <string>

#include "trace/byte_reader.h"

namespace loadline {

/// The bytes of `packed`, unpacked where they begin as gzip or zstd does; several packed pieces one after another are
/// one log. `name` is for messages. Reading throws Error for data that is damaged or ends too early.
std::unique_ptr<ByteReader> unpack(std::unique_ptr<ByteReader> packed, const std::string& name);

}  // namespace loadline
