#pragma once
// Server-sent events from bytes in any fragmentation. Pure. It does not know what an event's data means.
// The grammar is the WHATWG's: lines end in LF, CR or CRLF; comments and unknown fields are not events;
// an event without data is not dispatched; an event without its blank line is discarded, and told.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace loadline {

/// Views are valid until the next call on the parser, and while the bytes that it was given are.
struct SseEvent {
  enum class Kind : std::uint8_t {
    message,  ///< a dispatched event: `type` ("message" unless the stream named one) and `data`
    stray,    ///< a line whose field the grammar does not know, whole, in `data`: ignored by the grammar, but some
              ///< servers write their errors so ("error: {...}", or JSON without framing)
  };
  Kind kind = Kind::message;
  std::string_view type;
  std::string_view data;
};

///   while (const std::optional<SseEvent> event = sse.next(bytes)) use(*event);
class SseParser {
 public:
  /// A new stream; keeps its memory.
  void reset();

  /// Takes bytes off the front of `bytes` until an event is complete; nothing: all were taken, feed more.
  std::optional<SseEvent> next(std::string_view& bytes);

  /// The input is over, whole: what waits for a line end or a blank line is taken as if it had come, event by event
  /// until nothing. By the grammar it is discarded, but servers forget the last newline.
  std::optional<SseEvent> finish();

  /// Bytes of an event (a field or an unfinished line) wait for their end: when the input is over, it was cut there.
  bool mid_event() const { return (pieces_ && !pieces_->carry.empty()) || data_seen_ || !type_.empty(); }
  /// A line or the data of an event went past `line_limit`: the stream cannot be read on, `next` gives nothing.
  bool failed() const { return failed_; }
  std::string_view problem() const;

  static constexpr std::size_t line_limit = 16 * 1024 * 1024;

 private:
  /// What does not lie in one read: most streams never have any.
  struct Pieces {
    std::string carry;  ///< an unfinished line
    std::string line;   ///< a line that was put together from pieces
    std::string data, type;
    std::string dispatched_data, dispatched_type;  ///< what the last event's views point into
  };

  std::optional<std::string_view> take_line(std::string_view& bytes);
  std::optional<SseEvent> on_line(std::string_view line);
  std::optional<SseEvent> dispatch();
  void add_data(std::string_view value);
  void set_type(std::string_view value);
  void keep_views();
  Pieces& pieces();

  std::unique_ptr<Pieces> pieces_;
  std::string_view data_, type_;  ///< of the event so far: in the bytes of this call, or kept in pieces_
  bool data_kept_ = false, type_kept_ = false;
  bool line_kept_ = false;  ///< the line at hand is in pieces_
  bool data_seen_ = false;
  bool after_cr_ = false;   ///< an LF that follows belongs to the last line's end
  bool first_line_ = true;  ///< may begin with a byte order mark
  bool failed_ = false;
};

}  // namespace loadline
