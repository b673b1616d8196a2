#include "trace/parquet_requests.h"

#include <array>
#include <optional>
#include <string>

#include "trace/block_ids.h"
#include "trace/block_size_guess.h"
#include "trace/json_head.h"
#include "trace/json_lines.h"
#include "trace/json_scalars.h"
#include "trace/parquet_bytes.h"
#include "trace/stamp_resolution.h"
#include "trace/utc_time.h"

namespace loadline {
namespace {

using simdjson::error_code;
using simdjson::simdjson_result;
namespace ondemand = simdjson::ondemand;

enum class ParquetField : std::uint8_t {
  row,
  stamp,
  stamp_ms,
  prompt,
  completion,
  cached,
  session,
  spare_session,
  ids,
  block_size
};

struct ParquetColumn {
  std::string_view name;
  ParquetField field;
};

constexpr std::array parquet_columns{
    ParquetColumn{parquet_row_key, ParquetField::row},
    ParquetColumn{"timestamp", ParquetField::stamp},
    ParquetColumn{"timestamp_start_unix_ms", ParquetField::stamp_ms},
    ParquetColumn{"prompt_tokens", ParquetField::prompt},
    ParquetColumn{"input_tokens", ParquetField::prompt},
    ParquetColumn{"completion_tokens", ParquetField::completion},
    ParquetColumn{"output_tokens", ParquetField::completion},
    ParquetColumn{"cached_tokens", ParquetField::cached},
    ParquetColumn{"session_id", ParquetField::session},
    ParquetColumn{"provided_session_id", ParquetField::session},
    ParquetColumn{"poor_man_session_id", ParquetField::spare_session},
    ParquetColumn{"hash_ids", ParquetField::ids},
    ParquetColumn{"total_hashes", ParquetField::ids},
    ParquetColumn{"block_size", ParquetField::block_size},
};

/// Calls read_field(field, value) -> error_code for the columns that are known.
template <class ReadField>
error_code for_each_parquet_field(ondemand::object& object, ReadField read_field) {
  for (auto field : object) {
    ondemand::raw_json_string key;
    if (const auto code = field.key().get(key)) return code;
    for (const ParquetColumn& column : parquet_columns) {
      if (!key.unsafe_is_equal(column.name)) continue;
      ondemand::value value;
      if (const auto code = field.value().get(value)) return code;
      if (const auto code = read_field(column.field, value)) return code;
    }
  }
  return simdjson::SUCCESS;
}

/// What the first rows say of block ids.
struct ParquetIds {
  bool any = false;
  BlockSizeGuess guess;
  std::optional<Tokens> logged_size;
  std::optional<BlockSize> size() const {
    return logged_size ? guess.size_of(static_cast<std::uint32_t>(logged_size->value())) : guess.size();
  }
};

error_code look_at_ids(ondemand::object& object, ParquetIds& seen) {
  std::optional<Tokens> prompt;
  std::optional<std::size_t> count;
  const error_code code = for_each_parquet_field(object, [&](ParquetField field, ondemand::value value) -> error_code {
    if (field == ParquetField::prompt) take_length(value, prompt);
    if (field == ParquetField::block_size) take_length(value, seen.logged_size);
    if (field != ParquetField::ids || value.is_null()) return simdjson::SUCCESS;
    ondemand::array ids;
    if (const auto error = value.get_array().get(ids)) return error;
    std::size_t elements = 0;
    if (const auto error = ids.count_elements().get(elements)) return error;
    count = elements;
    return simdjson::SUCCESS;
  });
  if (code || !count) return code;
  seen.any = true;
  if (prompt && prompt->value() > 0) seen.guess.note(*prompt, *count);
  return code;
}

/// Looks at the rows that are held without taking them.
ParquetIds look_ahead(TextWindow& window) {
  constexpr std::size_t glance = std::size_t{1} << 20;
  ParquetIds seen;
  ondemand::parser parser;
  std::string_view rest = window.head(glance);
  for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    ondemand::document document;
    ondemand::object object;
    const simdjson::padded_string_view line(rest.data(), end, rest.size() + TextWindow::padding);
    if (!parser.iterate(line).get(document) && !document.get_object().get(object)) (void)look_at_ids(object, seen);
    rest.remove_prefix(end + 1);
  }
  return seen;
}

class ParquetReader {
 public:
  ParquetReader(TraceBuilder& builder, std::optional<BlockSize> ids) : builder_(builder), ids_(ids) {}

  simdjson_result<std::string_view> read(ondemand::object& object) {
    row_ = {};
    reason_ = {};
    spare_session_.clear();
    ids_read_ = false;
    const error_code code = for_each_parquet_field(
        object, [&](ParquetField field, ondemand::value value) { return read_field(field, value); });
    if (code) return code;
    if (row_.session == no_session && !spare_session_.empty()) row_.session = builder_.session(spare_session_);
    return reason_.empty() ? judge() : std::string_view(reason_);
  }

  const ReadRow& row() const { return row_; }
  double resolution_ms() const { return resolution_.step_ms(); }

 private:
  void note(std::string_view reason) {
    if (reason_.empty()) reason_ = reason;
  }

