#include "load/answer_shapes_test.h"

namespace loadline::shapes {
namespace {

Shape streamed(const std::string& name, StreamFormat format, const std::string& bytes, Found found) {
  return {name, bytes, std::move(found), {.format = format}};
}
std::string sse_of(const std::vector<std::pair<std::string, std::string>>& events) {
  std::string body;
  for (const auto& [type, json] : events) body += typed(type, json);
  return stream_of(body);
}

void add_responses(std::vector<Shape>& shapes) {
  const std::string usage =
      R"("usage":{"input_tokens":36,"input_tokens_details":{"cached_tokens":32},"output_tokens":5,)"
      R"("output_tokens_details":{"reasoning_tokens":2},"total_tokens":41})";
  const auto delta = [](const std::string& type, const std::string& text) {
    return std::pair("response." + type,
                     R"({"type":"response.)" + type + R"(","item_id":"i","delta":")" + text + "\"}");
  };
  const auto with = [](const std::string& type, const std::string& rest) {
    return std::pair("response." + type, R"({"type":"response.)" + type + "\"," + rest + "}");
  };
  shapes.push_back(streamed(
      "responses: reasoning, text, usage at the end", StreamFormat::responses,
      sse_of(
          {with("created", R"("response":{"id":"r","status":"in_progress","error":null,"usage":null,"output":[]})"),
           with("in_progress", R"("response":{"status":"in_progress"})"),
           with("output_item.added", R"("item":{"type":"reasoning","summary":[]})"), delta("reasoning_text.delta", "h"),
           delta("reasoning_summary_text.delta", "m"), with("reasoning_text.done", R"("text":"h")"),
           with("output_item.added", R"("item":{"type":"message"})"),
           with("content_part.added", R"("part":{"type":"output_text","text":""})"), delta("output_text.delta", ""),
           delta("output_text.delta", "a"), delta("output_text.delta", "b"), with("output_text.done", R"("text":"ab")"),
           with("output_item.done", R"("item":{"type":"message","content":[{"type":"output_text","text":"ab"}]})"),
           with("completed", R"("response":{"status":"completed","error":null,"output":[{"type":"message","content":)"
                             R"([{"type":"output_text","text":"ab"}]}],)" +
                                 usage + "}")}),
      {.events = 4, .prompt = 36, .completion = 5, .reasoning = 2, .cached = 32, .text = "hmab"}));
  shapes.push_back(streamed(
      "responses: a call, the type last and only in the data, without event lines", StreamFormat::responses,
      stream_of(
          data(R"({"item":{"name":"f","arguments":"","type":"function_call"},"type":"response.output_item.added"})") +
          data(R"({"delta":"{}","type":"response.function_call_arguments.delta"})") +
          data(R"({"item":{"name":"f","arguments":"{}"},"type":"response.output_item.done"})") +
          data(R"({"response":{"incomplete_details":{"reason":"max_output_tokens"}},"type":"response.incomplete"})")),
      {.events = 2, .text = "f{}", .has_answer = false}));
  shapes.push_back(streamed("responses: the type only in the event line", StreamFormat::responses,
                            sse_of({{"response.refusal.delta", R"({"delta":"no"})"}, {"response.completed", "{}"}}),
                            {.events = 1, .text = "no"}));
  shapes.push_back(streamed(
      "responses: failed", StreamFormat::responses,
      sse_of(
          {delta("output_text.delta", "a"),
           with("failed", R"("response":{"status":"failed","error":{"code":"server_error","message":"no memory"}})")}),
      {.outcome = Outcome::stream_error, .events = 1, .text = "a", .words = "no memory"}));
  shapes.push_back(streamed("responses: an error event", StreamFormat::responses,
                            sse_of({{"error", R"({"type":"error","code":"x","message":"too busy","param":null})"}}),
                            {.outcome = Outcome::stream_error, .words = "too busy"}));
  shapes.push_back(streamed("responses: an event that is no JSON", StreamFormat::responses,
                            sse_of({delta("output_text.delta", "a"), {"response.output_text.delta", "{\"delta"}}),
                            {.outcome = Outcome::protocol_error, .events = 1, .text = "a", .words = "not JSON"}));
  shapes.push_back(streamed("responses: cut before its end", StreamFormat::responses,
                            sse_of({delta("output_text.delta", "a")}),
                            {.outcome = Outcome::no_finish, .events = 1, .text = "a", .words = "without"}));
}

