#include <fmt/format.h>

#include <utility>
#include <vector>

#include "core/error.h"
#include "trace/canonical.h"
#include "trace/canonical_header.h"
#include "trace/json_lines.h"
#include "trace/json_walk.h"
#include "trace/numbers.h"
#include "trace/stamp_resolution.h"

namespace loadline {
namespace {

using simdjson::simdjson_result;
namespace ondemand = simdjson::ondemand;
using HashRun = std::pair<std::uint64_t, std::uint64_t>;  // first id, count

/// Reads one row after another; keeps its memory between them.
class CanonicalRowReader {
 public:
  CanonicalRowReader(const CanonicalHeader& header, TraceBuilder& builder) : header_(header), builder_(builder) {}

  simdjson_result<std::string_view> read(ondemand::object& object) {
    row_ = {};
    time_ = {};
    prompt_ = completion_ = {};
    runs_.clear();
    runs_read_ = time_read_ = completion_read_ = false;
    reason_ = {};
    const auto read_one = [this](ondemand::raw_json_string key, ondemand::value& value) {
      return read_value(key, value);
    };
    if (const auto code = for_each_field(object, read_one)) return code;
    return judge();
  }

  void accept(std::uint64_t line) {
    if (time_read_) resolution_.note(std::chrono::milliseconds(1), time_.decimals);
    if (!rows_told_ && time_read_) builder_.trace().has_times = true;
    rows_told_ = true;
    for (const auto& [first, count] : runs_) {
      for (std::uint64_t i = 0; i < count; ++i) builder_.add_block(first + i);
    }
    builder_.add(row_, line);
  }

  /// The finest step that the timestamps show.
  double resolution_ms() const { return resolution_.step_ms(); }

 private:
  simdjson::error_code read_value(ondemand::raw_json_string key, ondemand::value value);
  simdjson::error_code read_runs(ondemand::value value);
  simdjson::error_code read_run(ondemand::value value);
  /// A name given as text or as a number.
  static simdjson::error_code read_name(ondemand::value value, std::string_view& name);
  /// A whole number that may stand in a row; `reason_` says why not.
  std::int64_t number(std::string_view token, std::int64_t highest);
  void note(NumberState state);
  std::string_view judge();

