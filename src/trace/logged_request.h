#pragma once
// One request as a gateway's record tells it, field by field in any order: gathered, judged, and handed to the builder.

#include <simdjson.h>

#include <array>
#include <bitset>
#include <string>
#include <string_view>

#include "trace/log_fields.h"
#include "trace/stamp_reader.h"
#include "trace/trace_builder.h"

namespace loadline {

class LoggedRequest {
 public:
  explicit LoggedRequest(TraceBuilder& builder) : builder_(builder) {}

  /// Forgets the record before, and begins a row of the builder.
  void begin();
  /// What a field of the record holds: a number or text, as written, without quotes. Empty, "-" and "null" tell
  /// nothing. `rank` is the rule's place in the table. False where it tells nothing.
  bool take(const FieldRule& rule, std::size_t rank, std::string_view text);
  /// An array or object, as JSON, where one is not expected, or a chat's messages.
  void take_nested(const FieldRule& rule, std::size_t rank, std::string_view json);

  /// The record goes into the builder's books: used, refused, or filtered where it is no request by `is_request`.
  void deliver(std::uint64_t line, KindTest* is_request, bool completion_may_lack);

  StampReader& stamps() { return stamps_; }
  const StampReader& stamps() const { return stamps_; }

 private:
  using Fields = std::bitset<log_field_count>;
  static std::size_t at(LogField field) { return static_cast<std::size_t>(field); }
  bool has(LogField field) const { return present_[at(field)]; }
  std::int64_t number(LogField field) const { return numbers_[at(field)]; }
  std::optional<Tokens> tokens(LogField field) const;
  std::optional<std::int64_t> characters(LogField field) const;

  void take_length(LogField field, std::string_view text);
  void take_time(const FieldRule& rule, std::string_view text);
  void take_status(std::string_view text);
  void take_word(LogField field, std::string_view text);
  void take_prompt_text(std::string_view text);
  bool add_messages(std::string_view json);
  bool is_parts_inside() const;
  std::optional<Tokens> sum(LogField whole, LogField part) const;
  std::optional<Nanos> arrival() const;
  std::optional<Nanos> duration() const;
  bool about_no_request(KindTest* is_request) const;
  std::string_view reason() const;
  ReadRow row() const;

  TraceBuilder& builder_;
  StampReader stamps_;
  simdjson::ondemand::parser chat_parser_;
  std::string chat_;  ///< messages, with room behind them
  Fields present_;
  std::array<std::int64_t, log_field_count> numbers_{};  ///< tokens, characters, nanoseconds, a status
  std::array<std::size_t, log_field_count> ranks_{};
  std::string session_, client_, kind_;
  bool failed_ = false, no_model_ = false, malformed_ = false, out_of_range_ = false, bad_time_ = false,
       not_utf8_ = false;
};

}  // namespace loadline
