// nghttp2 turns bytes into calls, and is asked to stop after each piece of body, so that `feed` can hand it on as a
// view. The windows are so large that a stream of tokens never waits for one: nghttp2 renews a window when half of it
// is used.
#include "wire/http2_exchange.h"

#include <fmt/format.h>
#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <vector>

#include "core/error.h"
#include "wire/http_words.h"
#include "wire/stream_event.h"

namespace loadline {
namespace {

constexpr std::int32_t window_bytes = 16 * 1024 * 1024;
constexpr std::size_t most_kept_room = 4096;
constexpr std::array<std::string_view, 7> of_the_connection = {
    "connection", "host", "keep-alive", "proxy-connection", "te", "upgrade", "transfer-encoding"};

std::string_view text_of(const std::uint8_t* bytes, std::size_t length) {
  return {reinterpret_cast<const char*>(bytes), length};
}

nghttp2_nv field(std::string_view name, std::string_view value) {
  return {reinterpret_cast<std::uint8_t*>(const_cast<char*>(name.data())),
          reinterpret_cast<std::uint8_t*>(const_cast<char*>(value.data())), name.size(), value.size(),
          NGHTTP2_NV_FLAG_NONE};
}

using SessionPointer = std::unique_ptr<nghttp2_session, void (*)(nghttp2_session*)>;
using CallbacksPointer = std::unique_ptr<nghttp2_session_callbacks, void (*)(nghttp2_session_callbacks*)>;

}  // namespace

struct Http2Exchange::State {
  SessionPointer session{nullptr, &nghttp2_session_del};
  std::int32_t stream = -1;   ///< of the last request
  bool stream_closed = true;  ///< on both sides
  bool started = false, head_complete = false, complete = false, failed = false;
  bool leaving = false;  ///< one side has said that it will end the connection
  ResponseHead head;
  std::size_t head_bytes = 0;
  std::string_view piece;  ///< of body, just found
  std::string_view unsent_body;
  std::string output;
  std::string problem;
  std::string farewell;   ///< the server's words with its GOAWAY
  std::string complaint;  ///< nghttp2's own words about what came

  void fail(std::string words) {
    if (failed || complete) return;
    failed = true;
    problem = std::move(words);
  }

  void pump() {
    const std::uint8_t* bytes = nullptr;
    while (true) {
      const ssize_t length = nghttp2_session_mem_send(session.get(), &bytes);
      check(length >= 0, "nghttp2 makes frames of what it was given");
      if (length == 0) return;
      output.append(text_of(bytes, static_cast<std::size_t>(length)));
    }
  }

  void take(std::string_view& bytes) {
    const auto* start = reinterpret_cast<const std::uint8_t*>(bytes.data());
    const ssize_t taken = nghttp2_session_mem_recv(session.get(), start, bytes.size());
    if (taken < 0) return fail(fmt::format("the answer is not HTTP/2: {}", nghttp2_strerror(static_cast<int>(taken))));
    bytes.remove_prefix(static_cast<std::size_t>(taken));
    pump();  // so that a farewell of ours is known at once
  }

  void on_field(std::string_view name, std::string_view value) {
    head_bytes += name.size() + value.size() + 32;
    if (head_bytes > HttpResponse::head_limit) return fail("the head of the response is over 64 KiB");
    if (name == ":status") std::from_chars(value.data(), value.data() + value.size(), head.status);
    if (name == "content-length") head.content_length = whole_number(value, 10);
    head.keep(name, value);
  }

  void on_headers_end() {
    if (head_complete) return;  // trailers
    if (head.status >= 200) {
      head_complete = true;
    } else {
      head = ResponseHead{};  // interim: the real head follows
    }
  }

  void on_goaway(const nghttp2_goaway& frame) {
    leaving = true;
    const std::string_view debug = text_of(frame.opaque_data, frame.opaque_data_len);
    farewell = nghttp2_http2_strerror(frame.error_code);
    if (!debug.empty()) farewell += ": " + printable(debug, 200);
  }

