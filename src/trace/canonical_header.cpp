#include "trace/canonical_header.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <optional>
#include <utility>

#include "core/error.h"
#include "trace/canonical.h"
#include "trace/numbers.h"
#include "trace/utc_time.h"

namespace loadline {
namespace {

namespace ondemand = simdjson::ondemand;

/// A value that is no allowed one; the key is added by who reads it.
struct BadValue {};

template <class T>
T required(simdjson::simdjson_result<T> result) {
  T value{};
  if (std::move(result).get(value)) throw BadValue();
  return value;
}

SharingOrigin needed_sharing_origin(std::string_view text) {
  const std::optional<SharingOrigin> origin = sharing_origin_named(text);
  if (!origin) throw BadValue();
  return *origin;
}

Nanos needed_time(std::string_view text) {
  const std::optional<UtcTime> time = UtcTimeReader().read(text);
  if (!time) throw BadValue();
  return time->since_epoch;
}

bool one_of(std::string_view text, std::string_view yes, std::string_view no) {
  if (text != yes && text != no) throw BadValue();
  return text == yes;
}

/// More rows than any log has are a wrong number, which would make the books meaningless.
std::uint64_t rows_up_to(std::uint64_t rows) {
  if (rows > std::uint64_t{1} << 40) throw BadValue();
  return rows;
}

void read_header_value(CanonicalHeader& header, std::string_view key, ondemand::value value) {
  const auto text = [&] { return required<std::string_view>(value.get_string()); };
  const auto number = [&] { return required<std::uint64_t>(value.get_uint64()); };
  if (key == "loadline_trace" && number() != 1) throw BadValue();
  if (key == "source") header.source = text();
  if (key == "rows") header.rows = rows_up_to(number());
  if (key == "block_size") {
    const std::uint64_t size = number();
    if (size == 0 || size > (1u << 24)) throw BadValue();
    header.block_size = static_cast<std::uint32_t>(size);
  }
  if (key == "tail") header.partial_tail = one_of(text(), "partial", "dropped");
  if (key == "ids" && text() != "chained") throw BadValue();
  if (key == "sharing") header.sharing = needed_sharing_origin(text());
  if (key == "tokens") header.tokens_estimated = one_of(text(), "estimated", "counted");
  if (key == "tokenizer") header.tokenizer = text();
  if (key == "started") header.started = needed_time(text());
  if (key == "time_zone") header.local_zone = one_of(text(), "local", "UTC");
  if (key == "time_resolution_ms") {
    header.time_resolution_ms = required<double>(value.get_double());
    if (!(*header.time_resolution_ms >= 0)) throw BadValue();
  }
}

[[noreturn]] void refuse_header(const std::string& file, std::uint64_t line, std::string_view trouble) {
  throw Error(fmt::format("{}: line {}: {}; write the trace anew with `loadline trace convert`", file, line, trouble));
}

}  // namespace

CanonicalHeader read_canonical_header(const Line& line, const std::string& file) {
  CanonicalHeader header;
  bool versioned = false;
  simdjson::ondemand::parser parser;
  std::string key;
  try {
    auto document = parser.iterate(simdjson::padded_string_view(line.text.data(), line.text.size(), line.readable));
    for (auto field : document.get_object()) {
      key = std::string_view(field.unescaped_key());
      versioned = versioned || key == "loadline_trace";
      ondemand::value value = field.value();
      if (trimmed(value.raw_json_token()) != "null") read_header_value(header, key, value);
    }
  } catch (const BadValue&) {
    refuse_header(file, line.number,
                  fmt::format("the header's `{}` has a value that cannot be, or that this version does not know", key));
  } catch (const simdjson::simdjson_error&) {
    refuse_header(file, line.number, "the header is not a JSON object");
  }
  if (!versioned) refuse_header(file, line.number, "the header lacks `loadline_trace`");
  if (header.sharing == SharingOrigin::hashed && header.block_size == 0) {
    refuse_header(file, line.number, "the header says that sharing is hashed, without a `block_size`");
  }
  return header;
}

}  // namespace loadline
