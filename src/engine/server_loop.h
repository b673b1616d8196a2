#pragma once
// The loop behind http_server.h: sockets on one side, the model's steps at their wall times on the other.

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "engine/api_request.h"
#include "engine/engine_metrics.h"
#include "engine/http_connection.h"
#include "engine/http_server.h"
#include "engine/model.h"
#include "engine/step_schedule.h"
#include "net/poller.h"

namespace loadline {

/// A connection's index is its key in the poller and its request's id in the model.
class EngineServer::Loop {
 public:
  Loop(const EngineParameters& parameters, double speed, std::uint16_t port, const std::string& host);

  void run();
  void request_stop() noexcept;
  std::uint16_t port() const { return listener_.port; }
  EngineLag lag() const;

 private:
  // server_loop.cpp: connections
  void turn();
  void on_ready(const Ready& ready);
  void accept_all();
  void serve(EngineId id);
  void drop(EngineId id);
  void send(EngineId id, std::string_view bytes);

  // server_loop.cpp: steps
  Nanos compute_step();
  void deliver(WallTime now);
  void deliver_tokens();
  void emit(EngineId id, bool first, WallTime now);
  void tell_lag();
  Seconds engine_span(Nanos wall) const { return Seconds(wall) * speed_; }

  // server_routes.cpp: the API. An answer is sent at once, except where the request went into the engine.
  struct Route;
  static const Route* find_route(std::string_view path);
  void answer_request(EngineId id);
  void refuse(EngineId id, const Refusal& refusal);
  void answer_json(EngineId id, std::string_view body);
  void complete(EngineId id, bool chat);
  std::optional<Refusal> unservable() const;
  void on_completions(EngineId id) { complete(id, false); }
  void on_chat(EngineId id) { complete(id, true); }
  void on_tokenize(EngineId id);
  void on_reset_prefix_cache(EngineId id);
  void on_models(EngineId id);
  void on_health(EngineId id);
  void on_version(EngineId id);
  void on_metrics(EngineId id);
  void on_server_info(EngineId id);

  EngineModel model_;
  double speed_;
  std::string fingerprint_;
  std::int64_t started_s_;  ///< since 1970: "created" of the model
  Listener listener_;
  Poller poller_;
  std::vector<Ready> ready_;
  std::vector<std::unique_ptr<HttpConnection>> connections_;
  std::vector<EngineId> free_;     ///< indices without a connection
  std::vector<EngineId> retired_;  ///< the same, but the step that runs may still name them
  std::atomic<bool> stopping_{false};

  const EngineStep* step_ = nullptr;  ///< the one that runs: computed, not delivered
  StepSchedule schedule_;
  EngineMetrics metrics_;
  std::atomic<std::int64_t> slipped_ns_{0}, worst_ns_{0};
  std::atomic<std::uint64_t> slips_{0};

  ApiReader reader_;
  CompletionRequest completion_;  ///< the one being read
  std::vector<std::uint64_t> hashes_;
  std::string buffer_;
  std::uint64_t answers_ = 0;
};

}  // namespace loadline