  void on_frame(const nghttp2_frame& frame) {
    if (frame.hd.type == NGHTTP2_GOAWAY) return on_goaway(frame.goaway);
    if (frame.hd.stream_id != stream) return;
    if (frame.hd.type == NGHTTP2_HEADERS) on_headers_end();
    const bool may_end = frame.hd.type == NGHTTP2_HEADERS || frame.hd.type == NGHTTP2_DATA;
    if (may_end && (frame.hd.flags & NGHTTP2_FLAG_END_STREAM) != 0 && !failed) complete = true;
  }

  void on_stream_close(std::uint32_t error) {
    stream_closed = true;
    if (complete) return;
    std::string words = fmt::format("the server reset the request: {}", nghttp2_http2_strerror(error));
    if (!farewell.empty()) words = fmt::format("the server ended the connection: {}", farewell);
    if (!complaint.empty()) words = fmt::format("the answer is not HTTP/2: {}", complaint);
    fail(std::move(words));
  }

  // nghttp2's callbacks: `self` is this.

  static State& of(void* self) { return *static_cast<State*>(self); }

  static int frame_received(nghttp2_session*, const nghttp2_frame* frame, void* self) {
    of(self).on_frame(*frame);
    return 0;
  }
  static int frame_sent(nghttp2_session*, const nghttp2_frame* frame, void* self) {
    State& state = of(self);
    if (frame->hd.type != NGHTTP2_GOAWAY) return 0;  // nghttp2 says farewell only to what breaks the protocol
    state.leaving = true;
    state.fail(fmt::format("the answer is not HTTP/2: {}", state.complaint.empty()
                                                               ? nghttp2_http2_strerror(frame->goaway.error_code)
                                                               : state.complaint.c_str()));
    return 0;
  }
  static int headers_begin(nghttp2_session*, const nghttp2_frame* frame, void* self) {
    if (frame->hd.stream_id == of(self).stream) of(self).started = true;
    return 0;
  }
  static int header_received(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                             std::size_t name_length, const std::uint8_t* value, std::size_t value_length, std::uint8_t,
                             void* self) {
    State& state = of(self);
    if (frame->hd.stream_id != state.stream || state.head_complete) return 0;
    state.on_field(text_of(name, name_length), text_of(value, value_length));
    return state.failed ? NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE : 0;
  }
  static int data_received(nghttp2_session*, std::uint8_t, std::int32_t stream, const std::uint8_t* bytes,
                           std::size_t length, void* self) {
    State& state = of(self);
    if (stream != state.stream || state.failed || length == 0) return 0;
    state.piece = text_of(bytes, length);
    return NGHTTP2_ERR_PAUSE;
  }
  static int stream_closed_now(nghttp2_session*, std::int32_t stream, std::uint32_t error, void* self) {
    if (stream == of(self).stream) of(self).on_stream_close(error);
    return 0;
  }
  static int complained(nghttp2_session*, int, const char* words, std::size_t length, void* self) {
    of(self).complaint = printable({words, length}, 200);
    return 0;
  }
  static ssize_t body_wanted(nghttp2_session*, std::int32_t, std::uint8_t* room, std::size_t size, std::uint32_t* flags,
                             nghttp2_data_source* source, void*) {
    std::string_view& left = static_cast<State*>(source->ptr)->unsent_body;
    const std::size_t taken = std::min(size, left.size());
    std::memcpy(room, left.data(), taken);
    left.remove_prefix(taken);
    if (left.empty()) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return static_cast<ssize_t>(taken);
  }

  static CallbacksPointer callbacks() {
    nghttp2_session_callbacks* made = nullptr;
    check(nghttp2_session_callbacks_new(&made) == 0, "nghttp2 makes its callbacks");
    nghttp2_session_callbacks_set_on_frame_recv_callback(made, &State::frame_received);
    nghttp2_session_callbacks_set_on_frame_send_callback(made, &State::frame_sent);
    nghttp2_session_callbacks_set_on_begin_headers_callback(made, &State::headers_begin);
    nghttp2_session_callbacks_set_on_header_callback(made, &State::header_received);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(made, &State::data_received);
    nghttp2_session_callbacks_set_on_stream_close_callback(made, &State::stream_closed_now);
    nghttp2_session_callbacks_set_error_callback2(made, &State::complained);
    return {made, &nghttp2_session_callbacks_del};
  }
};

Http2Exchange::Http2Exchange() : state_(std::make_unique<State>()) {
  nghttp2_session* session = nullptr;
  check(nghttp2_session_client_new(&session, State::callbacks().get(), state_.get()) == 0, "nghttp2 makes a session");
  state_->session.reset(session);
  const std::array<nghttp2_settings_entry, 2> settings = {
      {{NGHTTP2_SETTINGS_ENABLE_PUSH, 0}, {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, window_bytes}}};
  nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings.data(), settings.size());
  nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, 0, window_bytes);
}

