#include "trace/export.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>
#include <string>

#include "core/error.h"
#include "trace/json_text.h"

namespace loadline {
namespace {

constexpr std::uint32_t exported_block = 512;

void check_written(const std::ostream& out) {
  if (!out) throw Error("the export could not be written; check the space and the permissions of its target");
}

std::int64_t whole_ms(Nanos span) { return std::chrono::duration_cast<std::chrono::milliseconds>(span).count(); }

void require_exportable_blocks(const Trace& trace) {
  if (exported_block % trace.block_size == 0) return;
  throw Error(fmt::format(
      "{}: its blocks of {} tokens do not divide the 512 of this format, so its sharing cannot be exported; use --to csv",
      trace.source, trace.block_size));
}

/// The ids of blocks of 512 tokens. `next_own`: the first id that no block of the trace has.
std::string exported_ids(const Trace& trace, const TraceRow& row, std::uint64_t& next_own) {
  const std::uint32_t small = exported_block / trace.block_size;
  const std::int64_t wanted = (row.prompt.value() + exported_block - 1) / exported_block;
  std::string text;
  for (std::int64_t k = 0; k < wanted; ++k) {
    // A last, partly filled block: the whole small ones in it tell what it shares.
    const std::uint64_t end = std::min<std::uint64_t>(static_cast<std::uint64_t>(k + 1) * small, row.block_count);
    const bool covered = end > static_cast<std::uint64_t>(k) * small;
    const bool whole = covered && (k + 1 < wanted ? end == static_cast<std::uint64_t>(k + 1) * small : true);
    const std::uint64_t id = whole ? trace.blocks[row.first_block + end - 1] : next_own++;
    text += fmt::format("{}{}", k == 0 ? "" : ", ", id);
  }
  return text;
}

std::uint64_t first_own_id(const Trace& trace) {
  std::uint64_t highest = 0;
  for (const std::uint64_t id : trace.blocks) highest = std::max(highest, id);
  check(highest < UINT64_MAX, "there is an id behind the highest");
  return trace.blocks.empty() ? 0 : highest + 1;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

template <class T>
std::string known_or_empty(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "";
}

std::string known_or_empty(const std::optional<Tokens>& value) {
  return value ? fmt::format("{}", value->value()) : "";
}

}  // namespace

void write_mooncake(const Trace& trace, std::ostream& out) {
  if (!trace.has_times)
    throw Error(fmt::format("{} has no times, which this format needs; use --to csv", trace.source));
  if (trace.block_size == 0) {
    throw Error(
        fmt::format("{} has no block hashes, which this format needs; use --to aiperf or --to csv", trace.source));
  }
  require_exportable_blocks(trace);
  if (!std::ranges::all_of(trace.rows, &TraceRow::arrival_known)) {
    throw Error(fmt::format(
        "{} has turns of which only the pause before them is known, and this format needs a time; use --to aiperf",
        trace.source));
  }
  std::uint64_t next_own = first_own_id(trace);
  for (const TraceRow& row : trace.rows) {
    fmt::print(out, "{{\"timestamp\": {}, \"input_length\": {}, \"output_length\": {}, \"hash_ids\": [{}]}}\n",
               whole_ms(row.arrival), row.prompt.value(), row.completion.value(), exported_ids(trace, row, next_own));
  }
  check_written(out);
}

void write_aiperf(const Trace& trace, std::ostream& out) {
  const bool hashed = trace.block_size > 0;
  if (hashed) require_exportable_blocks(trace);
  std::uint64_t next_own = first_own_id(trace);
  std::vector<bool> begun(trace.sessions.size(), false);
  for (std::size_t i = 0; i < trace.rows.size(); ++i) {
    const TraceRow& row = trace.rows[i];
    const bool in_session = row.session != no_session;
    const std::optional<Nanos> delay = trace.details.empty() ? std::nullopt : trace.details[i].delay;
    const bool waits = delay && in_session && begun[row.session];
    if (!waits && !(trace.has_times && row.arrival_known)) {
      throw Error(fmt::format("{}: request {} has neither a time nor a pause, and this format needs one; use --to csv",
                              trace.source, i + 1));
    }
    std::string line = waits ? fmt::format("{{\"delay\": {}", whole_ms(*delay))
                             : fmt::format("{{\"timestamp\": {}", whole_ms(row.arrival));
    line += fmt::format(", \"input_length\": {}", row.prompt.value());
    if (row.completion.value() > 0) line += fmt::format(", \"output_length\": {}", row.completion.value());
    if (in_session) line += fmt::format(", \"session_id\": {}", json_string(trace.sessions[row.session]));
    if (hashed) line += fmt::format(", \"hash_ids\": [{}]", exported_ids(trace, row, next_own));
    out << line << "}\n";
    if (in_session) begun[row.session] = true;
  }
  check_written(out);
}

std::string regrouping_remark(const Trace& trace) {
  if (trace.block_size == 0 || trace.block_size == exported_block) return "";
  return fmt::format(
      "Blocks of {} tokens are written as blocks of {}: of what two prompts share, a rest that fills no block of {} is "
      "lost unless both end in it.",
      trace.block_size, exported_block, exported_block);
}

void write_csv(const Trace& trace, std::ostream& out) {
  out << "timestamp_ms,input_length,output_length,cached,session,turn,delay_ms,client,max,status\n";
  for (std::size_t i = 0; i < trace.rows.size(); ++i) {
    const TraceRow& row = trace.rows[i];
    const RowDetail detail = trace.details.empty() ? RowDetail{} : trace.details[i];
    const bool timed = trace.has_times && row.arrival_known, in_session = row.session != no_session;
    fmt::print(out, "{},{},{},{},{},{},{},{},{},{}\n", timed ? fmt::format("{}", milliseconds(row.arrival)) : "",
               row.prompt.value(), row.completion.value() > 0 ? fmt::format("{}", row.completion.value()) : "",
               known_or_empty(row.cached), in_session ? csv_field(trace.sessions[row.session]) : "",
               in_session ? fmt::format("{}", row.turn) : "",
               detail.delay ? fmt::format("{}", milliseconds(*detail.delay)) : "",
               detail.client == no_client ? "" : csv_field(trace.clients[detail.client]),
               known_or_empty(detail.max_completion), known_or_empty(detail.status));
  }
  check_written(out);
}

}  // namespace loadline
