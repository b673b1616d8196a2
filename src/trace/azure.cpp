#include "trace/azure.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "trace/csv_reader.h"
#include "trace/numbers.h"
#include "trace/refusal.h"
#include "trace/stamp_resolution.h"
#include "trace/utc_time.h"

namespace loadline {
namespace {

struct AzureColumns {
  std::size_t time = 0, prompt = 0, completion = 0, needed = 0;
};

std::optional<AzureColumns> find_azure_columns(const std::vector<std::string_view>& header) {
  const auto column = [&](std::string_view name) {
    const auto at =
        std::find_if(header.begin(), header.end(), [&](std::string_view field) { return trimmed(field) == name; });
    return static_cast<std::size_t>(at - header.begin());
  };
  AzureColumns columns{column("TIMESTAMP"), column("ContextTokens"), column("GeneratedTokens"), 0};
  columns.needed = 1 + std::max({columns.time, columns.prompt, columns.completion});
  if (columns.needed > header.size()) return std::nullopt;
  return columns;
}

/// The first record that is not blank must be the header.
AzureColumns read_azure_header(CsvReader& csv, TraceBuilder& builder, const std::string& name) {
  while (csv.next()) {
    if (csv.blank()) {
      builder.filter(filter::blank);
    } else if (const auto columns = find_azure_columns(csv.fields())) {
      return *columns;
    } else {
      break;
    }
  }
  throw Error(
      fmt::format("{}: line {} is not the header TIMESTAMP,ContextTokens,GeneratedTokens of an azure trace; "
                  "add the header, or name another format",
                  name, csv.line()));
}

/// Fills `row`, or says why not.
std::string_view read_azure_record(const CsvReader& csv, const AzureColumns& columns, UtcTimeReader& times,
                                   ReadRow& row, StampResolution& resolution) {
  const std::vector<std::string_view>& fields = csv.fields();
  if (!csv.well_formed() || fields.size() < columns.needed) return refusal::malformed;
  const Parsed<Tokens> prompt = parse_length(fields[columns.prompt]);
  const Parsed<Tokens> completion = parse_length(fields[columns.completion]);
  if (prompt.state == NumberState::malformed || completion.state == NumberState::malformed) return refusal::malformed;
  const std::optional<UtcTime> time = times.read(trimmed(fields[columns.time]));
  if (!time) return refusal::bad_timestamp;
  if (!prompt.ok() || !completion.ok()) return refusal::out_of_range;
  row.time = time->since_epoch;
  row.prompt = prompt.value;
  row.completion = completion.value;
  resolution.note_text(time->fraction_digits);
  return {};
}

}  // namespace

bool is_azure(const LogHead& head) {
  const std::string_view header = head.first_line();
  return !header.starts_with('{') && header.find("TIMESTAMP") != std::string_view::npos &&
         header.find("ContextTokens") != std::string_view::npos &&
         header.find("GeneratedTokens") != std::string_view::npos;
}

void read_azure(TextWindow& window, TraceBuilder& builder) {
  CsvReader csv(window);
  UtcTimeReader times;
  const AzureColumns columns = read_azure_header(csv, builder, window.name());
  Trace& trace = builder.trace();
  trace.has_times = true;
  trace.time_zone = "UTC";
  StampResolution resolution;
  ReadRow row;
  while (csv.next()) {
    if (csv.blank()) {
      builder.filter(filter::blank);
      continue;
    }
    const std::string_view reason = read_azure_record(csv, columns, times, row, resolution);
    if (reason.empty()) {
      builder.add(row, csv.line());
    } else {
      builder.refuse(!csv.ended() && reason == refusal::malformed ? refusal::truncated : reason, csv.line());
    }
  }
  trace.time_resolution_ms = resolution.step_ms();
}

}  // namespace loadline
