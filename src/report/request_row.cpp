#include "report/request_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "core/token_limits.h"

namespace loadline {
namespace {

constexpr std::int64_t largest_u32 = std::numeric_limits<std::uint32_t>::max();

enum Column : int {
  planned_prompt_column = 5,
  planned_completion_column,
  due_column = 8,
  sent_column,
  first_byte_column,
  first_token_column,
  first_answer_column,
  last_token_column,
  closed_column,
  prompt_column = 16,
  completion_column,
  reasoning_column,
  cached_column,
  events_column = 21,
  first_event_tokens_column,
  gaps_column = 28,
  single_token_events_column,
  client_column,
};

struct TimedColumn {
  int column;
  std::optional<RunTime> at;
};

bool is_instant(RunTime at) {
  const std::int64_t ns = nanos_since_start(at);
  return ns >= -latest_instant_ns && ns <= latest_instant_ns;
}

/// The first instant that is out of range or before what must have happened before it.
std::optional<int> misplaced_instant(const RequestRecord& r) {
  const TimedColumn in_order[] = {{due_column, r.due},
                                  {sent_column, r.sent},
                                  {first_byte_column, r.first_byte},
                                  {first_token_column, r.first_token},
                                  {first_answer_column, r.first_answer},
                                  {last_token_column, r.last_token}};
  std::optional<RunTime> before;
  for (const TimedColumn& one : in_order) {
    if (!one.at) continue;
    if (!is_instant(*one.at) || (before && *one.at < *before)) return one.column;
    before = one.at;
  }
  // A simulated last token is a sum of whole gap units, so it may lie part of one behind the end.
  const Nanos rounding(nanos_per_gap_unit);
  if (r.closed && (!is_instant(*r.closed) || (before && *r.closed + rounding < *before))) return closed_column;
  return std::nullopt;
}

std::optional<int> missing_instant(const RequestRecord& r) {
  const bool has_output = r.events > 0;
  if (r.outcome != Outcome::unsent && !r.due) return due_column;
  if (r.outcome != Outcome::unsent && !r.closed) return closed_column;
  if (succeeded(r.outcome) && !has_output) return events_column;
  const bool may_lack_first = r.events == 1;  // an answer in one piece
  if (r.first_token.has_value() != has_output && !(may_lack_first && !r.first_token)) return first_token_column;
  if (r.last_token.has_value() != has_output) return last_token_column;
  if (r.first_answer && !has_output) return first_answer_column;
  return std::nullopt;
}

std::optional<int> impossible_count(const RequestRecord& r) {
  const std::pair<int, std::optional<Tokens>> counts[] = {{planned_prompt_column, r.planned_prompt},
                                                          {planned_completion_column, r.planned_completion},
                                                          {prompt_column, r.prompt_tokens},
                                                          {completion_column, r.completion_tokens},
                                                          {reasoning_column, r.reasoning_tokens},
                                                          {cached_column, r.cached_tokens},
                                                          {first_event_tokens_column, r.first_event_tokens}};
  for (const auto& [column, count] : counts) {
    if (count && (count->value() < 0 || count->value() > most_tokens_stored)) return column;
  }
  return std::nullopt;
}

}  // namespace

std::optional<int> unsound_column(const RequestRecord& r, std::size_t gaps) {
  if (const auto column = impossible_count(r)) return column;
  if (const auto column = missing_instant(r)) return column;
  if (const auto column = misplaced_instant(r)) return column;
  if (gaps != (r.events > 0 ? r.events - 1 : 0)) return gaps_column;
  if (r.single_token_events && *r.single_token_events > r.events) return single_token_events_column;
  return std::nullopt;
}

bool has_request_column(Database& database, std::string_view column) {
  Statement found(database, "SELECT 1 FROM pragma_table_info('request') WHERE name = ?");
  found.bind(0, column);
  return found.next();
}

std::string select_requests_sql(Database& database) {
  std::string later;
  for (const char* column : later_request_columns) {
    later += fmt::format(", {}{}", has_request_column(database, column) ? "" : "NULL AS ", column);
  }
  return fmt::format(
      "SELECT r.id, level, serial, session, turn, planned_prompt_tokens, planned_completion_tokens, warmup, due_ns, sent_ns, "
      "first_byte_ns, first_token_ns, first_answer_ns, last_token_ns, closed_ns, stamp, prompt_tokens, completion_tokens, "
      "reasoning_tokens, cached_tokens, token_source, events, first_event_tokens, coalesced, http_status, outcome, message, "
      "attempts, g.data{} FROM request r LEFT JOIN gap g ON g.request = r.id WHERE r.id >= ? AND r.id < ? ORDER BY r.id",
      later);
}

RequestRecord RequestRow::record(std::int64_t ordinal, std::size_t gaps) {
  RequestRecord r;
  read_identity(r, ordinal);
  read_instants(r);
  read_counts(r);
  read_ending(r);
  if (const auto column = unsound_column(r, gaps)) row_.fail_value(*column);
  return r;
}

std::vector<std::uint32_t> RequestRow::gaps() {
  const auto bytes = row_.blob(gaps_column);
  if (!bytes) return {};
  if (bytes->size() % 4 != 0) row_.fail_value(gaps_column);
  std::vector<std::uint32_t> gaps(bytes->size() / 4);
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    for (std::size_t b = 4; b-- > 0;) gaps[i] = (gaps[i] << 8) | (*bytes)[4 * i + b];
  }
  return gaps;
}

