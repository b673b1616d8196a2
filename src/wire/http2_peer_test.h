#pragma once
// For tests: a server's end of an HTTP/2 connection, nghttp2's own, over bytes. It answers each request, once that is
// whole, as it is told.

#include <nghttp2/nghttp2.h>

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadline {

class Http2Peer {
 public:
  using Fields = std::vector<std::pair<std::string, std::string>>;
  struct Request {
    std::map<std::string, std::string> fields;
    std::string body;
  };
  struct Answer {
    std::vector<std::string> interim{};  ///< statuses before the answer
    Fields fields{{":status", "200"}, {"content-type", "text/event-stream"}};
    std::vector<std::string> pieces{};  ///< of body, a DATA frame each
    Fields trailers{};
    std::uint32_t reset = 0;            ///< an error code after the pieces, instead of an end
    bool ping = false, goaway = false;  ///< before the answer
    std::string goaway_words{};
    bool refuse = false;  ///< GOAWAY that leaves this request out, instead of an answer
  };

  explicit Http2Peer(Answer answer, std::int32_t window = 65'535) : answer_(std::move(answer)) {
    nghttp2_session_callbacks* callbacks = nullptr;
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, &Http2Peer::on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, &Http2Peer::on_data);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, &Http2Peer::on_frame);
    nghttp2_session* session = nullptr;
    nghttp2_option* option = nullptr;
    nghttp2_option_new(&option);
    nghttp2_option_set_max_send_header_block_length(option, 1 << 20);
    nghttp2_session_server_new2(&session, callbacks, this, option);
    nghttp2_option_del(option);
    nghttp2_session_callbacks_del(callbacks);
    session_.reset(session);
    const nghttp2_settings_entry setting{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, static_cast<std::uint32_t>(window)};
    nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, &setting, 1);
  }
  Http2Peer(const Http2Peer&) = delete;
  Http2Peer& operator=(const Http2Peer&) = delete;

  /// False where they are not HTTP/2.
  bool take(std::string_view bytes) {
    return nghttp2_session_mem_recv(session_.get(), reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                    bytes.size()) == static_cast<ssize_t>(bytes.size());
  }
  std::string output() {
    std::string out;
    const std::uint8_t* bytes = nullptr;
    for (ssize_t n = 0; (n = nghttp2_session_mem_send(session_.get(), &bytes)) > 0;) {
      out.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(n));
    }
    return out;
  }

  const std::vector<Request>& requests() const { return requests_; }
  int acknowledged_pings() const { return acknowledged_pings_; }
  int window_updates() const { return window_updates_; }
  void answer_with(Answer answer) { answer_ = std::move(answer); }
  void leave() { nghttp2_session_terminate_session(session_.get(), NGHTTP2_NO_ERROR); }

 private:
  struct Delete {
    void operator()(nghttp2_session* session) const { nghttp2_session_del(session); }
  };

  static Http2Peer& of(void* self) { return *static_cast<Http2Peer*>(self); }
  static int on_header(nghttp2_session*, const nghttp2_frame*, const std::uint8_t* name, std::size_t name_length,
                       const std::uint8_t* value, std::size_t value_length, std::uint8_t, void* self) {
    of(self).request_.fields[std::string(reinterpret_cast<const char*>(name), name_length)] =
        std::string(reinterpret_cast<const char*>(value), value_length);
    return 0;
  }
  static int on_data(nghttp2_session*, std::uint8_t, std::int32_t, const std::uint8_t* bytes, std::size_t length,
                     void* self) {
    of(self).request_.body.append(reinterpret_cast<const char*>(bytes), length);
    return 0;
  }
  static int on_frame(nghttp2_session*, const nghttp2_frame* frame, void* self) {
    Http2Peer& peer = of(self);
    if (frame->hd.type == NGHTTP2_PING && (frame->hd.flags & NGHTTP2_FLAG_ACK) != 0) ++peer.acknowledged_pings_;
    if (frame->hd.type == NGHTTP2_WINDOW_UPDATE) ++peer.window_updates_;
    const bool may_end = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
    if (may_end && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) peer.answer(frame->hd.stream_id);
    return 0;
  }

  static std::vector<nghttp2_nv> pairs(const Fields& fields) {
    std::vector<nghttp2_nv> made;
    for (const auto& [name, value] : fields) {
      made.push_back({reinterpret_cast<std::uint8_t*>(const_cast<char*>(name.data())),
                      reinterpret_cast<std::uint8_t*>(const_cast<char*>(value.data())), name.size(), value.size(), 0});
    }
    return made;
  }

  void answer(std::int32_t stream) {
    requests_.push_back(std::exchange(request_, {}));
    nghttp2_session* session = session_.get();
    if (answer_.refuse) {
      nghttp2_submit_goaway(session, 0, stream - 2 < 0 ? 0 : stream - 2, NGHTTP2_NO_ERROR, nullptr, 0);
      return;
    }
    if (answer_.ping) nghttp2_submit_ping(session, NGHTTP2_FLAG_NONE, nullptr);
    if (answer_.goaway) {
      nghttp2_submit_goaway(session, 0, stream, NGHTTP2_NO_ERROR,
                            reinterpret_cast<const std::uint8_t*>(answer_.goaway_words.data()),
                            answer_.goaway_words.size());
    }
    for (const std::string& status : answer_.interim) {
      const std::vector<nghttp2_nv> interim = pairs({{":status", status}});
      nghttp2_submit_headers(session, NGHTTP2_FLAG_NONE, stream, nullptr, interim.data(), interim.size(), nullptr);
    }
    next_piece_ = 0;
    stream_ = stream;
    const std::vector<nghttp2_nv> fields = pairs(answer_.fields);
    const nghttp2_data_provider provider{{.ptr = this}, &Http2Peer::next_piece};
    nghttp2_submit_response(session, stream, fields.data(), fields.size(), &provider);
  }

  static ssize_t next_piece(nghttp2_session* session, std::int32_t stream, std::uint8_t* room, std::size_t size,
                            std::uint32_t* flags, nghttp2_data_source* source, void*) {
    Http2Peer& peer = of(source->ptr);
    std::size_t copied = 0;
    if (peer.next_piece_ < peer.answer_.pieces.size()) {
      std::string& piece = peer.answer_.pieces[peer.next_piece_];
      copied = std::min(size, piece.size() - peer.of_piece_);
      std::memcpy(room, piece.data() + peer.of_piece_, copied);
      peer.of_piece_ += copied;
      if (peer.of_piece_ == piece.size()) {
        ++peer.next_piece_;
        peer.of_piece_ = 0;
      }
    }
    if (peer.next_piece_ < peer.answer_.pieces.size()) return static_cast<ssize_t>(copied);
    if (peer.answer_.reset != 0) {
      nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, stream, peer.answer_.reset);
      if (copied == 0) return NGHTTP2_ERR_DEFERRED;
      return static_cast<ssize_t>(copied);
    }
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    if (!peer.answer_.trailers.empty()) {
      *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
      const std::vector<nghttp2_nv> trailers = pairs(peer.answer_.trailers);
      nghttp2_submit_trailer(session, stream, trailers.data(), trailers.size());
    }
    return static_cast<ssize_t>(copied);
  }

  std::unique_ptr<nghttp2_session, Delete> session_;
  Answer answer_;
  Request request_;
  std::vector<Request> requests_;
  std::size_t next_piece_ = 0, of_piece_ = 0;
  std::int32_t stream_ = 0;
  int acknowledged_pings_ = 0, window_updates_ = 0;
};

}  // namespace loadline