  const CanonicalHeader& header_;
  TraceBuilder& builder_;
  ReadRow row_;
  ParsedSpan time_;
  Parsed<Tokens> prompt_, completion_;
  std::vector<HashRun> runs_;
  bool runs_read_ = false, time_read_ = false, completion_read_ = false;
  std::string_view reason_;
  StampResolution resolution_;
  bool rows_told_ = false;  ///< the first row has shown whether there are times
};

void CanonicalRowReader::note(NumberState state) {
  if (state == NumberState::malformed) reason_ = refusal::malformed;
  if (state == NumberState::out_of_range && reason_.empty()) reason_ = refusal::out_of_range;
}

std::int64_t CanonicalRowReader::number(std::string_view token, std::int64_t highest) {
  const Parsed<Tokens> parsed = parse_length(token);
  note(parsed.ok() && parsed.value.value() > highest ? NumberState::out_of_range : parsed.state);
  return parsed.value.value();
}

simdjson::error_code CanonicalRowReader::read_value(ondemand::raw_json_string key, ondemand::value value) {
  const std::string_view token = value.raw_json_token();
  if (trimmed(token) == "null") return simdjson::SUCCESS;  // as good as absent
  if (key == "hash_runs") return read_runs(value);
  if (key == "session" || key == "client") {
    std::string_view name;
    if (const auto code = read_name(value, name)) return code;
    if (key == "session") row_.session = builder_.session(name);
    if (key == "client") row_.detail.client = builder_.client(name);
    return simdjson::SUCCESS;
  }
  if (key == "timestamp") {
    time_ = parse_span(token, std::chrono::milliseconds(1));
    time_read_ = true;
  }
  if (key == "input_length") prompt_ = parse_length(token);
  if (key == "output_length") {
    completion_ = parse_length(token);
    completion_read_ = true;
  }
  if (key == "cached") row_.cached = Tokens(number(token, longest_length));
  if (key == "turn") row_.turn = static_cast<std::uint32_t>(number(token, longest_length));
  if (key == "max") row_.detail.max_completion = Tokens(number(token, longest_length));
  if (key == "status") row_.detail.status = static_cast<std::uint16_t>(number(token, 999));
  if (key == "delay") {
    const ParsedSpan delay = parse_span(token, std::chrono::milliseconds(1));
    note(delay.ok() && delay.value.count() < 0 ? NumberState::out_of_range : delay.state);
    row_.detail.delay = delay.value;
  }
  return simdjson::SUCCESS;
}

simdjson::error_code CanonicalRowReader::read_name(ondemand::value value, std::string_view& name) {
  ondemand::json_type type;
  if (const auto code = value.type().get(type)) return code;
  if (type == ondemand::json_type::string) return value.get_string().get(name);
  name = trimmed(value.raw_json_token());
  return type == ondemand::json_type::number ? simdjson::SUCCESS : simdjson::INCORRECT_TYPE;
}

simdjson::error_code CanonicalRowReader::read_runs(ondemand::value value) {
  runs_.clear();
  runs_read_ = true;
  ondemand::array runs;
  if (const auto code = value.get_array().get(runs)) return code;
  for (auto element : runs) {
    ondemand::value run;
    if (const auto code = element.get(run)) return code;
    if (const auto code = read_run(run)) return code;
  }
  return simdjson::SUCCESS;
}

simdjson::error_code CanonicalRowReader::read_run(ondemand::value value) {
  ondemand::array pair;
  if (const auto code = value.get_array().get(pair)) return code;
  HashRun run;
  int length = 0;
  for (auto element : pair) {
    std::string_view token;
    if (const auto code = element.raw_json_token().get(token)) return code;
    const Parsed<std::uint64_t> part = parse_id(token);
    note(part.state);
    (length == 0 ? run.first : run.second) = part.value;
    if (++length > 2) return simdjson::INCORRECT_TYPE;
  }
  if (length != 2) return simdjson::INCORRECT_TYPE;
  const bool beyond_64_bits = run.second > 0 && run.first + (run.second - 1) < run.first;
  if (run.second > static_cast<std::uint64_t>(longest_length) || beyond_64_bits) note(NumberState::out_of_range);
  runs_.push_back(run);
  return simdjson::SUCCESS;
}

std::string_view CanonicalRowReader::judge() {
  if (prompt_.state == NumberState::malformed || reason_ == refusal::malformed) return refusal::malformed;
  if (completion_read_ && completion_.state == NumberState::malformed) return refusal::malformed;
  if (time_read_ && !time_.ok()) return refusal::bad_timestamp;
  if (time_read_ && rows_told_ && !builder_.facts().has_times) return refusal::bad_timestamp;
  if (!prompt_.ok() || !reason_.empty() || (completion_read_ && !completion_.ok())) return refusal::out_of_range;
  if (time_read_) row_.time = header_.started.value_or(Nanos(0)) + time_.value;
  row_.prompt = prompt_.value;
  if (completion_read_) row_.completion = completion_.value;
  row_.completion_unknown = !completion_read_;
  if (row_.cached && *row_.cached > *row_.prompt && row_.prompt->value() > 0) return refusal::out_of_range;
  if (header_.block_size == 0) return runs_read_ && !runs_.empty() ? refusal::hash_count : std::string_view();
  const std::int64_t size = header_.block_size;
  const auto expected =
      static_cast<std::uint64_t>((row_.prompt->value() + (header_.partial_tail ? size - 1 : 0)) / size);
  std::uint64_t found = 0;
  for (const HashRun& run : runs_) found += run.second;
  if (found > most_row_blocks) return refusal::too_many_blocks;
  const bool unknown = !runs_read_ && header_.sharing != SharingOrigin::hashed;
  return found == expected || unknown ? std::string_view() : refusal::hash_count;
}

/// The header's line: the first that is not blank.
Line find_header(LineReader& lines, TraceBuilder& builder, const std::string& file) {
  for (Line line; lines.next(line);) {
    if (!trimmed(line.text).empty()) return line;
    builder.filter(filter::blank);
  }
  throw Error(fmt::format("{} is empty; a canonical trace starts with a header line", file));
}

void compare_with_promise(const CanonicalHeader& header, TraceBuilder& builder, std::uint64_t line) {
  const Trace& trace = builder.trace();
  const auto blank = trace.filtered.find(std::string(filter::blank));
  const std::uint64_t seen = trace.read - (blank == trace.filtered.end() ? 0 : blank->second);
  if (!header.rows) return;
  if (*header.rows > seen) builder.refuse(refusal::row_missing, line, *header.rows - seen);
  if (*header.rows < seen) {
    builder.remark(fmt::format("The header promises {} rows, and the file holds {}: it was put together or edited.",
                               *header.rows, seen));
  }
}

}  // namespace

bool is_canonical(const LogHead& head) {
  const std::string_view line = head.first_line();
  return line.starts_with('{') && line.find("\"loadline_trace\"") != std::string_view::npos;
}

void read_canonical(TextWindow& window, TraceBuilder& builder) {
  LineReader lines(window);
  const CanonicalHeader header = read_canonical_header(find_header(lines, builder, window.name()), window.name());
  Trace& trace = builder.trace();
  if (!header.source.empty()) trace.source = header.source;
  trace.tokenizer = header.tokenizer;
  trace.tokens_estimated = header.tokens_estimated;
  trace.block_size = header.block_size;
  trace.partial_tail = header.partial_tail;
  trace.sharing = header.sharing;
  trace.has_times = header.time_resolution_ms.has_value();
  trace.time_resolution_ms = header.time_resolution_ms.value_or(0);
  if (header.started) trace.time_zone = header.local_zone ? "local" : "UTC";
  CanonicalRowReader reader(header, builder);
  read_json_lines(
      lines, builder, [&](ondemand::object& object) { return reader.read(object); },
      [&](std::uint64_t line) { reader.accept(line); });
  if (!header.time_resolution_ms) trace.time_resolution_ms = reader.resolution_ms();
  compare_with_promise(header, builder, lines.lines() + 1);
}

}  // namespace loadline