void add_anthropic(std::vector<Shape>& shapes) {
  const std::string start =
      R"({"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],)"
      R"("stop_reason":null,"usage":{"input_tokens":10,"cache_read_input_tokens":20,)"
      R"("cache_creation_input_tokens":5,"output_tokens":1}}})";
  const auto block = [](const std::string& content) {
    return std::pair("content_block_start",
                     R"({"type":"content_block_start","index":0,"content_block":)" + content + "}");
  };
  const auto delta = [](const std::string& content) {
    return std::pair("content_block_delta", R"({"type":"content_block_delta","index":0,"delta":)" + content + "}");
  };
  const auto end = [](const std::string& reason, int tokens) {
    return std::pair("message_delta", R"({"type":"message_delta","delta":{"stop_reason":")" + reason +
                                          R"(","stop_sequence":null},"usage":{"output_tokens":)" +
                                          std::to_string(tokens) + "}}");
  };
  const std::pair<std::string, std::string> ping("ping", R"({"type":"ping"})");
  const std::pair<std::string, std::string> block_stop("content_block_stop",
                                                       R"({"type":"content_block_stop","index":0})");
  const std::pair<std::string, std::string> message_stop("message_stop", R"({"type":"message_stop"})");
  shapes.push_back(streamed("anthropic: thinking, text, cached prompt", StreamFormat::anthropic,
                            sse_of({{"message_start", start},
                                    block(R"({"type":"thinking","thinking":"","signature":""})"),
                                    ping,
                                    delta(R"({"type":"thinking_delta","thinking":"h"})"),
                                    delta(R"({"type":"signature_delta","signature":"EqQB"})"),
                                    block_stop,
                                    block(R"({"type":"text","text":""})"),
                                    delta(R"({"type":"text_delta","text":"a"})"),
                                    delta(R"({"type":"text_delta","text":"b"})"),
                                    block_stop,
                                    end("end_turn", 4),
                                    message_stop}),
                            {.events = 3, .prompt = 35, .completion = 4, .cached = 20, .text = "hab"}));
  shapes.push_back(streamed(
      "anthropic: a tool alone, usage that grows", StreamFormat::anthropic,
      sse_of({{"message_start", R"({"type":"message_start","message":{"usage":{"input_tokens":9,"output_tokens":0}}})"},
              block(R"({"type":"tool_use","id":"t","name":"f","input":{}})"),
              delta(R"({"type":"input_json_delta","partial_json":""})"),
              delta(R"({"type":"input_json_delta","partial_json":"{}"})"),
              block_stop,
              end("tool_use", 7),
              message_stop}),
      {.events = 2, .prompt = 9, .completion = 7, .text = "f{}", .has_answer = false}));
  shapes.push_back(streamed(
      "anthropic: an error event", StreamFormat::anthropic,
      sse_of({{"message_start", start},
              delta(R"({"type":"text_delta","text":"a"})"),
              {"error", R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})"}}),
      {.outcome = Outcome::stream_error, .events = 1, .prompt = 35, .cached = 20, .text = "a", .words = "Overloaded"}));
  shapes.push_back(streamed(
      "anthropic: cut before its end: what message_start counts is no output", StreamFormat::anthropic,
      sse_of({{"message_start", start}, delta(R"({"type":"text_delta","text":"a"})")}),
      {.outcome = Outcome::no_finish, .events = 1, .prompt = 35, .cached = 20, .text = "a", .words = "without"}));
}

