#include <fmt/format.h>

#include <iterator>

#include "engine/block_hashes.h"
#include "engine/server_loop.h"

namespace loadline {

struct EngineServer::Loop::Route {
  std::string_view method, path;
  void (Loop::*answer)(EngineId);
};

const EngineServer::Loop::Route* EngineServer::Loop::find_route(std::string_view path) {
  static constexpr Route routes[] = {
      {"POST", "/v1/completions", &Loop::on_completions},
      {"POST", "/v1/chat/completions", &Loop::on_chat},
      {"POST", "/tokenize", &Loop::on_tokenize},
      {"POST", "/reset_prefix_cache", &Loop::on_reset_prefix_cache},
      {"GET", "/v1/models", &Loop::on_models},
      {"GET", "/health", &Loop::on_health},
      {"GET", "/version", &Loop::on_version},
      {"GET", "/metrics", &Loop::on_metrics},
      {"GET", "/server_info", &Loop::on_server_info},
  };
  for (const Route& route : routes) {
    if (route.path == path) return &route;
  }
  return nullptr;
}

void EngineServer::Loop::answer_request(EngineId id) {
  HttpConnection& connection = *connections_[id];
  const HttpRequestParser& request = connection.request();
  if (request.failed()) {
    connection.close_after_answer();
    return refuse(id, {request.status(), std::string(request.problem())});
  }
  if (!request.head().keep_alive) connection.close_after_answer();
  const Route* route = find_route(request.head().path);
  if (route == nullptr) return refuse(id, {404, fmt::format("there is nothing at {}", request.head().path)});
  if (route->method != request.head().method) {
    return refuse(id, {405, fmt::format("{} takes {}, not {}", route->path, route->method, request.head().method)});
  }
  (this->*route->answer)(id);
}

void EngineServer::Loop::refuse(EngineId id, const Refusal& refusal) {
  HttpConnection& connection = *connections_[id];
  const bool alive = connection.send(error_answer(refusal, !connection.closing()), poller_);
  connection.finish_request();
  if (!alive) drop(id);
}

void EngineServer::Loop::answer_json(EngineId id, std::string_view body) {
  HttpConnection& connection = *connections_[id];
  const bool alive = connection.send(plain_answer(200, "application/json", body, !connection.closing()), poller_);
  connection.finish_request();
  if (!alive) drop(id);
}

void EngineServer::Loop::complete(EngineId id, bool chat) {
  HttpConnection& connection = *connections_[id];
  if (const auto refusal = reader_.read_completion(connection.request().body(), chat, completion_))
    return refuse(id, *refusal);
  if (const auto refusal = unservable()) return refuse(id, *refusal);
  hashes_.clear();
  if (model_.parameters().prefix_cache) hash_blocks(completion_.tokens, model_.parameters().block_size, hashes_);
  connection.submitted = WallTime::clock::now();
  const auto created =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch());
  connection.answer.emplace(completion_, ++answers_, created.count(), fingerprint_, !connection.closing());
  model_.submit(id, static_cast<std::int64_t>(completion_.tokens.size()), completion_.max_tokens, hashes_);
}

std::optional<Refusal> EngineServer::Loop::unservable() const {
  if (!completion_.model.empty() && completion_.model != engine_model_name) {
    return Refusal{
        404, fmt::format("the model '{}' does not exist; this engine serves {}", completion_.model, engine_model_name)};
  }
  const auto prompt = static_cast<std::int64_t>(completion_.tokens.size());
  // Two comparisons, so that the sum of absurd numbers cannot overflow.
  const std::int64_t most = model_.parameters().max_model_tokens;
  if (completion_.max_tokens <= most && can_serve(model_.parameters(), prompt, completion_.max_tokens))
    return std::nullopt;
  return Refusal{
      400, fmt::format("this model's maximum context length is {} tokens, its memory holds {}; you asked for {} in the "
                       "prompt and {} in the completion",
                       most, model_.parameters().kv_blocks() * model_.parameters().block_size, prompt,
                       completion_.max_tokens)};
}

void EngineServer::Loop::on_tokenize(EngineId id) {
  std::vector<std::uint32_t> tokens;
  if (const auto refusal = reader_.read_tokenize(connections_[id]->request().body(), tokens))
    return refuse(id, *refusal);
  answer_json(id, fmt::format(R"({{"count":{},"max_model_len":{},"tokens":[{}],"token_strs":null}})", tokens.size(),
                              model_.parameters().max_model_tokens, fmt::join(tokens, ",")));
}

void EngineServer::Loop::on_reset_prefix_cache(EngineId id) {
  answer_json(id, fmt::format(R"({{"success":{}}})", step_ == nullptr && model_.reset_prefix_cache()));
}

void EngineServer::Loop::on_models(EngineId id) {
  answer_json(
      id, fmt::format(R"({{"object":"list","data":[{{"id":"{0}","object":"model","created":{1},"owned_by":"loadline",)"
                      R"("root":"{0}","parent":null,"max_model_len":{2}}}]}})",
                      engine_model_name, started_s_, model_.parameters().max_model_tokens));
}

void EngineServer::Loop::on_health(EngineId id) { answer_json(id, "{}"); }

void EngineServer::Loop::on_version(EngineId id) {
  answer_json(id, fmt::format(R"({{"version":"{}"}})", LOADLINE_VERSION));
}

void EngineServer::Loop::on_metrics(EngineId id) {
  HttpConnection& connection = *connections_[id];
  const bool alive = connection.send(plain_answer(200, "text/plain; version=0.0.4; charset=utf-8",
                                                  metrics_text(model_, metrics_), !connection.closing()),
                                     poller_);
  connection.finish_request();
  if (!alive) drop(id);
}

void EngineServer::Loop::on_server_info(EngineId id) {
  std::string parameters;
  for (const auto& [key, value] : engine_flags(model_.parameters())) {
    // Numbers and booleans print as JSON has them.
    fmt::format_to(std::back_inserter(parameters), "{}\"{}\":{}", parameters.empty() ? "" : ",", key, value);
  }
  answer_json(id, fmt::format(R"({{"engine":"loadline-engine","version":"{}","simulated":true,"speed":{},"model":"{}",)"
                              R"("system_fingerprint":"{}","parameters":{{{}}}}})",
                              LOADLINE_VERSION, speed_, engine_model_name, fingerprint_, parameters));
}

}  // namespace loadline
