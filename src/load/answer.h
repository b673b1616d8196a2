#pragma once
// One answer, from bytes and their stamps to what the record needs: first and last token, gaps, usage, outcome.
// Pure: no socket, no clock. docs/method.md section 1 decides what counts.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.h"
#include "wire/http_response.h"
#include "wire/json_lines.h"
#include "wire/running_tokens.h"
#include "wire/sse.h"
#include "wire/stream_event.h"

namespace loadline {

/// When bytes came: one instant for a whole read, taken before any of it is parsed.
struct Arrival {
  RunTime at{};
  Stamp stamp = Stamp::user;
};

/// How the bytes of an answer stopped.
enum class AnswerEnd : std::uint8_t { complete, cut, no_first_byte, idle_timeout, total_timeout, cancelled };

/// What was asked for.
struct ExpectedAnswer {
  StreamFormat format = StreamFormat::openai;
  bool streamed = true;    ///< false (and always of embeddings): one JSON body
  bool keep_text = false;  ///< the text is wanted: `AnswerReader::text`
};

/// Reads the answer to one request at a time; keeps its memory from one to the next. HTTP/1.1 comes as bytes
/// (`on_bytes`, `on_end_of_input`); any other framing tells what it found (`on_head`, `on_body`, `on_body_end`).
/// `reader` is shared by all answers of a thread.
///
/// An answer in one piece has no first token and no gaps: its last byte is when the last token came, and that is all
/// that is known.
class AnswerReader {
 public:
  void begin(const ExpectedAnswer& expected);

  /// Bytes of an HTTP/1.1 response. True when the answer is over: call `conclude(complete)`.
  bool on_bytes(std::string_view bytes, Arrival arrival, StreamEventReader& reader, RequestRecord& record);
  /// The peer closed in good order. True when this completes the answer; else it is cut.
  bool on_end_of_input(StreamEventReader& reader, RequestRecord& record);

  /// The head, not an interim one.
  void on_head(const ResponseHead& head, Arrival arrival, RequestRecord& record);
  /// A piece of the body. Pieces of one read have one instant. True when nothing after it can matter.
  bool on_body(std::string_view piece, Arrival arrival, StreamEventReader& reader, RequestRecord& record);
  /// The body is complete by its framing.
  void on_body_end(StreamEventReader& reader, RequestRecord& record);
  /// The bytes are no answer; `problem` says why.
  void on_framing_failed(std::string_view problem);

  /// Whether the end is decided and only the framing's end is missing ([DONE] or an error came): wait for it
  /// shortly, for the sake of the connection.
  bool settled() const { return done_ || is_error_; }
  bool any_byte() const { return started_; }
  /// Whether the HTTP/1.1 connection may be used again, after `complete`.
  bool reusable() const { return http_.reusable() && !left_over_; }
  /// The text of all channels in order of arrival; empty where ExpectedAnswer::keep_text did not ask for it.
  std::string_view text() const { return text_ ? std::string_view(*text_) : std::string_view(); }

  /// Writes outcome, message, retry_after, usage and coalesced to the record. `why`: the system's word on a cut.
  ///
  /// Coalesced: more than half of the gaps, be they one or many, lie between output events of one read. Such a gap is 0
  /// and no token's time, so the answer has no gaps and no TPOT. It says that events came together, not who kept them
  /// together: the server, the way, or this client, when it read so late that several had piled up. The last shows in
  /// records.client.read_lateness of the same level; only where that is small is it about the server.
  void conclude(AnswerEnd end, std::string_view why, StreamEventReader& reader, RequestRecord& record);
  /// Gaps between consecutive output events in units of nanos_per_gap_unit; their sum is t_last - t_first to the unit.
  const std::vector<std::uint32_t>& gaps() const { return gaps_; }

 private:
  Arrival note(Arrival arrival, RequestRecord& record);
  void take_body(std::string_view piece, StreamEventReader& reader, RequestRecord& record);
  void take_event(const SseEvent& event, StreamEventReader& reader, RequestRecord& record);
  void take_message(std::string_view type, std::string_view data, StreamEventReader& reader, RequestRecord& record);
  void take_last_message(StreamEventReader& reader, RequestRecord& record);
  void take_whole(StreamEventReader& reader, RequestRecord& record);
  void on_output(const StreamEvent& event, const RunningTokens::Step& step, RequestRecord& record);
  void on_malformed(std::string_view type, std::string_view data);
  void on_stray(std::string_view line, StreamEventReader& reader);
  void on_error(std::string_view words);
  bool is_over() const;
  bool is_good_status() const { return status_ >= 200 && status_ < 300; }
  bool is_stream() const;
  bool is_mid_event() const { return sse_.mid_event() || (lines_ && lines_->mid_line()); }
  void count_tokens(RequestRecord& record) const;
  Outcome judge(AnswerEnd end, std::string_view why, StreamEventReader& reader, const RequestRecord& record);
  Outcome judge_status(StreamEventReader& reader);
  Outcome judge_unfinished(AnswerEnd end, std::string_view why, StreamEventReader& reader);

  // What every token touches comes first.
  ExpectedAnswer expected_;
  bool started_ = false, ended_ = false, any_message_ = false;
  bool done_ = false, finished_ = false, is_error_ = false;
  bool malformed_ = false, framing_failed_ = false, cut_inside_ = false, left_over_ = false;
  std::uint16_t status_ = 0;
  std::uint32_t told_events_ = 0;    ///< output events that told how many tokens they carry
  std::uint32_t single_events_ = 0;  ///< those that told that it is one
  std::uint32_t shared_reads_ = 0;   ///< output events that came in one read with the one before
  std::uint64_t tokens_told_ = 0;    ///< sum over output events
  std::int64_t last_unit_ = 0;       ///< last output event, in gap units after the first
  Arrival last_read_;                ///< of the last bytes of the answer
  Arrival last_body_;                ///< of the last bytes of the body
  std::vector<std::uint32_t> gaps_;
  SseParser sse_;
  RunningTokens running_;
  HttpResponse http_;
  std::unique_ptr<JsonLines> lines_;  ///< where the format is lines
  std::string content_type_;
  std::optional<std::uint64_t> retry_after_s_;
  std::string body_;  ///< whole, where it is one piece; else its beginning, until a stream has told anything
  std::string message_;
  std::unique_ptr<std::string> text_;  ///< where it is wanted
  Usage usage_;
};

}  // namespace loadline
