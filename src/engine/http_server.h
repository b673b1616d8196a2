#pragma once
// The simulated engine over real HTTP, on one thread: the model of model.h with its steps emitted at wall
// times. It knows no load generator; any OpenAI client can talk to it.
//
//   POST /v1/completions          prompt: text or token ids          GET  /v1/models   owned_by "loadline"
//   POST /v1/chat/completions     messages                           GET  /health, /version
//   POST /tokenize                prompt or messages -> ids          GET  /metrics     engine_metrics.h
//   POST /reset_prefix_cache      {"success": bool}                  GET  /server_info every parameter
//
// One request at a time on a connection, which is kept open. api_request.h says how text becomes tokens and
// how long answers are. What is too long for the engine is a 400, another model than ours a 404; a client
// that disconnects cancels its request.

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <thread>

#include "engine/parameters.h"

namespace loadline {

/// How far the engine itself was behind its own schedule, in wall time. A slip says that engine
/// times were longer than the parameters say: the machine was too slow for this speed.
struct EngineLag {
  Nanos slipped{};  ///< in all, by steps that were more than 50 ms late
  std::uint64_t slips = 0;
  Nanos worst{};  ///< latest delivery of a step
};

class EngineServer {
 public:
  /// Listens at once, port 0 on a free one; answers once it runs. Engine time passes `speed` times as fast as
  /// the wall's. Throws Error for unusable parameters, speed or address.
  explicit EngineServer(const EngineParameters& parameters, double speed = 1.0, std::uint16_t port = 0,
                        const std::string& host = "127.0.0.1");
  /// Stops.
  ~EngineServer();

  std::uint16_t port() const;
  /// "http://127.0.0.1:8000"
  std::string url() const;

  /// Serves on a thread of its own until stop().
  void start();
  /// Ends start()'s thread, once and for all; cuts what is open. Throws what ended it before, if anything did.
  void stop();

  /// From any thread.
  EngineLag lag() const;

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
  std::string host_;
  std::thread thread_;
  std::exception_ptr failure_;  ///< what ended thread_
};

}  // namespace loadline