Http2Exchange::~Http2Exchange() = default;
Http2Exchange::Http2Exchange(Http2Exchange&&) noexcept = default;
Http2Exchange& Http2Exchange::operator=(Http2Exchange&&) noexcept = default;

void Http2Exchange::submit(const Http2Request& request) {
  check(reusable(), "an HTTP/2 exchange carries one request at a time");
  State& state = *state_;
  state.started = state.head_complete = state.complete = state.stream_closed = false;
  state.head = ResponseHead{};
  state.head_bytes = 0;
  state.complaint.clear();
  const std::string length = request.body ? fmt::format("{}", request.body->size()) : "";
  std::string names;  // lower case
  names.reserve(request.headers.size());
  std::vector<nghttp2_nv> fields = {field(":method", request.method), field(":scheme", request.scheme),
                                    field(":authority", request.authority), field(":path", request.path),
                                    field("user-agent", "loadline/" LOADLINE_VERSION)};
  if (request.body) {
    fields.push_back(field("content-type", "application/json"));
    fields.push_back(field("accept", "text/event-stream, application/json"));
    fields.push_back(field("content-length", length));
  }
  std::string_view lines = request.headers;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find("\r\n"), lines.size());
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 2, lines.size()));
    const std::size_t colon = std::min(line.find(':'), line.size());
    const std::size_t start = names.size();
    names += ascii_lower(line.substr(0, colon));
    const std::string_view name = std::string_view(names).substr(start);
    if (std::ranges::find(of_the_connection, name) != of_the_connection.end()) continue;
    fields.push_back(field(name, without_blanks(line.substr(std::min(colon + 1, line.size())))));
  }
  state.unsent_body = request.body.value_or(std::string_view());
  const nghttp2_data_provider provider{{.ptr = &state}, &State::body_wanted};
  state.stream = nghttp2_submit_request(state.session.get(), nullptr, fields.data(), fields.size(),
                                        request.body ? &provider : nullptr, nullptr);
  if (state.stream < 0) state.fail(fmt::format("no further request: {}", nghttp2_strerror(state.stream)));
}

void Http2Exchange::take_output(std::string& out) {
  state_->pump();
  out += state_->output;
  if (state_->output.capacity() > most_kept_room) std::string().swap(state_->output);
  state_->output.clear();
}

std::string_view Http2Exchange::feed(std::string_view& bytes) {
  State& state = *state_;
  state.piece = {};
  while (!bytes.empty() && state.piece.empty() && !state.failed) {
    state.take(bytes);
    if (bytes.empty() && !state.piece.empty())
      state.take(bytes);  // having stopped, it has not looked at the frame's end
  }
  return state.piece;
}

bool Http2Exchange::head_complete() const { return state_->head_complete; }
bool Http2Exchange::complete() const { return state_->complete; }
bool Http2Exchange::failed() const { return state_->failed; }
const std::string& Http2Exchange::problem() const { return state_->problem; }
bool Http2Exchange::started() const { return state_->started; }
const ResponseHead& Http2Exchange::head() const { return state_->head; }
bool Http2Exchange::reusable() const { return state_->stream_closed && !state_->failed && !state_->leaving; }

bool begins_as_http2(std::string_view bytes) {
  // A frame's head: 24 bits of length (settings of 6 bytes each), type 4, flags 0, stream 0.
  constexpr std::string_view rest("\x04\x00\x00\x00\x00\x00", 6);
  if (bytes.size() < 9 || bytes[0] != 0 || bytes.substr(3, 6) != rest) return false;
  const unsigned length = static_cast<unsigned char>(bytes[1]) * 256u + static_cast<unsigned char>(bytes[2]);
  return length % 6 == 0;
}

}  // namespace loadline
