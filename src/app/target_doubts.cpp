#include "app/target_doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

namespace loadline {
namespace {

/// The target as it answers after the load; a server that is still busy is asked again. Absent, with the reason in
/// `why`, where it does not answer.
std::optional<Target> probe_after(const RunSpec& spec, const ReachedTarget& reached, const std::atomic<bool>& stop,
                                  std::string& why) {
  constexpr int attempts = 3;
  for (int attempt = 0; attempt < attempts && !stop; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::seconds(2));
    try {
      return probe_again(spec, reached, stop);
    } catch (const Error& error) {
      why = error.what();
    }
  }
  return std::nullopt;
}

}  // namespace

void put_counters(RunWriter& writer, const std::optional<ServerCounters>& before,
                  const std::optional<ServerCounters>& after) {
  if (!before || !after) return;
  const auto difference = [](const std::optional<double>& from, const std::optional<double>& to) {
    return from && to ? nlohmann::json(*to - *from) : nlohmann::json(nullptr);
  };
  writer.put("server.counters",
             nlohmann::json{{"prompt_tokens", difference(before->prompt_tokens, after->prompt_tokens)},
                            {"generation_tokens", difference(before->generation_tokens, after->generation_tokens)},
                            {"cache_hits", difference(before->cache_hits, after->cache_hits)},
                            {"cache_queries", difference(before->cache_queries, after->cache_queries)}}
                 .dump());
}

void doubt_changed_server(const RunSpec& spec, const ReachedTarget& reached, const std::atomic<bool>& stop,
                          const std::optional<ServerCounters>& before, const std::optional<ServerCounters>& after,
                          RunDescription& description) {
  std::vector<std::string> changed;
  std::string why;
  if (const std::optional<Target> now = probe_after(spec, reached, stop, why)) {
    for (const Fact& fact : reached.target.facts) {
      const auto found = std::ranges::find(now->facts, fact.key, &Fact::key);
      const std::string value = found == now->facts.end() ? "" : found->value;
      if (value != fact.value) changed.push_back(fmt::format("{} was '{}' and is '{}'", fact.key, fact.value, value));
    }
    if (now->fingerprint != reached.target.fingerprint) changed.emplace_back("its system fingerprint");
  } else {
    description.doubts.push_back(
        make_doubt("facts_unknown", std::nullopt,
                   fmt::format("Whether the server was the same at the end could not be checked: {}", why)));
  }
  const bool restarted = before && after && before->process_start_s && after->process_start_s &&
                         *after->process_start_s > *before->process_start_s;
  if (restarted) changed.emplace_back("it was restarted");
  if (!changed.empty()) {
    description.doubts.push_back(
        make_doubt("server_changed", std::nullopt,
                   fmt::format("The server is not the one it was at the start: {}.", fmt::join(changed, "; "))));
  }
}

void doubt_slow_engine(const ReachedTarget& reached, RunDescription& description) {
  if (!reached.engine) return;
  const EngineLag lag = reached.engine->lag();
  if (lag.slips == 0) return;
  description.doubts.push_back(make_doubt(
      "drift", std::nullopt,
      fmt::format(
          "This machine was too slow for the embedded engine at this --engine-speed: it fell behind its own schedule {} times, "
          "by {:.0f} ms of wall time in all; latencies around those moments are too long.",
          lag.slips, milliseconds(lag.slipped))));
}

}  // namespace loadline
