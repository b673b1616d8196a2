#include "load/answer_shapes_test.h"

namespace loadline::shapes {

std::vector<Shape> openai_shapes() {
  const std::string counts = R"("prompt_tokens":7,"completion_tokens":2,"total_tokens":9)";
  const std::string two = data(text_chunk("a")) + data(text_chunk("b"));
  const auto running = [](const std::string& text, int tokens) {
    return data(R"({"choices":[{"index":0,"text":")" + text +
                R"(","finish_reason":null}],"usage":{"prompt_tokens":7,)" + R"("completion_tokens":)" +
                std::to_string(tokens) + "}}");
  };
  const auto with_ids = [](const std::string& text, const std::string& ids) {
    return data(R"({"choices":[{"index":0,"text":")" + text + R"(","token_ids":)" + ids +
                R"(,"finish_reason":null}]})");
  };
  const auto one = [](const std::string& delta) { return data(role) + data(delta_chunk(delta)) + data(stop) + done; };
  const auto call = [&](const std::string& function) {
    return data(delta_chunk(R"({"tool_calls":[{"index":0,"function":)" + function + "}]}"));
  };
  return {
      {"usage in a chunk of its own",
       stream_of(data(role) + two + data(stop) + data(usage(counts)) + done),
       {.events = 2, .prompt = 7, .completion = 2, .text = "ab"}},
      {"no usage", stream_of(two + data(stop) + done), {.events = 2, .text = "ab"}},
      {"usage with the finish reason",
       stream_of(two + data(R"({"choices":[{"text":"","finish_reason":"length"}],)"
                            R"("usage":{"prompt_tokens":7,"completion_tokens":2}})")),
       {.events = 2, .prompt = 7, .completion = 2, .text = "ab"}},
      {"usage in the last chunk but one",
       stream_of(two + data(usage(counts)) + data(stop) + done),
       {.events = 2, .prompt = 7, .completion = 2, .text = "ab"}},
      {"usage in every chunk",
       stream_of(running("a", 1) + running("b", 2) + running("c", 3) + data(stop) + done),
       {.events = 3, .prompt = 7, .completion = 3, .first_event_tokens = 1, .single_token_events = 3, .text = "abc"}},
      {"usage in every chunk, several tokens in some",
       stream_of(running("a", 1) + running("bcd", 4) + running("e", 5) + data(stop) + done),
       {.events = 3, .prompt = 7, .completion = 5, .first_event_tokens = 1, .single_token_events = 2, .text = "abcde"}},
      {"a running count without text: half a character",
       stream_of(running("", 0) + running("", 1) + running("x", 2) + running("", 2) + data(stop) + done),
       {.events = 2, .prompt = 7, .completion = 2, .first_event_tokens = 1, .single_token_events = 2, .text = "x"}},
      {"token ids",
       stream_of(with_ids("", "[5]") + with_ids("x", "[6,7]") + with_ids("y", "[8]") + data(stop) + done),
       {.events = 3, .completion = 4, .first_event_tokens = 1, .single_token_events = 2, .text = "xy"}},
      {"two choices",
       stream_of(data(R"({"choices":[{"index":0,"text":"a"}]})") +
                 data(R"({"choices":[{"index":1,"text":)"
                      R"("b"}]})") +
                 data(R"({"choices":[{"index":0,"text":"c"},{"index":1,"text":"d"}]})") +
                 data(usage(R"("prompt_tokens":3,"completion_tokens":4)")) + done),
       {.events = 3, .prompt = 3, .completion = 4, .text = "abcd"}},
      {"null usage, then one",
       stream_of(data(R"({"choices":[{"text":"a"}],"usage":null})") + data(usage(counts)) + done),
       {.events = 1, .prompt = 7, .completion = 2, .text = "a"}},
      {"prompt tokens of 0 beside output are unknown",
       stream_of(two + data(usage(R"("prompt_tokens":0,"completion_tokens":2)")) + done),
       {.events = 2, .completion = 2, .text = "ab"}},
      {"cached and reasoning tokens",
       stream_of(two +
                 data(usage(R"("completion_tokens_details":{"reasoning_tokens":1},"completion_tokens":2,)"
                            R"("prompt_tokens":9,"prompt_tokens_details":{"cached_tokens":8})")) +
                 done),
       {.events = 2, .prompt = 9, .completion = 2, .reasoning = 1, .cached = 8, .text = "ab"}},
      {"role, empty and null are no tokens",
       stream_of(data(role) + data(delta_chunk(R"({"content":""})")) + data(delta_chunk(R"({"content":null})")) +
                 data("null") + data("{}") + data(delta_chunk(R"({"content":"a"})")) + data(stop) + done),
       {.events = 1, .text = "a"}},
      {"reasoning, then the answer",
       stream_of(data(delta_chunk(R"({"reasoning_content":"h"})")) + data(delta_chunk(R"({"reasoning":"m"})")) +
                 data(delta_chunk(R"({"reasoning_details":[{"type":"reasoning.text","text":"?"}]})")) +
                 data(delta_chunk(R"({"content":"a"})")) + data(stop) + done),
       {.events = 4, .text = "hm?a"}},
      {"reasoning under two names is one",
       stream_of(one(R"({"reasoning_content":"h","reasoning":"h"})")),
       {.events = 1, .text = "h", .has_answer = false}},
      {"a refusal", stream_of(one(R"({"refusal":"no"})")), {.events = 1, .text = "no"}},
      {"a tool call alone",
       stream_of(data(role) + call(R"({"name":"f","arguments":""})") + call(R"({"arguments":"{\"a\""})") +
                 call(R"({"arguments":""})") + call(R"({"arguments":":1}"})") + data(stop) + done),
       {.events = 3, .text = R"(f{"a":1})", .has_answer = false}},
      {"the old function call",
       stream_of(one(R"({"function_call":{"name":"g","arguments":"{}"}})")),
       {.events = 1, .text = "g{}", .has_answer = false}},
      {"parts of text",
       stream_of(one(R"({"content":[{"type":"text","text":"p"},{"type":"text","text":"q"}]})")),
       {.events = 1, .text = "pq"}},
      {"escapes and characters of four bytes",
       stream_of(data(text_chunk(R"(\"\u00e9\ud83d\ude00)")) + data(text_chunk("\xF0\x9F\x98\x80")) + data(stop)),
       {.events = 2, .text = "\"\xC3\xA9\xF0\x9F\x98\x80\xF0\x9F\x98\x80"}},
  };
}

