#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>

#include "bench/readers.h"
#include "core/error.h"
#include "core/random.h"
#include "load/run_level.h"

namespace loadline::bench {
namespace {

/// Releases all, waits for all.
class AllOfThem final : public LevelCourse {
 public:
  AllOfThem(std::size_t requests, Progress& progress) : requests_(requests), progress_(progress) {}
  void start(const LevelRecords& records, RunTime) override {
    records_ = &records;
    before_ = usage_now();
  }
  void released(std::uint32_t, RunTime) override { ++released_; }
  void first_token(std::uint32_t, RunTime) override {}
  void ended(std::uint32_t, RunTime) override { ++ended_; }
  Phase phase(RunTime) override {
    progress_.events.store(records_->client.output_events, std::memory_order_release);
    if (ended_ == requests_) return Phase::finished;
    return released_ < requests_ ? Phase::measuring : Phase::draining;
  }
  std::optional<RunTime> wake_at() const override { return std::nullopt; }
  std::optional<RunTime> window_start() const override { return run_start; }
  std::optional<RunTime> window_end() const override { return std::nullopt; }
  const Usage& before() const { return before_; }

 private:
  std::size_t requests_, released_ = 0, ended_ = 0;
  Progress& progress_;
  const LevelRecords* records_ = nullptr;
  Usage before_;
};

Plan plan_of(const Scene& scene) {
  Plan plan;
  const bool open_loop = scene.flow == Flow::on_request;
  plan.level = {LevelKind::concurrency, static_cast<double>(scene.streams), Arrivals::closed};
  if (open_loop) plan.level = {LevelKind::request_rate, scene.requests_per_s, Arrivals::poisson};
  plan.requests.resize(scene.streams);
  const std::vector<Nanos> offsets = open_loop ? open_loop_offsets(scene) : std::vector<Nanos>{};
  for (std::size_t i = 0; i < plan.requests.size(); ++i) {
    plan.requests[i].request.prompt.length = Tokens(1);
    plan.requests[i].request.completion = Tokens(scene.planned_tokens);
    if (open_loop) plan.requests[i].due = AtOffset{offsets[i]};
  }
  return plan;
}

void keep_arrivals(const LevelRecords& records, std::int64_t start, Stage& stage) {
  const std::size_t a_stream = std::size_t{stage.scene.writes_per_stream()} * stage.scene.tokens_per_write;
  for (const RequestRecord& record : records.requests) {
    if (!record.first_token) continue;
    std::int64_t at = nanos_since_start(*record.first_token) + start;
    std::size_t token = 0;
    const auto keep = [&] {
      if (token < a_stream) stage.arrived[record.plan_index * a_stream + token++] = at;
    };
    keep();
    for (const std::uint32_t gap : records.gaps.at(record.gaps)) {
      at += std::int64_t{gap} * nanos_per_gap_unit;
      keep();
    }
  }
}

}  // namespace

std::string request_body(std::uint32_t id, std::uint32_t tokens) {
  return fmt::format(
      R"({{"model":"loadline-engine","prompt":[{}],"max_tokens":{},"stream":true,"stream_options":{{"include_usage":false}}}})",
      id, tokens);
}

std::vector<Nanos> open_loop_offsets(const Scene& scene) {
  std::vector<Nanos> offsets(scene.streams);
  Random random(1);
  double at_s = 0;
  for (Nanos& offset : offsets) {
    at_s -= std::log1p(-random.uniform()) / scene.requests_per_s;
    offset = nanos(Seconds(at_s));
  }
  return offsets;
}

Usage usage_now() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds_of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return {seconds_of(usage.ru_utime), seconds_of(usage.ru_stime), seconds(SystemTime::monotonic_now())};
}

void keep_usage(const Usage& before, ClientSaw& saw) {
  const Usage after = usage_now();
  saw.user_s = after.user_s - before.user_s;
  saw.system_s = after.system_s - before.system_s;
  saw.wall_s = after.wall_s - before.wall_s;
}

void run_loadline_reader(std::uint16_t port, Stage& stage) {
  const Scene& scene = stage.scene;
  SystemTime time;
  Destination destination{{loopback_address(port)}, "bench", "/v1/completions", {}, {}, {}};
  if (scene.tls) destination.tls = TlsSettings{.server_name = "bench", .ca_file = {}, .insecure = true};
  Client client(std::move(destination), Timeouts{}, time);
  const Plan plan = plan_of(scene);
  AllOfThem course(plan.requests.size(), *stage.progress);
  const BodyWriter write = [&](const Plan&, std::uint32_t index, std::string& body) {
    body = request_body(index, scene.planned_tokens);
  };
  LevelRecords records;
  const std::atomic<bool> interrupted{false};
  client.run_level(plan, course, write, records, interrupted);

  ClientSaw& saw = *stage.client;
  keep_usage(course.before(), saw);
  saw.events = records.client.output_events;
  saw.reads = records.client.reads;
  saw.stamped_reads = records.client.stamped_reads;
  saw.seen_p50_us = records.client.read_lateness_p50_ms.value_or(0) * 1e3;
  saw.seen_p99_us = records.client.read_lateness_p99_ms.value_or(0) * 1e3;
  const std::int64_t start = time.monotonic_start().count();
  if (scene.keeps_arrivals) keep_arrivals(records, start, stage);
  for (const RequestRecord& record : records.requests) {
    if (record.plan_index < stage.due.size()) stage.due[record.plan_index] = nanos_since_start(*record.due) + start;
  }
}

}  // namespace loadline::bench
