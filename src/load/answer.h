#pragma once
// One answer, from bytes and their stamps to what the record needs: first and last token, gaps, usage, outcome.
// Pure: no socket, no clock. docs/method.md section 1 decides what counts.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.h"
#include "wire/http_response.h"
#include "wire/openai_event.h"
#include "wire/sse.h"

namespace loadline {

/// When bytes came: one instant for a whole read, taken before any of it is parsed.
struct Arrival {
  RunTime at{};
  Stamp stamp = Stamp::user;
};

/// How the bytes of an answer stopped.
enum class AnswerEnd : std::uint8_t { complete, cut, no_first_byte, idle_timeout, total_timeout, cancelled };

/// Reads the answer to one request at a time; keeps its memory from one to the next.
class AnswerReader {
 public:
  /// The next answer. `expected_events`: how many gaps to have room for.
  void begin(std::size_t expected_events);

  /// Bytes of the answer. True when it is over: call `conclude(complete)`.
  /// `reader` is shared by all answers of a thread.
  bool on_bytes(std::string_view bytes, Arrival arrival, OpenAiEventReader& reader, RequestRecord& record);
  /// The peer closed in good order. True when this completes the answer; else it is cut.
  bool on_end_of_input();

  /// Whether the end is decided and only the framing's end is missing ([DONE] or an error came): wait for it
  /// shortly, for the sake of the connection.
  bool settled() const { return done_ || is_error_; }
  bool any_byte() const { return http_.started(); }
  /// Whether the connection may be used again, after `complete`.
  bool reusable() const { return http_.reusable() && !left_over_; }

  /// Writes outcome, message, http status, usage and coalesced to the record. `why`: the system's word on a cut.
  ///
  /// Coalesced: more than half of the gaps, be they one or many, lie between output events of one read. Such a gap is 0
  /// and no token's time, so the answer has no gaps and no TPOT. It says that events came together, not who kept them
  /// together: the server, the way, or this client, when it read so late that several had piled up. The last shows in
  /// records.client.read_lateness of the same level; only where that is small is it about the server.
  void conclude(AnswerEnd end, std::string_view why, OpenAiEventReader& reader, RequestRecord& record);
  /// Gaps between consecutive output events in units of nanos_per_gap_unit; their sum is t_last - t_first to the unit.
  const std::vector<std::uint32_t>& gaps() const { return gaps_; }

 private:
  void on_body(std::string_view body, Arrival arrival, OpenAiEventReader& reader, RequestRecord& record);
  void on_message(const SseEvent& event, Arrival arrival, OpenAiEventReader& reader, RequestRecord& record);
  void on_output(const OpenAiEvent& event, Arrival arrival, RequestRecord& record);
  void on_stray(std::string_view line, OpenAiEventReader& reader);
  void on_error(std::string_view words);
  bool is_over() const;
  bool is_stream() const;
  void count_tokens(RequestRecord& record) const;
  Outcome judge(AnswerEnd end, std::string_view why, OpenAiEventReader& reader, const RequestRecord& record);
  Outcome judge_status(OpenAiEventReader& reader);
  Outcome judge_unfinished(AnswerEnd end, std::string_view why, OpenAiEventReader& reader);

  HttpResponse http_;
  SseParser sse_;
  std::string beginning_;  ///< of the body, while it is not an event stream that has told anything
  std::string message_;
  std::vector<std::uint32_t> gaps_;
  Usage usage_;
  std::uint64_t token_ids_ = 0;  ///< sum over output events
  std::uint32_t events_with_ids_ = 0;
  std::uint32_t shared_reads_ = 0;  ///< output events that came in one read with the one before
  std::int64_t last_unit_ = 0;      ///< last output event, in gap units after the first
  RunTime last_read_{};
  bool read_had_output_ = false;
  bool any_message_ = false;
  bool done_ = false, finished_ = false, is_error_ = false, malformed_ = false, left_over_ = false;
};

}  // namespace loadline