void add_engines(std::vector<Shape>& shapes) {
  const auto token = [](int id, const std::string& text, const std::string& special, const std::string& rest) {
    return "data:" + (R"({"index":1,"token":{"id":)" + std::to_string(id) + R"(,"text":")" + text +
                      R"(","logprob":-0.5,"special":)" + special + "}," + rest + "}\n\n");
  };
  const std::string more = R"("generated_text":null,"details":null)";
  shapes.push_back(streamed(
      "tgi: each event a token, also the special one", StreamFormat::tgi,
      stream_of(
          token(5, "a", "false", more) + ":keep-alive\n\n" + token(6, "", "false", more) +
          token(
              2, "</s>", "true",
              R"("generated_text":"a","details":{"finish_reason":"eos_token","generated_tokens":3,"input_length":8})")),
      {.events = 3, .prompt = 8, .completion = 3, .first_event_tokens = 1, .single_token_events = 3, .text = "a"}));
  shapes.push_back(streamed(
      "tgi: without details the events are the count", StreamFormat::tgi,
      stream_of(token(5, "a", "false", more) + token(6, "b", "false", R"("generated_text":"ab","details":null)")),
      {.events = 2, .completion = 2, .first_event_tokens = 1, .single_token_events = 2, .text = "ab"}));
  shapes.push_back(streamed(
      "tgi: an error event", StreamFormat::tgi,
      stream_of(token(5, "a", "false", more) + "data:{\"error\":\"out of memory\",\"error_type\":\"generation\"}\n\n"),
      {.outcome = Outcome::stream_error,
       .events = 1,
       .completion = 1,
       .first_event_tokens = 1,
       .single_token_events = 1,
       .text = "a",
       .words = "out of memory"}));

  const auto so_far = [](const std::string& text, const std::string& ids, int tokens, const std::string& reason) {
    return data(R"({"text":")" + text + R"(","output_ids":)" + ids + R"(,"meta_info":{"id":"x","finish_reason":)" +
                reason + R"(,"prompt_tokens":6,"completion_tokens":)" + std::to_string(tokens) +
                R"(,"cached_tokens":4}})");
  };
  const std::string length = R"({"type":"length","length":4})";
  shapes.push_back(
      streamed("sglang: the whole text so far", StreamFormat::sglang,
               stream_of(so_far("a", "[1]", 1, "null") + so_far("abc", "[1,2,3]", 3, "null") +
                         so_far("abcd", "[1,2,3,4]", 4, length) + so_far("abcd", "[1,2,3,4]", 4, length) + done),
               {.events = 3,
                .prompt = 6,
                .completion = 4,
                .cached = 4,
                .first_event_tokens = 1,
                .single_token_events = 2,
                .text = "abcd"}));
  shapes.push_back(streamed("sglang: the text of each event alone", StreamFormat::sglang,
                            stream_of(so_far("a", "[1]", 1, "null") + so_far("ab", "[2,3]", 3, "null") +
                                      so_far("c", "[4]", 4, length) + done),
                            {.events = 3,
                             .prompt = 6,
                             .completion = 4,
                             .cached = 4,
                             .first_event_tokens = 1,
                             .single_token_events = 2,
                             .text = "aabc"}));
  shapes.push_back(streamed("sglang: all at once", StreamFormat::sglang,
                            stream_of(so_far("ab", "[1,2]", 2, length) + done),
                            {.events = 1,
                             .prompt = 6,
                             .completion = 2,
                             .cached = 4,
                             .first_event_tokens = 2,
                             .single_token_events = 0,
                             .text = "ab"}));
  shapes.push_back(streamed(
      "sglang: aborted", StreamFormat::sglang,
      stream_of(so_far("a", "[1]", 1, R"({"type":"abort","message":"The request queue is full.","status_code":503})") +
                done),
      {.outcome = Outcome::stream_error,
       .events = 1,
       .prompt = 6,
       .completion = 1,
       .cached = 4,
       .first_event_tokens = 1,
       .single_token_events = 1,
       .text = "a",
       .words = "queue is full"}));

  const auto piece = [](const std::string& text, const std::string& ids, int tokens) {
    return data(R"({"index":0,"content":")" + text + R"(","tokens":)" + ids +
                R"(,"stop":false,"id_slot":-1,"tokens_predicted":)" + std::to_string(tokens) +
                R"(,"tokens_evaluated":9})");
  };
  const std::string last = data(
      R"({"index":0,"content":"","tokens":[],"stop":true,"tokens_predicted":4,"tokens_evaluated":9,)"
      R"("generation_settings":{"stop":[],"n_predict":4},"truncated":false,"stop_type":"limit","tokens_cached":12,)"
      R"("timings":{"cache_n":8,"prompt_n":1,"predicted_n":4}})");
  shapes.push_back(streamed(
      "llamacpp: a running count, two tokens in one event", StreamFormat::llamacpp,
      in_chunks(piece("a", "[1]", 1) + piece("\xC3\xA9", "[3]", 3) + ":\n\n" + piece("c", "[4]", 4) + last, 90),
      {.events = 3,
       .prompt = 9,
       .completion = 4,
       .cached = 8,
       .first_event_tokens = 1,
       .single_token_events = 2,
       .text = "a\xC3\xA9"
               "c"}));
  shapes.push_back(streamed(
      "llamacpp: progress of the prompt is no output", StreamFormat::llamacpp,
      stream_of(data(R"({"content":"","tokens":[],"stop":false,"tokens_predicted":0,)"
                     R"("tokens_evaluated":9,"prompt_progress":{"total":9,"processed":4}})") +
                piece("a", "[1]", 1) + piece("b", "[2]", 2) + piece("c", "[3]", 3) + piece("d", "[4]", 4) + last),
      {.events = 4,
       .prompt = 9,
       .completion = 4,
       .cached = 8,
       .first_event_tokens = 1,
       .single_token_events = 4,
       .text = "abcd"}));
  shapes.push_back(streamed("llamacpp: an error field", StreamFormat::llamacpp,
                            stream_of(piece("a", "[1]", 1) + "error: {\"code\":500,\"message\":\"slot lost\"}\n\n"),
                            {.outcome = Outcome::stream_error,
                             .events = 1,
                             .prompt = 9,
                             .completion = 1,
                             .first_event_tokens = 1,
                             .single_token_events = 1,
                             .text = "a",
                             .words = "slot lost"}));
}

