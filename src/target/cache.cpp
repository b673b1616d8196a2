#include "target/cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "target/dialect.h"
#include "target/prometheus.h"
#include "target/server_facts.h"
#include "wire/stream_event.h"

namespace loadline {
namespace {

constexpr std::size_t shown_words = 200;

/// Adds what one server said to `reset`: its words, and whether it has the route at all.
void reset_one(const Dialect& dialect, const Server& server, CacheReset& reset) {
  const HttpAnswer answer =
      fetch(server, {"POST", server.url.root_base + std::string(dialect.reset_path), "", std::chrono::seconds(30)});
  if (answer.reached != Reached::answered) {
    reset.words = answer.problem;
  } else if (answer.status == 404 || answer.status == 405) {
    reset.possible = false;
    reset.words = fmt::format("it has no {} (some engines offer it only in a development mode)", dialect.reset_path);
  } else if (!answer.ok()) {
    reset.words = fmt::format("it answered {}: {}", answer.status, printable(answer.body, shown_words));
  } else if (dialect.reset_says_success && !answer.body.empty()) {
    // Older servers empty it and answer 200 without a word.
    const nlohmann::json told = nlohmann::json::parse(answer.body, nullptr, false);
    if (told_text(told, "/success") == "true") return;
    reset.words = fmt::format("it answered without success: {}", printable(answer.body, shown_words));
  }
}

void add_counter(std::string_view text, const std::vector<std::string_view>& names, std::optional<double>& total) {
  for (const std::string_view counter : names) {
    if (const std::optional<double> value = prometheus_sum(text, counter)) total = total.value_or(0) + *value;
  }
}

void add_counters(std::string_view text, const CounterNames& names, ServerCounters& counters) {
  add_counter(text, names.prompt_tokens, counters.prompt_tokens);
  add_counter(text, names.generation_tokens, counters.generation_tokens);
  add_counter(text, names.cache_hits, counters.cache_hits);
  add_counter(text, names.cache_queries, counters.cache_queries);
  add_counter(text, names.running, counters.running);
  add_counter(text, names.waiting, counters.waiting);
  if (const std::optional<double> start = prometheus_sum(text, "process_start_time_seconds")) {
    counters.process_start_s = std::max(counters.process_start_s.value_or(*start), *start);
  }
}

}  // namespace

CacheReset reset_cache(const Target& target) {
  const Dialect& dialect = dialect_named(target.engine);
  CacheReset reset;
  if (dialect.reset_path.empty()) {
    reset.words = fmt::format("{} cannot be told to empty its prefix cache", dialect.name);
    return reset;
  }
  reset.possible = true;
  for (const Server& server : target.servers) {
    reset_one(dialect, server, reset);
    if (reset.words.empty()) continue;
    reset.words = fmt::format("{} did not empty its prefix cache: {}", server.url.text(), reset.words);
    return reset;
  }
  reset.done = true;
  return reset;
}

std::optional<ServerCounters> read_counters(const Target& target) {
  const Dialect& dialect = dialect_named(target.engine);
  ServerCounters counters;
  for (const Server& server : target.servers) {
    const HttpAnswer answer = fetch(server, {"GET", server.url.root_base + "/metrics"});
    if (!answer.ok()) return std::nullopt;
    add_counters(answer.body, dialect.counters, counters);
  }
  return counters;
}

std::optional<double> cache_hit_rate(const ServerCounters& before, const ServerCounters& after) {
  if (!before.cache_hits || !after.cache_hits || !before.cache_queries || !after.cache_queries) return std::nullopt;
  const double hits = *after.cache_hits - *before.cache_hits, queries = *after.cache_queries - *before.cache_queries;
  if (queries <= 0 || hits < 0) return std::nullopt;
  return hits / queries;
}

}  // namespace loadline
