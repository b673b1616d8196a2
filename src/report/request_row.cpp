#include "report/request_row.h"

#include <algorithm>
#include <array>
#include <limits>

namespace loadline {
namespace {

constexpr std::int64_t most_tokens = 1'000'000'000'000;
constexpr std::int64_t largest_u32 = std::numeric_limits<std::uint32_t>::max();

}  // namespace

const std::string_view select_requests_sql =
    "SELECT r.id, level, serial, session, turn, planned_prompt_tokens, planned_completion_tokens, warmup, due_ns, sent_ns, "
    "first_byte_ns, first_token_ns, first_answer_ns, last_token_ns, closed_ns, stamp, prompt_tokens, completion_tokens, "
    "reasoning_tokens, cached_tokens, token_source, events, first_event_tokens, coalesced, http_status, outcome, message, "
    "attempts, g.data FROM request r LEFT JOIN gap g ON g.request = r.id WHERE r.id >= ? AND r.id < ? ORDER BY r.id";

RequestRecord RequestRow::record(std::int64_t ordinal) {
  RequestRecord r;
  read_identity(r, ordinal);
  read_instants(r);
  read_counts(r);
  read_ending(r);
  return r;
}

std::vector<std::uint32_t> RequestRow::gaps() {
  const auto bytes = row_.blob(28);
  if (!bytes) return {};
  if (bytes->size() % 4 != 0) row_.fail_value(28);
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
  const auto value = row_.integer(column, 0, most_tokens);
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
  r.planned_prompt = Tokens(needed(5, most_tokens));
  r.planned_completion = Tokens(needed(6, most_tokens));
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