std::vector<Shape> sse_shapes() {
  const std::string a = text_chunk("a"), b = text_chunk("b"), end = "[DONE]";
  const Found two{.events = 2, .text = "ab"};
  const auto lines = [&](const std::string& line_end) {
    const std::string& e = line_end;
    return "data: " + a + e + e + "data: " + b + e + e + "data: " + end + e + e;
  };
  const std::string all = lines("\n");
  return {
      {"LF", stream_of(lines("\n")), two},
      {"CR", stream_of(lines("\r")), two},
      {"CRLF", stream_of(lines("\r\n")), two},
      {"no space after the colon", stream_of("data:" + a + "\n\ndata:" + b + "\n\ndata:" + end + "\n\n"), two},
      {"several data lines",
       stream_of("data: {\"choices\":\ndata: [{\"text\":\ndata: \"a\"}]}\n\n" + data(b) + data(end)), two},
      {"comments", stream_of(": hello\n\n:\n\ndata: " + a + "\n: inside\n\n:\n\n:\n\n" + data(b) + data(end)), two},
      {"event, id and retry",
       stream_of("id: 1\nevent: message\ndata: " + a + "\n\nretry: 250\n\nid\ndata: " + b + "\n\nevent: end\n\n" +
                 data(end)),
       two},
      {"pings with words",
       stream_of("event: ping\ndata: 12:00\n\n" + data(a) + "event: ping\ndata: {}\n\n" + data(b) +
                 "event: keep-alive\ndata: still here\n\n" + data(end)),
       two},
      {"a byte order mark", stream_of("\xEF\xBB\xBF" + all), two},
      {"no last blank line", stream_of(data(a) + data(b) + "data: [DONE]\n"), two},
      {"no last newline", stream_of(data(a) + data(b) + "data: [DONE]"), two},
      {"the last token without its newline",
       stream_of(data(a) + R"(data: {"choices":[{"text":"b","finish_reason":"stop"}]})"), two},
      {"a last comment without its newline", stream_of(all + ": bye"), two},
      {"a field that the grammar does not know", stream_of("trace: 7\n" + all), two},
      {"one event a chunk", in_chunks(all, a.size() + 8), two},
      {"one byte a chunk", in_chunks(all, 1), two},
      {"trailers", in_chunks(all, 50, "Server-Timing: total;dur=9\r\nX-Sum: 1\r\n"), two},
      {"by content length", with_length("text/event-stream", all), two},
      {"content length, connection close", with_length("text/event-stream", all, "Connection: close\r\n"), two},
      {"after interim heads",
       "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" +
           with_length("text/event-stream", all),
       two},
      {"HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + all, two},
      {"a head that holds the pattern of a last chunk",
       head("text/event-stream", "Keep-Alive: timeout=5, max=100\r\n") + all, two},
      {"no content type", "HTTP/1.1 200 OK\r\n\r\n" + all, two},
      {"bytes after the answer", with_length("text/event-stream", all) + "HTTP/1.1 408 Timeout\r\n\r\n", two},
  };
}

}  // namespace loadline::shapes
