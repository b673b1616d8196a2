#pragma once
// A Parquet file as JSON lines, one a row, by Python's pyarrow: the format's many encodings are its business, not ours.

#include <memory>
#include <string>
#include <string_view>

#include "trace/byte_reader.h"

namespace loadline {

/// What each line begins with: the row's number, from 1.
inline constexpr std::string_view parquet_row_key = "parquet_row";

/// Whether `path` is a regular file that begins as Parquet files do.
bool is_parquet(const std::string& path);

/// The rows of `path` as objects, `parquet_row` first, then the columns by their names: 64-bit numbers exactly, times
/// as ISO 8601 (with Z where the column has a time zone), lists as arrays; null for null and NaN. They are converted by
/// a python3 of the PATH while they are read, a batch at a time, and it ends with the reader. Reading throws Error with
/// what to install where there is no python3 or no pyarrow, and where the file is damaged.
std::unique_ptr<ByteReader> parquet_rows(const std::string& path);

}  // namespace loadline
