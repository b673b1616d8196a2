// The model computes a step when it begins; its results are held back until its scheduled end on the wall
// (step_schedule.h). Whoever arrives while it runs waits for the next one.

#include "engine/server_loop.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace loadline {
namespace {

constexpr std::uint64_t listener_key = std::uint64_t{1} << 62;

double checked_speed(double speed) {
  if (speed > 0 && speed <= 1e6) return speed;
  throw Error(fmt::format("engine speed {}: it must be more than 0 and at most 1000000", speed));
}

}  // namespace

EngineServer::Loop::Loop(const EngineParameters& parameters, double speed, std::uint16_t port, const std::string& host)
    : model_(parameters),
      speed_(checked_speed(speed)),
      fingerprint_(fmt::format("loadline-engine-{}-{}", LOADLINE_VERSION, parameters_hash(parameters))),
      started_s_(std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
                     .count()),
      listener_(listen_on(resolve(host, port).front())) {
  poller_.add(listener_.socket.fd(), listener_key, {.read = true, .write = false});
}

void EngineServer::Loop::run() {
  while (!stopping_) turn();
  connections_.clear();
  listener_.socket.close();
}

void EngineServer::Loop::request_stop() noexcept {
  stopping_ = true;
  poller_.wake();
}

EngineLag EngineServer::Loop::lag() const { return {Nanos(slipped_ns_), slips_, Nanos(worst_ns_)}; }

void EngineServer::Loop::turn() {
  std::optional<Nanos> timeout;
  if (step_ != nullptr) timeout = schedule_.end() - WallTime::clock::now();
  poller_.wait(timeout, ready_);
  for (const Ready& ready : ready_) on_ready(ready);
  const WallTime now = WallTime::clock::now();
  if (step_ != nullptr && now >= schedule_.end()) deliver(now);
  if (step_ == nullptr && !model_.idle()) schedule_.begin(now, compute_step());
}

void EngineServer::Loop::on_ready(const Ready& ready) {
  if (ready.key == listener_key) return accept_all();
  const auto id = static_cast<EngineId>(ready.key);
  if (!connections_[id]) return;  // dropped by what was ready before it
  if (ready.writable && !connections_[id]->flush(poller_)) return drop(id);
  if (ready.readable && !connections_[id]->read()) return drop(id);
  serve(id);
}

void EngineServer::Loop::accept_all() {
  while (std::optional<Socket> socket = accept_from(listener_.socket)) {
    if (free_.empty()) {
      free_.push_back(static_cast<EngineId>(connections_.size()));
      connections_.emplace_back();
    }
    const EngineId id = free_.back();
    free_.pop_back();
    poller_.add(socket->fd(), id, {.read = true, .write = false});
    connections_[id] = std::make_unique<HttpConnection>(std::move(*socket), id);
  }
}

/// Answers what the connection asks, one after another, until it waits for the engine.
void EngineServer::Loop::serve(EngineId id) {
  while (connections_[id] && !connections_[id]->answer && !connections_[id]->closing() &&
         connections_[id]->take_request()) {
    answer_request(id);
  }
}

void EngineServer::Loop::drop(EngineId id) {
  if (connections_[id]->answer) {
    model_.cancel(id);
    ++metrics_.aborted;
  }
  connections_[id].reset();
  (step_ != nullptr ? retired_ : free_).push_back(id);
}

void EngineServer::Loop::send(EngineId id, std::string_view bytes) {
  if (!connections_[id]->send(bytes, poller_)) drop(id);
}

/// Its duration on the wall.
Nanos EngineServer::Loop::compute_step() {
  step_ = &model_.step();
  return nanos(Seconds(step_->duration) / speed_);
}

void EngineServer::Loop::deliver(WallTime now) {
  schedule_.delivered(now);
  tell_lag();
  deliver_tokens();
  step_ = nullptr;
  free_.insert(free_.end(), retired_.begin(), retired_.end());
  retired_.clear();
  if (!model_.idle()) schedule_.follow(compute_step());
}

void EngineServer::Loop::deliver_tokens() {
  for (const EngineId id : step_->ended) {
    if (connections_[id]) connections_[id]->ending = true;
  }
  const WallTime now = WallTime::clock::now();
  for (const EngineId id : step_->started) emit(id, true, now);
  for (const EngineId id : step_->continued) emit(id, false, now);
}

void EngineServer::Loop::emit(EngineId id, bool first, WallTime now) {
  if (!connections_[id] || !connections_[id]->answer) return;  // its client has gone
  HttpConnection& connection = *connections_[id];
  CompletionAnswer& answer = *connection.answer;
  if (first) metrics_.time_to_first_token.observe(engine_span(now - connection.submitted));
  if (!first && !connection.ending && answer.streams()) return send(id, answer.token());
  buffer_.clear();
  if (answer.streams() && first) answer.append_start(buffer_);
  if (answer.streams() && !connection.ending) buffer_ += answer.token();
  if (answer.streams() && connection.ending) answer.append_end(model_.cached_tokens(id), buffer_);
  if (!answer.streams() && connection.ending) buffer_ = answer.whole(model_.cached_tokens(id));
  if (!connection.ending) {
    if (!buffer_.empty()) send(id, buffer_);
    return;
  }
  metrics_.end_to_end.observe(engine_span(now - connection.submitted));
  ++metrics_.ended;
  const bool alive = connection.send(buffer_, poller_);
  connection.finish_request();
  alive ? serve(id) : drop(id);
}

void EngineServer::Loop::tell_lag() {
  slipped_ns_ = schedule_.slipped().count();
  worst_ns_ = schedule_.worst().count();
  slips_ = schedule_.slips();
  metrics_.lag_s = seconds(schedule_.slipped());
  metrics_.slips = schedule_.slips();
  metrics_.worst_lateness_s = seconds(schedule_.worst());
}

}  // namespace loadline
