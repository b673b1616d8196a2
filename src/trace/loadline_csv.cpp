#include "trace/loadline_csv.h"

#include "trace/csv_rows.h"
#include "trace/json_scalars.h"
#include "trace/numbers.h"
#include "trace/stamp_resolution.h"

namespace loadline {
namespace {

constexpr Nanos csv_unit = std::chrono::milliseconds(1);
const std::initializer_list<std::string_view> csv_columns = {"timestamp_ms", "input_length", "output_length", "cached",
                                                             "session",      "turn",         "delay_ms",      "client",
                                                             "max",          "status"};

/// Places in csv_columns.
struct CsvPlace {
  enum : std::size_t { timestamp, input, output, cached, session, turn, delay, client, most, status };
};

class LoadlineCsvReader {
 public:
  LoadlineCsvReader(TraceBuilder& builder, const CsvColumns& columns) : builder_(builder), columns_(columns) {}

  std::string_view read(const std::vector<std::string_view>& fields) {
    row_ = {};
    reason_ = {};
    const auto field = [&](std::size_t place) { return trimmed(fields[columns_.at[place]]); };
    take_times(field(CsvPlace::timestamp), field(CsvPlace::delay));
    row_.prompt = number(field(CsvPlace::input), longest_length);
    row_.completion = number(field(CsvPlace::output), longest_length);
    row_.completion_unknown = !row_.completion;
    row_.cached = number(field(CsvPlace::cached), longest_length);
    row_.detail.max_completion = number(field(CsvPlace::most), longest_length);
    if (const auto code = number(field(CsvPlace::status), 999))
      row_.detail.status = static_cast<std::uint16_t>(code->value());
    if (const auto place = number(field(CsvPlace::turn), longest_length))
      row_.turn = static_cast<std::uint32_t>(place->value());
    take_names(field(CsvPlace::session), field(CsvPlace::client));
    if (row_.cached && row_.prompt && *row_.cached > *row_.prompt) note(refusal::out_of_range);
    return reason_;
  }

  void accept(std::uint64_t line) {
    any_told_ = true;
    builder_.add(row_, line);
  }
  double resolution_ms() const { return resolution_.step_ms(); }

 private:
  void note(std::string_view reason) {
    if (reason_.empty()) reason_ = reason;
  }

  std::optional<Tokens> number(std::string_view text, std::int64_t highest) {
    if (text.empty()) return std::nullopt;
    const Parsed<Tokens> read = parse_length(text);
    note(read.ok() && read.value.value() > highest ? refusal::out_of_range : refusal_of(read.state));
    return read.value;
  }

  std::optional<Nanos> span(std::string_view text, std::string_view wrong) {
    if (text.empty()) return std::nullopt;
    const ParsedSpan read = parse_span(text, csv_unit);
    if (!read.ok() || read.value < Nanos(0)) note(wrong);
    if (read.ok() && wrong == refusal::bad_timestamp) resolution_.note(csv_unit, read.decimals);
    return read.value;
  }

  void take_times(std::string_view time_text, std::string_view delay_text) {
    row_.time = span(time_text, refusal::bad_timestamp);
    row_.detail.delay = span(delay_text, refusal::out_of_range);
    if (!any_told_ && row_.time) builder_.trace().has_times = true;
    if (row_.time && !builder_.facts().has_times) note(refusal::bad_timestamp);
  }

  void take_names(std::string_view session_name, std::string_view client_name) {
    for (const std::string_view name : {session_name, client_name}) {
      if (!simdjson::validate_utf8(name.data(), name.size())) note(refusal::not_utf8);
    }
    if (!reason_.empty()) return;
    if (!session_name.empty()) row_.session = builder_.session(session_name);
    if (!client_name.empty()) row_.detail.client = builder_.client(client_name);
  }

  TraceBuilder& builder_;
  const CsvColumns& columns_;
  ReadRow row_;
  std::string_view reason_;
  StampResolution resolution_;
  bool any_told_ = false;  ///< a row has shown whether there are times
};

}  // namespace

bool is_loadline_csv(const LogHead& head) { return has_columns(head, csv_columns); }

void read_loadline_csv(TextWindow& window, TraceBuilder& builder) {
  CsvReader csv(window);
  const CsvColumns columns = read_csv_header(csv, builder, window.name(), csv_columns);
  LoadlineCsvReader reader(builder, columns);
  read_csv_rows(
      csv, columns, builder, [&](const auto& fields) { return reader.read(fields); },
      [&](std::uint64_t line) { reader.accept(line); });
  builder.trace().time_resolution_ms = reader.resolution_ms();
}

}  // namespace loadline
