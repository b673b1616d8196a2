#include "trace/vidur.h"

#include "trace/csv_rows.h"
#include "trace/json_scalars.h"
#include "trace/stamp_resolution.h"

namespace loadline {
namespace {

/// Sums of floating point show more digits than the clock had: they tell nothing of its step.
constexpr int most_vidur_decimals = 9;

std::string_view read_vidur_record(const std::vector<std::string_view>& fields, const CsvColumns& columns, ReadRow& row,
                                   StampResolution& resolution) {
  const Parsed<Tokens> prompt = parse_length(fields[columns.at[0]]);
  const Parsed<Tokens> completion = parse_length(fields[columns.at[1]]);
  for (const NumberState state : {prompt.state, completion.state}) {
    if (state != NumberState::ok) return refusal_of(state);
  }
  row.prompt = prompt.value;
  row.completion = completion.value;
  if (columns.at[2] == CsvColumns::absent) return {};
  const ParsedSpan time = parse_span(fields[columns.at[2]], std::chrono::seconds(1));
  if (!time.ok() || time.value < Nanos(0)) return refusal::bad_timestamp;
  row.time = time.value;
  if (time.decimals <= most_vidur_decimals) resolution.note(std::chrono::seconds(1), time.decimals);
  return {};
}

}  // namespace

bool is_vidur(const LogHead& head) { return has_columns(head, {"num_prefill_tokens", "num_decode_tokens"}); }

void read_vidur(TextWindow& window, TraceBuilder& builder) {
  CsvReader csv(window);
  const CsvColumns columns =
      read_csv_header(csv, builder, window.name(), {"num_prefill_tokens", "num_decode_tokens"}, {"arrived_at"});
  Trace& trace = builder.trace();
  trace.has_times = columns.at[2] != CsvColumns::absent;
  if (!trace.has_times) builder.remark("the log has no times: when requests arrive is for the run to say");
  ReadRow row;
  StampResolution resolution;
  read_csv_rows(
      csv, columns, builder, [&](const auto& fields) { return read_vidur_record(fields, columns, row, resolution); },
      [&](std::uint64_t line) { builder.add(row, line); });
  trace.time_resolution_ms = resolution.step_ms();
}

}  // namespace loadline
