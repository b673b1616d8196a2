#include "trace/trace_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "trace/refusal.h"
#include "trace/refused_books.h"
#include "trace/text_ids.h"
#include "trace/time_resolution.h"

namespace loadline {
namespace {

bool known(const RowDetail& detail) {
  return detail.delay || detail.max_completion || detail.status || detail.client != no_client;
}

using SortKey = std::pair<Nanos, std::uint32_t>;

template <class T>
void reorder(std::vector<T>& values, const std::vector<SortKey>& order) {
  if (values.empty()) return;
  std::vector<T> sorted;
  sorted.reserve(values.size());
  for (const auto& [arrival, index] : order) sorted.push_back(std::move(values[index]));
  values = std::move(sorted);
}

template <class T>
void append_all(std::vector<T>& values, std::vector<T>&& more) {
  values.insert(values.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void append_books(Trace& trace, Trace& more) {
  trace.read += more.read;
  name_file(trace.refused, trace.source);
  name_file(more.refused, more.source);
  add_refused(trace.refused, more.refused);
  for (const auto& [reason, count] : more.filtered) trace.filtered[reason] += count;
}

void check_books(const Trace& trace) {
  std::uint64_t sum = trace.rows.size();
  for (const auto& [reason, refused] : trace.refused) sum += refused.count;
  for (const auto& [reason, count] : trace.filtered) sum += count;
  check(sum == trace.read, "read = rows + refused + filtered");
}

}  // namespace

void TraceBuilder::begin_row() {
  trace_.blocks.resize(row_blocks_);
  if (!row_has_text_) return;
  row_has_text_ = false;
  row_text_ = {};
  text_->clear();
}

void TraceBuilder::hash_text(std::string_view piece) {
  if (!text_) {
    if (settings_.key == nullptr) own_key_.emplace();
    text_.emplace(settings_.key == nullptr ? *own_key_ : *settings_.key);
  }
  row_has_text_ = true;
  text_->add(piece, trace_.blocks);
}

void TraceBuilder::add_token_ids(std::string_view ids) { hash_text(ids); }

void TraceBuilder::add_text(std::string_view piece) {
  hash_text(piece);
  if (settings_.keep_texts && !row_text_.is_messages) row_text_.text += piece;
}

void TraceBuilder::add_message(std::string_view role, std::string_view content) {
  add_text(role);
  add_text("\n");
  add_text(content);
  add_text("\n");
}

void TraceBuilder::keep_messages(std::string_view json) {
  if (settings_.keep_texts) row_text_ = {std::string(json), true};
}

std::string_view TraceBuilder::reason_against(const ReadRow& row) const {
  if (row.prompt && row.prompt->value() <= 0) return refusal::prompt_zero;
  if (row.completion && row.completion->value() <= 0) return refusal::completion_zero;
  if (!row.prompt && !row.prompt_characters) return refusal::no_prompt_length;
  if (!row.completion && !row.completion_characters && !row.completion_unknown) return refusal::no_completion_length;
  if (!row_has_text_ && block_count() > most_row_blocks) return refusal::too_many_blocks;
  const bool follows = row.detail.delay && row.session != no_session;
  if (trace_.has_times && !row.time && !follows) return refusal::bad_timestamp;
  return {};
}

/// A later turn of which only the pause is logged came at least that long after the turn before: that orders it.
bool TraceBuilder::place_after_turn_before(const ReadRow& row, TraceRow& kept) {
  if (last_of_session_.size() < trace_.sessions.size()) last_of_session_.resize(trace_.sessions.size(), Nanos::min());
  const Nanos before = last_of_session_[row.session];
  if (before == Nanos::min()) return false;
  kept.arrival = before + *row.detail.delay;
  kept.arrival_known = false;
  return true;
}

void TraceBuilder::add(const ReadRow& given, std::uint64_t line) {
  ReadRow row = given;
  if (row_has_text_ && !row.prompt_characters) row.prompt_characters = text_->characters();
  std::string_view reason = reason_against(row);
  TraceRow kept;
  kept.arrival = trace_.has_times && row.time ? *row.time : Nanos(0);
  if (reason.empty() && trace_.has_times && !row.time && !place_after_turn_before(row, kept))
    reason = refusal::bad_timestamp;
  if (!reason.empty()) return refuse(reason, line);
  ++trace_.read;
  kept.prompt = row.prompt.value_or(Tokens(0));
  kept.completion = row.completion.value_or(Tokens(0));
  kept.cached = row.cached;
  kept.session = row.session;
  kept.turn = row.turn.value_or(0);
  kept.first_block = row_blocks_;
  kept.block_count = static_cast<std::uint32_t>(block_count());
  turns_logged_ = turns_logged_ || row.turn.has_value();
  any_cached_ = any_cached_ || row.cached.has_value();
  if (row.session != no_session) {
    any_session_ = true;
    if (last_of_session_.size() <= row.session) last_of_session_.resize(row.session + 1, Nanos::min());
    last_of_session_[row.session] = kept.arrival;
  }
  const bool paces = row.session != no_session && row.time && trace_.has_times && !row.detail.delay;
  const bool waits = row_has_text_ || !row.prompt || (!row.completion && row.completion_characters);
  if (settings_.sink != nullptr && !waits) {
    if (paces) pauses_.note(row.session, *row.time, row.duration, SessionPauses::not_kept);
    settings_.sink->take(kept, row.detail, std::span(trace_.blocks).subspan(row_blocks_));
    return;
  }
  if (paces) pauses_.note(row.session, *row.time, row.duration, trace_.rows.size());
  estimate_.note(trace_.rows.size(), row.prompt, row.prompt_characters, row.completion, row.completion_characters);
  keep(kept, row.detail);
}

void TraceBuilder::keep(const TraceRow& row, const RowDetail& detail) {
  trace_.rows.push_back(row);
  row_blocks_ = trace_.blocks.size();
  if (!trace_.details.empty() || known(detail)) {
    trace_.details.resize(trace_.rows.size());
    trace_.details.back() = detail;
  }
  if (!text_bytes_.empty() || row_has_text_) {
    text_bytes_.resize(trace_.rows.size(), 0);
    text_bytes_.back() = row_has_text_ ? text_->bytes() : 0;
  }
  if (settings_.keep_texts) {
    trace_.texts.resize(trace_.rows.size());
    trace_.texts.back() = std::move(row_text_);
  }
}

void TraceBuilder::refuse(std::string_view reason, std::uint64_t line, std::uint64_t count) {
  trace_.read += count;
  Refused& refused = trace_.refused[std::string(reason)];
  refused.count += count;
  if (refused.first_lines.size() < refused_lines_kept) refused.first_lines.push_back(line);
}

void TraceBuilder::filter(std::string_view reason, std::uint64_t count) {
  if (count == 0) return;
  trace_.read += count;
  trace_.filtered[std::string(reason)] += count;
}

void TraceBuilder::remark(std::string_view sentence) {
  if (std::ranges::find(trace_.remarks, sentence) == trace_.remarks.end()) trace_.remarks.emplace_back(sentence);
}

std::uint32_t TraceBuilder::index_of(std::string_view name, Names& known_names, std::vector<std::string>& names) {
  const auto [entry, is_new] = known_names.try_emplace(std::string(name), static_cast<std::uint32_t>(names.size()));
  if (is_new) names.emplace_back(name);
  return entry->second;
}

SessionIndex TraceBuilder::session(std::string_view name) { return index_of(name, sessions_, trace_.sessions); }
ClientIndex TraceBuilder::client(std::string_view name) { return index_of(name, clients_, trace_.clients); }

void TraceBuilder::append(TraceBuilder&& other) {
  begin_row();
  other.begin_row();
  const std::size_t rows_before = trace_.rows.size(), blocks_before = trace_.blocks.size();
  std::vector<SessionIndex> new_sessions;
  std::vector<ClientIndex> new_clients;
  for (const std::string& name : other.trace_.sessions) new_sessions.push_back(session(name));
  for (const std::string& name : other.trace_.clients) new_clients.push_back(client(name));
  for (TraceRow& row : other.trace_.rows) {
    row.first_block += blocks_before;
    if (row.session != no_session) row.session = new_sessions[row.session];
  }
  for (RowDetail& detail : other.trace_.details) {
    if (detail.client != no_client) detail.client = new_clients[detail.client];
  }
  if (!trace_.details.empty() || !other.trace_.details.empty()) {
    trace_.details.resize(rows_before);
    other.trace_.details.resize(other.trace_.rows.size());
  }
  if (!text_bytes_.empty() || !other.text_bytes_.empty()) {
    text_bytes_.resize(rows_before, 0);
    other.text_bytes_.resize(other.trace_.rows.size(), 0);
  }
  append_all(trace_.rows, std::move(other.trace_.rows));
  append_all(trace_.blocks, std::move(other.trace_.blocks));
  append_all(trace_.details, std::move(other.trace_.details));
  append_all(trace_.texts, std::move(other.trace_.texts));
  append_all(text_bytes_, std::move(other.text_bytes_));
  estimate_.append(other.estimate_, rows_before);
  pauses_.append(other.pauses_, rows_before, new_sessions);
  row_blocks_ = trace_.blocks.size();
  append_books(trace_, other.trace_);
  other.forget_rows();
  for (const std::string& sentence : other.trace_.remarks) remark(sentence);
  turns_logged_ = turns_logged_ || other.turns_logged_;
  any_cached_ = any_cached_ || other.any_cached_;
  any_session_ = any_session_ || other.any_session_;
}

void TraceBuilder::forget_rows() {
  trace_.rows.clear();
  trace_.blocks.clear();
  trace_.details.clear();
  trace_.refused.clear();
  trace_.filtered.clear();
  trace_.read = 0;
  row_blocks_ = 0;
  text_bytes_.clear();
  estimate_ = {};
  pauses_ = {};
}

void TraceBuilder::settle_lengths() {
  if (!estimate_.needed() || estimate_.fill(settings_.tokens_per_character, trace_)) return;
  if (settings_.keep_texts) return;  // the target will count what it is sent
  throw Error(fmt::format(
      "{} ({}) counts no tokens, only text: give --tokens-per-char with the tokens of a character (about 0.25 for "
      "English), and the lengths are reported as estimated; or send its prompts as they are with --content log",
      trace_.source, trace_.format));
}

void TraceBuilder::settle_text_blocks() {
  if (text_bytes_.empty()) return;
  text_bytes_.resize(trace_.rows.size(), 0);
  make_text_ids(text_bytes_, settings_.sink == nullptr ? TextIdForm::numbers : TextIdForm::hashes, trace_);
}

void TraceBuilder::settle_pauses() {
  pauses_.settle([&](std::size_t row, Nanos pause) {
    if (row == SessionPauses::not_kept) return settings_.sink->take_pause(pause);
    if (trace_.details.empty()) trace_.details.resize(trace_.rows.size());
    trace_.details[row].delay = pause;
  });
}

void TraceBuilder::settle_sharing() {
  if (trace_.sharing != SharingOrigin::unknown) return;
  const bool uncounted = std::ranges::all_of(trace_.rows, [](const TraceRow& row) { return row.prompt.value() == 0; });
  if (!trace_.rows.empty() && uncounted) return;  // nobody knows how long what is shared is
  if (any_session_) trace_.sharing = SharingOrigin::sessions;
  if (any_cached_) trace_.sharing = SharingOrigin::cached_counts;
}

void TraceBuilder::hand_over() {
  const RowDetail none;
  for (std::size_t i = 0; i < trace_.rows.size(); ++i) {
    const TraceRow& row = trace_.rows[i];
    settings_.sink->take(row, trace_.details.empty() ? none : trace_.details[i],
                         std::span(trace_.blocks).subspan(row.first_block, row.block_count));
  }
  trace_.rows.clear();
  trace_.blocks.clear();
  trace_.details.clear();
  settings_.sink->end_source(trace_);
}

Trace TraceBuilder::finish() {
  begin_row();  // drops the ids of a last row that was refused
  if (!trace_.details.empty()) trace_.details.resize(trace_.rows.size());
  settle_lengths();
  settle_text_blocks();
  settle_sharing();
  settle_pauses();
  if (settings_.sink != nullptr) {
    hand_over();
    return std::move(trace_);
  }
  sort_rows();
  if (!turns_logged_ && !trace_.sessions.empty()) number_turns();
  start_at_zero();
  if (trace_.has_times) {
    trace_.time_resolution_ms = std::max(trace_.time_resolution_ms, observed_resolution_ms(trace_.rows));
  }
  check_books(trace_);
  return std::move(trace_);
}

void TraceBuilder::start_at_zero() {
  if (trace_.rows.empty() || !trace_.has_times) return;
  const Nanos first = trace_.rows.front().arrival;
  if (!trace_.time_zone.empty()) trace_.started = first;
  for (TraceRow& row : trace_.rows) row.arrival -= first;
}

void TraceBuilder::sort_rows() {
  std::vector<TraceRow>& rows = trace_.rows;
  const auto earlier = [](const TraceRow& a, const TraceRow& b) { return a.arrival < b.arrival; };
  if (std::is_sorted(rows.begin(), rows.end(), earlier)) return;
  // Small keys are sorted, and each row moves once; the index keeps rows of one instant in the log's order.
  std::vector<SortKey> order;
  order.reserve(rows.size());
  for (const TraceRow& row : rows) order.emplace_back(row.arrival, static_cast<std::uint32_t>(order.size()));
  std::sort(order.begin(), order.end());
  reorder(rows, order);
  reorder(trace_.details, order);
  reorder(trace_.texts, order);
}

void TraceBuilder::number_turns() {
  std::vector<std::uint32_t> turns(trace_.sessions.size(), 0);
  for (TraceRow& row : trace_.rows) {
    if (row.session != no_session) row.turn = turns[row.session]++;
  }
}

}  // namespace loadline
