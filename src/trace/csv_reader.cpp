// The state machine looks at each byte once. The window ends in a newline that is not part of the log, so the
// inner loop needs no check of bounds: who stops at that newline asks the window for more and scans the record
// again from its start. Doubled quotes are folded in place, but only once the record is whole.

#include "trace/csv_reader.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace loadline {
namespace {

/// A quoted field longer than this is a stray quote.
constexpr std::size_t longest_record = std::size_t{1} << 26;

/// The high bit of each byte of `word` that is `byte`; bytes above the first such may be marked in error.
constexpr std::uint64_t marks_of(std::uint64_t word, unsigned char byte) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  const std::uint64_t zero_where_equal = word ^ ones * byte;
  return (zero_where_equal - ones) & ~zero_where_equal & ones << 7;
}

/// The first comma or newline from `at` on, eight bytes at a time: the window may be read so far behind its newline.
const char* end_of_field(const char* at) {
  for (;; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    const std::uint64_t marks = marks_of(word, ',') | marks_of(word, '\n');
    if (marks != 0) return at + std::countr_zero(marks) / 8;
  }
}

}  // namespace

bool CsvReader::next() {
  window_.take(taken_);
  line_ = next_line_;
  for (;;) {
    const Scan result = scan();
    if (result == Scan::whole && (well_formed_ || lines_inside_ == 0)) break;
    if (result != Scan::needs_more || window_.held().size() > longest_record) {
      take_first_line();
      break;
    }
    // Twice as much as before each time, so that a long record is scanned again only a few times.
    window_.head(2 * window_.held().size() + 1);
  }
  if (window_.held().empty()) return false;
  next_line_ += 1 + lines_inside_;
  publish_fields();
  return true;
}

CsvReader::Scan CsvReader::scan() {
  spans_.clear();
  lines_inside_ = 0;
  well_formed_ = true;
  const char* const start = window_.data();
  const char* const limit = start + window_.held().size();
  const auto offset = [&](const char* p) { return static_cast<std::size_t>(p - start); };
  for (const char* at = start;;) {
    Field field;
    field.begin = offset(at);
    if (*at == '"') {
      at = scan_quoted(at + 1, limit, field);
      if (!at) return window_.at_end() ? Scan::never_closed : Scan::needs_more;
      ++field.begin;
    } else {
      at = end_of_field(at);
      field.end = offset(at);
    }
    spans_.push_back(field);
    if (*at == ',') {
      ++at;
      continue;
    }
    if (at == limit && !window_.at_end()) return Scan::needs_more;
    ended_ = at != limit;
    taken_ = offset(at) + (ended_ ? 1 : 0);
    return Scan::whole;
  }
}

/// From behind the opening quote to the comma or newline behind the closing one; null where it is not closed in
/// what is held.
const char* CsvReader::scan_quoted(const char* at, const char* limit, Field& field) {
  for (;; ++at) {
    if (at >= limit) return nullptr;
    if (*at == '\n') ++lines_inside_;
    if (*at != '"') continue;
    if (at + 1 < limit && at[1] == '"') {
      field.doubled_quotes = true;
      ++at;
      continue;
    }
    break;
  }
  field.end = static_cast<std::size_t>(at - window_.data());
  ++at;
  const char* const behind = at;
  at = end_of_field(at);
  const bool only_return = at - behind == 1 && *behind == '\r' && *at == '\n';
  if (at != behind && !only_return) well_formed_ = false;
  return at;
}

void CsvReader::take_first_line() {
  const std::string_view held = window_.held();
  const std::size_t newline = held.find('\n');
  ended_ = newline != std::string_view::npos;
  const std::size_t length = ended_ ? newline : held.size();
  taken_ = length + (ended_ ? 1 : 0);
  spans_.assign(1, Field{0, length, false});
  lines_inside_ = 0;
  well_formed_ = false;
}

void CsvReader::publish_fields() {
  fields_.clear();
  const std::string_view held = window_.held();
  for (const Field& field : spans_) {
    fields_.push_back(field.doubled_quotes ? undouble(field) : held.substr(field.begin, field.end - field.begin));
  }
  // CRLF: only a field that runs up to the line's end can have taken the CR with it.
  std::string_view& last = fields_.back();
  if (last.ends_with('\r') && last.data() + last.size() == held.data() + taken_ - (ended_ ? 1 : 0))
    last.remove_suffix(1);
}

std::string_view CsvReader::undouble(Field field) {
  char* const text = window_.data();
  std::size_t to = field.begin;
  for (std::size_t from = field.begin; from < field.end; ++from) {
    text[to++] = text[from];
    if (text[from] == '"') ++from;
  }
  return {text + field.begin, to - field.begin};
}

bool CsvReader::blank() const {
  return fields_.size() == 1 && fields_.front().find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace loadline