void add_ollama(std::vector<Shape>& shapes) {
  const auto lines_of = [](const std::string& body) {
    return head("application/x-ndjson", "Transfer-Encoding: chunked\r\n") +
           in_chunks(body, 61).substr(in_chunks(body, 61).find("\r\n\r\n") + 4);
  };
  const auto line = [](const std::string& message, const std::string& rest) {
    return R"({"model":"m","created_at":"2026-01-01T00:00:00Z","message":)" + message + rest + "}\n";
  };
  const std::string going = R"(,"done":false)";
  const std::string end =
      R"(,"done_reason":"stop","done":true,"total_duration":9,"prompt_eval_count":26,"eval_count":3,"eval_duration":5)";
  shapes.push_back(streamed("ollama: chat, with thinking", StreamFormat::ollama,
                            lines_of(line(R"({"role":"assistant","content":""})", going) +
                                     line(R"({"role":"assistant","content":"","thinking":"h"})", going) +
                                     line(R"({"role":"assistant","content":"a"})", going) + "\r\n" +
                                     line(R"({"role":"assistant","content":"b"})", going) +
                                     line(R"({"role":"assistant","content":""})", end)),
                            {.events = 3, .prompt = 26, .completion = 3, .text = "hab"}));
  shapes.push_back(streamed(
      "ollama: a tool alone", StreamFormat::ollama,
      lines_of(line(R"({"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]})",
                    going) +
               line(R"({"role":"assistant","content":""})", end)),
      {.events = 1, .prompt = 26, .completion = 3, .text = "f", .has_answer = false}));
  shapes.push_back(streamed("ollama: generate, the last line without its newline, under the wrong type",
                            StreamFormat::ollama,
                            with_length("application/json",
                                        "{\"response\":\"a\",\"done\":false}\n{\"response\":\"b\","
                                        "\"done\":true,\"eval_count\":2}"),
                            {.events = 2, .completion = 2, .text = "ab"}));
  shapes.push_back(
      streamed("ollama: an error line", StreamFormat::ollama,
               lines_of("{\"response\":\"a\",\"done\":false}\n{\"error\":\"model runner has stopped\"}\n"),
               {.outcome = Outcome::stream_error, .events = 1, .text = "a", .words = "runner has stopped"}));
  shapes.push_back(streamed("ollama: a line that is no JSON", StreamFormat::ollama, lines_of("data: {}\n"),
                            {.outcome = Outcome::protocol_error, .words = "not JSON"}));
  shapes.push_back(streamed("ollama: ended inside a line", StreamFormat::ollama,
                            lines_of("{\"response\":\"a\",\"done\":false}\n{\"respon"),
                            {.outcome = Outcome::no_finish, .events = 1, .text = "a", .words = "inside an event"}));
}

}  // namespace