std::int64_t RequestRow::needed(int column, std::int64_t high) {
  const auto value = row_.integer(column, 0, high);
  if (!value) row_.fail_value(column);
  return *value;
}

std::string RequestRow::needed_text(int column) {
  auto text = row_.text(column);
  if (!text) row_.fail_value(column);
  return std::move(*text);
}

std::optional<RunTime> RequestRow::instant(int column) {
  const auto value = row_.integer(column, -latest_instant_ns, latest_instant_ns);
  if (!value) return std::nullopt;
  return run_time(*value);
}

std::optional<Tokens> RequestRow::tokens(int column) {
  const auto value = row_.integer(column, 0, most_tokens_stored);
  if (!value) return std::nullopt;
  return Tokens(*value);
}

void RequestRow::read_identity(RequestRecord& r, std::int64_t ordinal) {
  const std::int64_t id = needed(0, std::numeric_limits<std::int64_t>::max());
  const std::int64_t serial = needed(2, largest_u32);
  if (needed(1, largest_u32) != ordinal || id != ((ordinal << 32) | serial)) row_.fail_value(0);
  r.serial = static_cast<std::uint32_t>(serial);
  if (const auto session = row_.integer(3, 0, largest_u32)) r.session = static_cast<SessionIndex>(*session);
  r.turn = static_cast<std::uint32_t>(needed(4, largest_u32));
  r.client = static_cast<ClientIndex>(row_.integer(client_column, 0, largest_u32).value_or(no_client));
  // Absent: nobody knew the length beforehand.
  r.planned_prompt = tokens(5).value_or(Tokens(0));
  r.planned_completion = tokens(6).value_or(Tokens(0));
  r.warmup = needed(7, 1) == 1;
}

void RequestRow::read_instants(RequestRecord& r) {
  int column = 8;
  for (auto* instant_of : {&r.due, &r.sent, &r.first_byte, &r.first_token, &r.first_answer, &r.last_token, &r.closed}) {
    *instant_of = instant(column++);
  }
  const std::string stamp = needed_text(15);
  if (stamp != "kernel" && stamp != "user") row_.fail_value(15);
  r.stamp = stamp == "kernel" ? Stamp::kernel : Stamp::user;
}

void RequestRow::read_counts(RequestRecord& r) {
  r.prompt_tokens = tokens(16);
  r.completion_tokens = tokens(17);
  r.reasoning_tokens = tokens(18);
  r.cached_tokens = tokens(19);
  constexpr std::array<std::string_view, 3> sources = {"none", "server", "tokenizer"};
  const auto source = std::ranges::find(sources, needed_text(20));
  if (source == sources.end()) row_.fail_value(20);
  r.token_source = static_cast<TokenSource>(source - sources.begin());
  r.events = static_cast<std::uint32_t>(needed(21, largest_u32));
  r.first_event_tokens = tokens(22);
  r.coalesced = needed(23, 1) == 1;
  if (const auto single = row_.integer(single_token_events_column, 0, largest_u32)) {
    r.single_token_events = static_cast<std::uint32_t>(*single);
  }
}

void RequestRow::read_ending(RequestRecord& r) {
  r.http_status = static_cast<std::uint16_t>(row_.integer(24, 0, 65535).value_or(0));
  const auto outcome = outcome_named(needed_text(25));
  if (!outcome) row_.fail_value(25);
  r.outcome = *outcome;
  r.message = row_.text(26).value_or("");
  r.attempts = static_cast<std::uint8_t>(needed(27, 255));
}

}  // namespace loadline
