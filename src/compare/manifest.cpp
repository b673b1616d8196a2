#include "compare/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/units.h"

namespace loadline {
namespace {

/// Of equal workloads these many first requests are the same whatever else differs.
constexpr std::uint32_t requests_in_digest = 64;

/// Facts that differ between two starts of one deployment.
constexpr std::array<std::string_view, 13> volatile_facts = {"flags.port",
                                                             "flags.host",
                                                             "flags.nccl_port",
                                                             "flags.dist_init_addr",
                                                             "flags.node_rank",
                                                             "flags.base_gpu_id",
                                                             "flags.random_seed",
                                                             "flags.pid",
                                                             "flags.log_level",
                                                             "flags.gpus_visible",
                                                             "flags.engine_speed",
                                                             "flags.root_path",
                                                             "flags.uvicorn_log_level"};

/// Keys of the plan that are no part of what was measured: because they differ between any two runs, because they stand
/// in the manifest by another name, or because they say how much was measured and where, which the pairs of levels
/// tell.
constexpr std::array<std::string_view, 40> plan_keys_left_out = {
    // differ between any two runs
    "url", "salt", "source_address", "ca_file", "client_cert", "client_key", "insecure",
    // by another name
    "seed", "slo", "goodput", "fact", "engine_parameter", "engine_speed", "trace", "sampler", "content", "cache",
    "model", "model_config", "hardware", "weights", "kv", "retries", "balance", "first_byte_timeout", "idle_timeout",
    // how much, and at which loads
    "concurrency", "request_rate", "arrival_scale", "max_users", "search", "no_refine", "refine", "capacity_precision",
    "budget", "open", "up_and_down", "repeats", "num_prompts", "duration"};
constexpr std::array<std::string_view, 9> more_plan_keys_left_out = {"max_requests",  "max_duration",    "until",
                                                                     "until_stable",  "price_per_hour",  "decision",
                                                                     "total_timeout", "connect_timeout", "arrivals"};

template <class Table>
bool stands_in(const Table& table, std::string_view key) {
  return std::ranges::find(table, key) != table.end();
}

std::string objectives_text(const RunReport& report) {
  std::set<std::string> texts;
  for (const Objective& objective : report.objectives) {
    texts.insert(fmt::format("p{:.12g} {}<={:g}ms{}", objective.percentile * 100, name(objective.metric),
                             milliseconds(objective.limit), objective.of ? " where " + class_text(*objective.of) : ""));
  }
  return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, ", "));
}

std::string goodput_text(const GoodputLimits& limits) {
  std::string text;
  const auto add = [&](std::string_view metric, const std::optional<Nanos>& limit) {
    if (limit) text += fmt::format("{}{}:{:g}", text.empty() ? "" : " ", metric, milliseconds(*limit));
  };
  add("ttft", limits.ttft);
  add("tpot", limits.tpot);
  add("e2e", limits.e2e);
  return text.empty() ? "none" : text;
}

/// "closed", "open, poisson", or both of a run that measured both.
std::string loop_text(const RunReport& report) {
  std::set<std::string> loops;
  for (const LevelResult& result : report.levels) {
    const Level& level = result.level;
    if (level.kind == LevelKind::concurrency) {
      loops.insert("closed");
    } else {
      std::string open = fmt::format("open, {}", name(level.arrivals));
      if (level.arrivals == Arrivals::gamma) open += fmt::format(" of shape {:g}", level.burstiness);
      loops.insert(open);
    }
  }
  return fmt::format("{}", fmt::join(loops, "; "));
}

void add_client(const RunReport& report, Manifest& manifest) {
  manifest["client.version"] = report.version;
  manifest["client.host_cpu"] = report.host_cpu.empty() ? std::nullopt : std::optional(report.host_cpu);
  manifest["client.clock"] = report.virtual_time ? "virtual" : "wall";
  manifest["client.engine_speed"] = fmt::format("{:g}", report.engine_speed);
  if (report.virtual_time) return;  // then there is no client
  manifest["client.threads"] = fmt::format("{}", report.client_threads);
  if (!report.client_limits) return;
  const ClientLimits& limits = *report.client_limits;
  manifest["client.limits"] = fmt::format("connect {:g} s, first byte {:g} s, idle {:g} s, total {:g} s",
                                          limits.connect_s, limits.first_byte_s, limits.idle_s, limits.total_s);
  manifest["client.retries"] = fmt::format("{}", limits.retries);
  if (!limits.balance.empty()) manifest["client.balance"] = limits.balance;
}

void add_workload(const RunReport& report, Manifest& manifest) {
  manifest["workload.input"] = report.input_source;
  manifest["workload.seed"] = fmt::format("{}", report.seed);
  manifest["workload.content"] = report.content;
  manifest["cache.state"] = report.cache_state;
  if (report.levels.empty()) return;
  manifest["workload.sampler"] = report.sampler;
  const std::string digest = workload_digest(report, requests_in_digest);
  manifest["workload.requests"] = digest.empty() ? std::nullopt : std::optional(digest);
  manifest["workload.loop"] = loop_text(report);
}

}  // namespace

std::string workload_digest(const RunReport& report, std::uint32_t at_most) {
  if (report.levels.empty()) return "";
  const auto& digests = report.levels.front().request_digests;
  const auto beyond = digests.upper_bound(at_most);
  return beyond == digests.begin() ? "" : std::prev(beyond)->second;
}

Manifest manifest_of(const RunReport& report, const std::map<std::string, std::string>& plan) {
  Manifest manifest;
  for (const Fact& fact : report.facts) {
    if (stands_in(volatile_facts, fact.key)) continue;
    manifest[fact.key] = fact.source == FactSource::unknown ? std::nullopt : std::optional(fact.value);
  }
  for (const auto& [key, value] : plan) {
    if (stands_in(plan_keys_left_out, key) || stands_in(more_plan_keys_left_out, key)) continue;
    manifest["plan." + key] = value;
  }
  add_client(report, manifest);
  add_workload(report, manifest);
  manifest["objective.slo"] = objectives_text(report);
  manifest["objective.goodput"] = goodput_text(report.goodput_limits);
  return manifest;
}

}  // namespace loadline
