// A whole answer of any bytes, in every format: the record is sound and the same however the bytes were cut. Read byte
// by byte, with one instant a byte, an answer tells at which byte each of its events is complete; so the instants and
// gaps of any other fragmentation are known beforehand.
#include <string>

#include "fragments.h"
#include "load/answer.h"

namespace {

using namespace loadline;
using fuzz::must;

constexpr std::int64_t byte_ns = 1000;

struct Asked {
  ExpectedAnswer expected;
  bool is_framed = true;  ///< HTTP/1.1; else the bytes are the body of a good head
  AnswerEnd end = AnswerEnd::complete;
};

Asked asked_by(std::uint8_t first, std::uint8_t second) {
  Asked asked;
  asked.expected.format = static_cast<StreamFormat>(first % stream_format_count);
  asked.expected.streamed = (first & 0x10) == 0;
  asked.is_framed = (first & 0x20) == 0;
  asked.expected.keep_text = true;
  asked.end = static_cast<AnswerEnd>(second % 6);
  return asked;
}

struct Answered {
  RequestRecord record;
  std::vector<std::uint32_t> gaps;
  std::string text;
};

/// When the bytes of a piece are there: with its last one.
RunTime arrival_of(std::string_view piece, std::string_view bytes) {
  return run_time((piece.data() + piece.size() - bytes.data()) * byte_ns);
}

Answered read_answer(const Asked& asked, std::string_view bytes, const std::vector<std::string_view>& pieces) {
  static StreamEventReader reader;
  static AnswerReader answer;
  Answered result;
  RequestRecord& record = result.record;
  answer.begin(asked.expected);
  ResponseHead head;
  head.status = 200;
  bool over = false;
  if (!asked.is_framed) answer.on_head(head, {run_time(0), Stamp::user}, record);
  for (const std::string_view piece : pieces) {
    if (over) break;
    const Arrival arrival{arrival_of(piece, bytes), Stamp::kernel};
    over = asked.is_framed ? answer.on_bytes(piece, arrival, reader, record)
                           : answer.on_body(piece, arrival, reader, record);
  }
  AnswerEnd end = over ? AnswerEnd::complete : asked.end;
  if (!over && end == AnswerEnd::complete) {
    if (!asked.is_framed) answer.on_body_end(reader, record);
    if (asked.is_framed && !answer.on_end_of_input(reader, record)) end = AnswerEnd::cut;
  }
  answer.conclude(end, "", reader, record);
  result.gaps = answer.gaps();
  result.text = answer.text();
  return result;
}

void must_be_sound(const Answered& answered) {
  const RequestRecord& r = answered.record;
  std::int64_t sum = 0;
  for (const std::uint32_t gap : answered.gaps) sum += gap;
  must(r.last_token.has_value() == (r.events > 0), "output has a last token");
  must(r.first_token || r.events <= 1, "an answer without a first token came in one piece");
  must(!r.first_token || answered.gaps.size() == r.events - 1, "a gap less than events");
  must(!r.first_token || sum == (*r.last_token - *r.first_token).count() / nanos_per_gap_unit, "gaps add up");
  must(!r.first_answer || (r.first_token && *r.first_answer >= *r.first_token), "the answer is output");
  must(!succeeded(r.outcome) || r.events > 0, "a success has output");
  must(succeeded(r.outcome) == r.message.empty() || r.outcome == Outcome::censored, "a failure has words");
  must(r.message.size() <= 500, "words are few");
  must(r.single_token_events.value_or(0) <= r.events, "single events are events");
  for (const auto& count : {r.prompt_tokens, r.completion_tokens, r.reasoning_tokens, r.cached_tokens}) {
    must(!count || count->value() >= 0, "counts are counts");
  }
}

/// What `by_byte` must be when its bytes come in `pieces`.
Answered in_pieces(const Answered& by_byte, std::string_view bytes, const std::vector<std::string_view>& pieces) {
  std::vector<RunTime> arrivals(bytes.size() + 1);  // by the number of bytes that are needed
  for (const std::string_view piece : pieces) {
    for (std::size_t i = 0; i < piece.size(); ++i) {
      arrivals[static_cast<std::size_t>(piece.data() - bytes.data()) + i + 1] = arrival_of(piece, bytes);
    }
  }
  const auto moved = [&](RunTime at) { return arrivals.at(static_cast<std::size_t>(nanos_since_start(at) / byte_ns)); };
  Answered result = by_byte;
  RequestRecord& r = result.record;
  for (auto* instant : {&r.first_byte, &r.first_token, &r.first_answer, &r.last_token}) {
    if (*instant) *instant = moved(**instant);
  }
  if (!by_byte.record.first_token) return result;
  std::size_t zero = 0;
  RunTime at = *by_byte.record.first_token;
  for (std::uint32_t& gap : result.gaps) {
    const RunTime before = at;
    at += Nanos(std::int64_t{gap} * nanos_per_gap_unit);
    gap = static_cast<std::uint32_t>((moved(at) - moved(before)).count() / nanos_per_gap_unit);
    zero += gap == 0 ? 1 : 0;
  }
  r.coalesced = 2 * zero > result.gaps.size();
  return result;
}

bool same(const Answered& a, const Answered& b) {
  const RequestRecord &x = a.record, &y = b.record;
  return x.first_byte == y.first_byte && x.first_token == y.first_token && x.first_answer == y.first_answer &&
         x.last_token == y.last_token && x.prompt_tokens == y.prompt_tokens &&
         x.completion_tokens == y.completion_tokens && x.reasoning_tokens == y.reasoning_tokens &&
         x.cached_tokens == y.cached_tokens && x.events == y.events && x.first_event_tokens == y.first_event_tokens &&
         x.single_token_events == y.single_token_events && x.coalesced == y.coalesced &&
         x.http_status == y.http_status && x.outcome == y.outcome && x.retry_after == y.retry_after &&
         x.message == y.message && a.gaps == b.gaps && a.text == b.text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::uint8_t first = fuzz::take_byte(bytes), second = fuzz::take_byte(bytes);
  if (bytes.empty()) return 0;
  const Asked asked = asked_by(first, second);
  const Answered by_byte = read_answer(asked, bytes, fuzz::single_bytes_of(bytes));
  must_be_sound(by_byte);
  // Where nobody asks for the text, events that repeat another's shape are not parsed.
  Asked without_text = asked;
  without_text.expected.keep_text = false;
  Answered unparsed = read_answer(without_text, bytes, fuzz::single_bytes_of(bytes));
  must(unparsed.text.empty(), "text that nobody asked for is not kept");
  unparsed.text = by_byte.text;
  must(same(unparsed, by_byte), "the text changes nothing else");
  for (const auto& pieces : {fuzz::fragments_of(bytes, second), std::vector<std::string_view>{bytes}}) {
    const Answered answered = read_answer(asked, bytes, pieces);
    must_be_sound(answered);
    must(same(answered, in_pieces(by_byte, bytes, pieces)), "fragments give the same");
  }
  return 0;
}