std::vector<Shape> native_shapes() {
  std::vector<Shape> shapes;
  add_responses(shapes);
  add_anthropic(shapes);
  add_engines(shapes);
  add_ollama(shapes);
  return shapes;
}

std::vector<Shape> whole_shapes() {
  const std::string json = "application/json";
  const auto whole = [](const std::string& name, StreamFormat format, const std::string& bytes, Found found) {
    return Shape{name, bytes, std::move(found), {.format = format, .streamed = false}};
  };
  const std::string chat =
      R"({"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"ab",)"
      R"("reasoning_content":"h","tool_calls":[]},"finish_reason":"stop"}],)"
      R"("usage":{"prompt_tokens":7,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":4}}})";
  const std::string text = R"({"choices":[{"text":"ab","finish_reason":"length"}],"usage":{"completion_tokens":2}})";
  return {
      whole("whole: chat", StreamFormat::openai, with_length(json, chat),
            {.events = 1, .prompt = 7, .completion = 3, .cached = 4, .text = "abh"}),
      whole("whole: completions, until the connection closes", StreamFormat::openai, head(json) + text,
            {.events = 1, .completion = 2, .text = "ab"}),
      whole("whole: no output", StreamFormat::openai,
            with_length(json, R"({"choices":[{"message":{"content":""},"finish_reason":"stop"}]})"),
            {.outcome = Outcome::empty, .words = "without one output token"}),
      whole("whole: an error", StreamFormat::openai, with_length(json, R"({"error":{"message":"gone"}})"),
            {.outcome = Outcome::stream_error, .words = "gone"}),
      whole("whole: cut", StreamFormat::openai, with_length(json, text + "   ").substr(0, 120),
            {.outcome = Outcome::connection_cut, .words = "closed the connection"}),
      whole("whole: a stream instead", StreamFormat::openai, stream_of(data(text) + done),
            {.outcome = Outcome::protocol_error, .words = "text/event-stream"}),
      whole("whole: an empty body", StreamFormat::openai, with_length(json, ""),
            {.outcome = Outcome::protocol_error, .words = "not JSON"}),
      whole("whole: 503", StreamFormat::openai, "HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nfull",
            {.outcome = Outcome::rejected, .words = "full"}),
      whole("whole: responses", StreamFormat::responses,
            with_length(json, R"({"object":"response","status":"completed","error":null,"output":[{"type":"reasoning",)"
                              R"("summary":[{"type":"summary_text","text":"h"}]},{"type":"message","content":[{"type":)"
                              R"("output_text","text":"ab"}]},{"type":"function_call","name":"f","arguments":"{}"}],)"
                              R"("usage":{"input_tokens":5,"output_tokens":6}})"),
            {.events = 1, .prompt = 5, .completion = 6, .text = "habf{}"}),
      whole("whole: responses that failed", StreamFormat::responses,
            with_length(json, R"({"object":"response","status":"failed","error":{"message":"no memory"},"output":[]})"),
            {.outcome = Outcome::stream_error, .words = "no memory"}),
      whole("whole: anthropic", StreamFormat::anthropic,
            with_length(json,
                        R"({"type":"message","content":[{"type":"thinking","thinking":"h","signature":"s"},{"type":)"
                        R"("text","text":"ab"},{"type":"tool_use","name":"f","input":{}}],"stop_reason":"tool_use",)"
                        R"("usage":{"input_tokens":5,"cache_read_input_tokens":4,"output_tokens":6}})"),
            {.events = 1, .prompt = 9, .completion = 6, .cached = 4, .text = "habf"}),
      whole("whole: tgi", StreamFormat::tgi,
            with_length(json, R"({"generated_text":"ab","details":{"finish_reason":"length","generated_tokens":2,)"
                              R"("prefill":[{"id":1},{"id":2},{"id":3}],"tokens":[{"id":5,"text":"a"}]}})"),
            {.events = 1, .prompt = 3, .completion = 2, .text = "ab"}),
      whole("whole: sglang", StreamFormat::sglang,
            with_length(json, R"({"text":"ab","output_ids":[1,2],"meta_info":{"finish_reason":{"type":"length"},)"
                              R"("prompt_tokens":6,"completion_tokens":2,"cached_tokens":0}})"),
            {.events = 1, .prompt = 6, .completion = 2, .cached = 0, .text = "ab"}),
      whole("whole: llamacpp", StreamFormat::llamacpp,
            with_length(json, R"({"content":"ab","tokens":[],"stop":true,"tokens_predicted":2,"tokens_evaluated":9,)"
                              R"("timings":{"cache_n":0,"prompt_n":9}})"),
            {.events = 1, .prompt = 9, .completion = 2, .cached = 0, .text = "ab"}),
      whole("whole: ollama", StreamFormat::ollama,
            with_length(
                json,
                R"({"message":{"role":"assistant","content":"ab"},"done":true,"prompt_eval_count":6,"eval_count":2})"),
            {.events = 1, .prompt = 6, .completion = 2, .text = "ab"}),
      whole("embeddings", StreamFormat::embeddings,
            with_length(json, R"({"object":"list","data":[{"object":"embedding","index":0,"embedding":[0.1,-0.2]}],)"
                              R"("usage":{"prompt_tokens":8,"total_tokens":8,"completion_tokens":0}})"),
            {.events = 1, .prompt = 8}),
      whole("embeddings in base64", StreamFormat::embeddings,
            with_length(json, R"({"data":[{"embedding":"AACAPw=="}],"usage":{"prompt_tokens":8}})"),
            {.events = 1, .prompt = 8}),
      whole("embeddings as arrays", StreamFormat::embeddings, with_length(json, "[[0.5,0.25],[1,2]]"), {.events = 1}),
      whole("embeddings of Ollama", StreamFormat::embeddings,
            with_length(json, R"({"model":"m","embeddings":[[0.5]],"prompt_eval_count":3})"),
            {.events = 1, .prompt = 3}),
      whole("embeddings without a vector", StreamFormat::embeddings,
            with_length(json, R"({"object":"list","data":[]})"),
            {.outcome = Outcome::empty, .words = "without one output token"}),
  };
}

}  // namespace loadline::shapes
