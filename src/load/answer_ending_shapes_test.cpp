#include "load/answer_shapes_test.h"

namespace loadline::shapes {

std::vector<Shape> ending_shapes() {
  const std::string word = data(text_chunk("a"));
  const auto ended = [](Outcome outcome, std::uint32_t events, const std::string& words) {
    return Found{.outcome = outcome, .events = events, .text = events > 0 ? "a" : "", .words = words};
  };
  const std::string chunked = in_chunks(word + word, 1000);
  const std::string full = R"({"error":{"message":"queue full","code":503}})";
  const auto status = [](const std::string& line, const std::string& body, const std::string& more = "") {
    return "HTTP/1.1 " + line + "\r\nContent-Type: application/json\r\n" + more +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  };
  return {
      {"an error as data", stream_of(word + data(full) + done), ended(Outcome::stream_error, 1, "queue full")},
      {"an error as data, a string", stream_of(data(R"({"error":"gone"})") + done),
       ended(Outcome::stream_error, 0, "gone")},
      {"an error object with a type", stream_of(data(R"({"object":"error","message":"lost","code":500})")),
       ended(Outcome::stream_error, 0, "lost")},
      {"event: error", stream_of(word + "event: error\ndata: {\"message\":\"slot lost\"}\n\n"),
       ended(Outcome::stream_error, 1, "slot lost")},
      {"event: error in words", stream_of("event: error\ndata: out of memory\n\n"),
       ended(Outcome::stream_error, 0, "out of memory")},
      {"an error field", stream_of(word + "error: {\"code\":500,\"message\":\"no slot\"}\n\n"),
       ended(Outcome::stream_error, 1, "no slot")},
      {"an error field in words, without its newline", stream_of(word + "error: no more"),
       ended(Outcome::stream_error, 1, "no more")},
      {"an error field without words", stream_of(word + "error:\n\n"),
       ended(Outcome::stream_error, 1, "without words")},
      {"event: error without words", stream_of("event: error\ndata:\n\n"),
       ended(Outcome::stream_error, 0, "without words")},
      {"a bare JSON line", stream_of(word + full + "\n\n"), ended(Outcome::stream_error, 1, "queue full")},
      {"a bare JSON body", stream_of(full), ended(Outcome::stream_error, 0, "queue full")},
      {"200 with a JSON error", with_length("application/json", full), ended(Outcome::stream_error, 0, "queue full")},
      {"200 with an answer in one piece", with_length("application/json", R"({"choices":[{"text":"a"}]})"),
       ended(Outcome::protocol_error, 0, "application/json")},
      {"a web page", with_length("text/html", "<html>log in</html>"), ended(Outcome::protocol_error, 0, "text/html")},
      {"finish reason abort", stream_of(word + data(R"({"choices":[{"text":"","finish_reason":"abort"}]})") + done),
       ended(Outcome::stream_error, 1, "abort")},
      {"no token", stream_of(data(role) + data(stop) + done), ended(Outcome::empty, 0, "without one output token")},
      {"no finish", in_chunks(word, 1000), ended(Outcome::no_finish, 1, "without finish_reason")},
      {"ended inside an event", stream_of(word + "data: {\"choices\":[{\"te"),
       ended(Outcome::no_finish, 1, "inside an event")},
      {"cut inside a chunk", chunked.substr(0, chunked.size() - word.size()),
       ended(Outcome::connection_cut, 1, "closed the connection")},
      {"cut inside the head", "HTTP/1.1 200 OK\r\nContent-Ty",
       ended(Outcome::connection_cut, 0, "closed the connection")},
      {"nothing at all", "", ended(Outcome::connection_cut, 0, "closed the connection")},
      {"data that is no JSON", stream_of(word + data("<oops>") + word + done),
       ended(Outcome::protocol_error, 1, "<oops>")},
      {"not HTTP", "SSH-2.0-OpenSSH_9\r\n", ended(Outcome::protocol_error, 0, "not HTTP")},
      {"a chunk without a size", head("text/event-stream", "Transfer-Encoding: chunked\r\n") + "oops\r\n",
       ended(Outcome::protocol_error, 0, "chunk size")},
      {"two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
       ended(Outcome::protocol_error, 0, "differ")},
      {"400", status("400 Bad Request", R"({"error":{"message":"too long"}})"),
       ended(Outcome::http_4xx, 0, "too long")},
      {"500", status("500 Oops", R"({"detail":"trace"})"), ended(Outcome::http_5xx, 0, "trace")},
      {"429", status("429 Slow Down", R"({"error":"busy"})", "Retry-After: 3\r\n"),
       ended(Outcome::rejected, 0, "busy")},
      {"503 that streams", "HTTP/1.1 503 Busy\r\nContent-Type: text/event-stream\r\n\r\n" + data(full),
       ended(Outcome::rejected, 0, "queue full")},
      {"307", status("307 Moved", ""), ended(Outcome::protocol_error, 0, "final URL")},
      {"204", "HTTP/1.1 204 No Content\r\n\r\n", ended(Outcome::no_finish, 0, "without finish_reason")},
  };
}

}  // namespace loadline::shapes
