#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ostream>

#include "core/error.h"
#include "trace/canonical.h"
#include "trace/json_text.h"
#include "trace/utc_time.h"

namespace loadline {
namespace {

constexpr std::size_t write_at = std::size_t{1} << 16;

std::string json_string_or_null(std::string_view text) { return text.empty() ? "null" : json_string(text); }

/// Milliseconds to the nanosecond, without trailing zeros.
void append_milliseconds(fmt::memory_buffer& out, Nanos span) {
  const auto value = static_cast<std::uint64_t>(span.count());
  fmt::format_to(std::back_inserter(out), "{}", value / 1'000'000);
  std::uint64_t rest = value % 1'000'000;
  if (rest == 0) return;
  int digits = 6;
  for (; rest % 10 == 0; rest /= 10) --digits;
  fmt::format_to(std::back_inserter(out), ".{:0{}}", rest, digits);
}

/// A local time ends without the Z of UTC, and its zone is said to be unknown.
std::string started_entry(const Trace& trace) {
  if (!trace.started) return "";
  std::string time = utc_text(*trace.started);
  if (trace.time_zone != "local") return fmt::format(R"(,"started":{})", json_string(time));
  time.pop_back();
  return fmt::format(R"(,"started":{},"time_zone":"local")", json_string(time));
}

void append_header(fmt::memory_buffer& out, const Trace& trace) {
  const bool has_blocks = trace.block_size > 0;
  fmt::format_to(
      std::back_inserter(out),
      R"({{"loadline_trace":1,"source":{},"rows":{},"block_size":{},"tail":{},"ids":{},"sharing":"{}",)"
      R"("tokens":"{}","time_resolution_ms":{},"tokenizer":{}{}}})"
      "\n",
      json_string_or_null(trace.source), trace.rows.size(), has_blocks ? fmt::format("{}", trace.block_size) : "null",
      !has_blocks          ? "null"
      : trace.partial_tail ? "\"partial\""
                           : "\"dropped\"",
      has_blocks ? "\"chained\"" : "null", name(trace.sharing), trace.tokens_estimated ? "estimated" : "counted",
      trace.has_times ? fmt::format("{}", trace.time_resolution_ms) : "null", json_string_or_null(trace.tokenizer),
      started_entry(trace));
}

void append_runs(fmt::memory_buffer& out, const Trace& trace, const TraceRow& row) {
  fmt::format_to(std::back_inserter(out), ",\"hash_runs\":[");
  const std::uint64_t* const ids = trace.blocks.data() + row.first_block;
  for (std::uint32_t at = 0; at < row.block_count;) {
    std::uint32_t count = 1;
    while (at + count < row.block_count && ids[at + count] == ids[at] + count && ids[at + count] != 0) ++count;
    fmt::format_to(std::back_inserter(out), "{}[{},{}]", at == 0 ? "" : ",", ids[at], count);
    at += count;
  }
  out.push_back(']');
}

void append_detail(fmt::memory_buffer& out, const Trace& trace, const RowDetail& detail) {
  if (detail.delay) {
    fmt::format_to(std::back_inserter(out), ",\"delay\":");
    append_milliseconds(out, *detail.delay);
  }
  if (detail.client != no_client) {
    fmt::format_to(std::back_inserter(out), ",\"client\":{}", json_string(trace.clients[detail.client]));
  }
  if (detail.max_completion) fmt::format_to(std::back_inserter(out), ",\"max\":{}", detail.max_completion->value());
  if (detail.status) fmt::format_to(std::back_inserter(out), ",\"status\":{}", *detail.status);
}

void append_row(fmt::memory_buffer& out, const Trace& trace, std::size_t index) {
  const TraceRow& row = trace.rows[index];
  out.push_back('{');
  if (trace.has_times && row.arrival_known) {
    fmt::format_to(std::back_inserter(out), "\"timestamp\":");
    append_milliseconds(out, row.arrival);
    out.push_back(',');
  }
  fmt::format_to(std::back_inserter(out), "\"input_length\":{}", row.prompt.value());
  if (row.completion.value() > 0) {
    fmt::format_to(std::back_inserter(out), ",\"output_length\":{}", row.completion.value());
  }
  if (row.cached) fmt::format_to(std::back_inserter(out), ",\"cached\":{}", row.cached->value());
  if (row.session != no_session) {
    fmt::format_to(std::back_inserter(out), ",\"session\":{},\"turn\":{}", json_string(trace.sessions[row.session]),
                   row.turn);
  }
  if (!trace.details.empty()) append_detail(out, trace, trace.details[index]);
  if (trace.block_size > 0 && (row.block_count > 0 || trace.sharing == SharingOrigin::hashed))
    append_runs(out, trace, row);
  out.push_back('}');
  out.push_back('\n');
}

}  // namespace

void write_canonical(const Trace& trace, std::ostream& out) {
  const bool counted = std::ranges::all_of(trace.rows, [](const TraceRow& row) { return row.prompt.value() > 0; });
  if (!counted) {
    throw Error(fmt::format("{} counts no tokens, and a trace has lengths: give --tokens-per-char", trace.source));
  }
  fmt::memory_buffer buffer;
  const auto flush = [&] {
    out.write(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    buffer.clear();
    if (!out)
      throw Error("the canonical trace could not be written; check the space and the permissions of its target");
  };
  append_header(buffer, trace);
  for (std::size_t index = 0; index < trace.rows.size(); ++index) {
    append_row(buffer, trace, index);
    if (buffer.size() >= write_at) flush();
  }
  flush();
  out.flush();
}

}  // namespace loadline