  error_code read_field(ParquetField field, ondemand::value value) {
    switch (field) {
      case ParquetField::prompt:
        note(take_length(value, row_.prompt));
        break;
      case ParquetField::completion:
        note(take_length(value, row_.completion));
        break;
      case ParquetField::cached:
        note(take_length(value, row_.cached));
        break;
      case ParquetField::stamp:
        read_stamp(value);
        break;
      case ParquetField::stamp_ms:
        read_number(number_token(value), std::chrono::milliseconds(1));
        break;
      case ParquetField::session:
      case ParquetField::spare_session:
        return read_session(field, value);
      case ParquetField::ids:
        return read_ids(value);
      case ParquetField::row:
      case ParquetField::block_size:
        break;
    }
    return simdjson::SUCCESS;
  }

  void read_stamp(ondemand::value value) {
    const std::string_view token = number_token(value);
    const std::optional<UtcTime> time = times_.read(token);
    if (!time) return read_number(token, std::chrono::seconds(1));
    row_.time = time->since_epoch;
    resolution_.note_text(time->fraction_digits);
    builder_.trace().time_zone = token.ends_with('Z') ? "UTC" : "local";
  }

  /// Of a clock that begins in 1970, or with the log; beyond the year 2200 the unit is another one.
  void read_number(std::string_view token, Nanos unit) {
    constexpr Nanos first_date = std::chrono::seconds(1'000'000'000), last_date = std::chrono::seconds(7'258'118'400);
    if (token.empty()) return;
    const ParsedSpan time = parse_span(token, unit);
    if (!time.ok() || time.value < Nanos(0) || time.value > last_date) return note(refusal::bad_timestamp);
    row_.time = time.value;
    resolution_.note(unit, time.decimals);
    if (time.value >= first_date) builder_.trace().time_zone = "UTC";
  }

  error_code read_session(ParquetField field, ondemand::value value) {
    std::string_view name;
    if (const auto code = name_token(value).get(name)) return code;
    if (name.empty()) return simdjson::SUCCESS;
    if (field == ParquetField::session) {
      row_.session = builder_.session(name);
    } else {
      spare_session_ = name;
    }
    return simdjson::SUCCESS;
  }

  error_code read_ids(ondemand::value value) {
    if (!ids_ || value.is_null()) return simdjson::SUCCESS;
    builder_.begin_row();
    NumberState state{};
    if (const auto code = read_block_ids(value, builder_).get(state)) return code;
    note(refusal_of(state));
    ids_read_ = true;
    return simdjson::SUCCESS;
  }

  std::string_view judge() const {
    if (!ids_ || !row_.prompt || row_.prompt->value() == 0) return {};
    const std::uint64_t count = builder_.block_count();
    const bool agrees =
        ids_->partial_tail ? ids_cover(*row_.prompt, ids_->tokens, count) : ids_fill(*row_.prompt, ids_->tokens, count);
    return ids_read_ && agrees ? std::string_view() : refusal::hash_count;
  }

  TraceBuilder& builder_;
  std::optional<BlockSize> ids_;
  ReadRow row_;
  std::string_view reason_;
  std::string spare_session_;
  bool ids_read_ = false;
  UtcTimeReader times_;
  StampResolution resolution_;
};

bool is_parquet_row(std::string_view line) { return line.starts_with('{') && has_top_level_key(line, parquet_row_key); }

}  // namespace

bool is_baseten(const LogHead& head) {
  return head.any_line([](std::string_view line) {
    return is_parquet_row(line) && has_top_level_key(line, "timestamp_start_unix_ms") &&
           has_top_level_key(line, "input_tokens");
  });
}

bool is_parquet_generic(const LogHead& head) {
  return head.any_line([](std::string_view line) {
    const bool prompt = has_top_level_key(line, "prompt_tokens") || has_top_level_key(line, "input_tokens");
    const bool completion = has_top_level_key(line, "completion_tokens") || has_top_level_key(line, "output_tokens");
    return is_parquet_row(line) && prompt && completion;
  });
}

void read_parquet_requests(TextWindow& window, TraceBuilder& builder) {
  const ParquetIds seen = look_ahead(window);
  const std::optional<BlockSize> ids = seen.size();
  Trace& trace = builder.trace();
  trace.has_times = LogHead(window.held()).any_line([](std::string_view line) {
    return has_top_level_key(line, "timestamp") || has_top_level_key(line, "timestamp_start_unix_ms");
  });
  if (!trace.has_times) builder.remark("the log has no column timestamp: when requests arrive is for the run to say");
  if (ids) {
    trace.block_size = ids->tokens;
    trace.partial_tail = ids->partial_tail;
    trace.sharing = SharingOrigin::hashed;
  } else if (seen.any) {
    builder.remark("the numbers of block ids do not agree with one block size: the ids are not used");
  }
  ParquetReader reader(builder, ids);
  LineReader lines(window);
  read_json_lines(
      lines, builder, [&](ondemand::object& object) { return reader.read(object); },
      [&](std::uint64_t line) { builder.add(reader.row(), line); });
  trace.time_resolution_ms = reader.resolution_ms();
}

}  // namespace loadline
