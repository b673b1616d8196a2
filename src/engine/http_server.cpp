#include "engine/http_server.h"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "core/error.h"
#include "engine/server_loop.h"

namespace loadline {

EngineServer::EngineServer(const EngineParameters& parameters, double speed, std::uint16_t port,
                           const std::string& host)
    : loop_(std::make_unique<Loop>(parameters, speed, port, host)), host_(host) {}

EngineServer::~EngineServer() {
  loop_->request_stop();
  if (thread_.joinable()) thread_.join();
}

std::uint16_t EngineServer::port() const { return loop_->port(); }

std::string EngineServer::url() const {
  const bool bare_ipv6 = host_.find(':') != std::string::npos && host_.front() != '[';
  return bare_ipv6 ? fmt::format("http://[{}]:{}", host_, port()) : fmt::format("http://{}:{}", host_, port());
}

void EngineServer::start() {
  check(!thread_.joinable(), "the engine is started once");
  raise_open_file_limit();
  thread_ = std::thread([this] {
    try {
      loop_->run();
    } catch (...) {
      failure_ = std::current_exception();
    }
  });
}

void EngineServer::stop() {
  loop_->request_stop();
  if (thread_.joinable()) thread_.join();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

EngineLag EngineServer::lag() const { return loop_->lag(); }

}  // namespace loadline
