#include "trace/azure.h"

#include <optional>

#include "trace/csv_rows.h"
#include "trace/numbers.h"
#include "trace/stamp_resolution.h"
#include "trace/utc_time.h"

namespace loadline {
namespace {

/// Fills `row`, or says why not.
std::string_view read_azure_record(const std::vector<std::string_view>& fields, const CsvColumns& columns,
                                   UtcTimeReader& times, ReadRow& row, StampResolution& resolution) {
  const Parsed<Tokens> prompt = parse_length(fields[columns.at[1]]);
  const Parsed<Tokens> completion = parse_length(fields[columns.at[2]]);
  if (prompt.state == NumberState::malformed || completion.state == NumberState::malformed) return refusal::malformed;
  const std::optional<UtcTime> time = times.read(trimmed(fields[columns.at[0]]));
  if (!time) return refusal::bad_timestamp;
  if (!prompt.ok() || !completion.ok()) return refusal::out_of_range;
  row.time = time->since_epoch;
  row.prompt = prompt.value;
  row.completion = completion.value;
  resolution.note_text(time->fraction_digits);
  return {};
}

}  // namespace

bool is_azure(const LogHead& head) { return has_columns(head, {"TIMESTAMP", "ContextTokens", "GeneratedTokens"}); }

void read_azure(TextWindow& window, TraceBuilder& builder) {
  CsvReader csv(window);
  const CsvColumns columns =
      read_csv_header(csv, builder, window.name(), {"TIMESTAMP", "ContextTokens", "GeneratedTokens"});
  Trace& trace = builder.trace();
  trace.has_times = true;
  trace.time_zone = "UTC";
  UtcTimeReader times;
  StampResolution resolution;
  ReadRow row;
  read_csv_rows(
      csv, columns, builder,
      [&](const auto& fields) { return read_azure_record(fields, columns, times, row, resolution); },
      [&](std::uint64_t line) { builder.add(row, line); });
  trace.time_resolution_ms = resolution.step_ms();
}

}  // namespace loadline
