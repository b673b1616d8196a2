#include "app/fleet_setup.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace loadline {
namespace {

constexpr Nanos patience_with_probes = std::chrono::minutes(20);  // a first request may load a model

FactSource source_named(const std::string& text) {
  for (const FactSource source : {FactSource::server, FactSource::user, FactSource::file}) {
    if (text == name(source)) return source;
  }
  return FactSource::unknown;
}

}  // namespace

std::string write_fleet_setup(const FleetSetup& setup) {
  nlohmann::json starts = nlohmann::json::array(), facts = nlohmann::json::array();
  for (const Nanos start : setup.monotonic_starts) starts.push_back(start.count());
  for (const Fact& fact : setup.facts) {
    facts.push_back({{"key", fact.key}, {"value", fact.value}, {"source", name(fact.source)}});
  }
  return nlohmann::json{
      {"version", LOADLINE_VERSION}, {"salt", setup.salt},     {"folder", setup.folder}, {"threads", setup.threads},
      {"monotonic_starts", starts},  {"values", setup.values}, {"facts", facts}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

FleetSetup read_fleet_setup(const std::string& text) {
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    const std::string version = json.at("version");
    if (version != LOADLINE_VERSION) {
      throw Error(
          fmt::format("rank 0 runs loadline {}, this rank {}; install the same everywhere", version, LOADLINE_VERSION));
    }
    FleetSetup setup{json.at("salt"), json.at("folder"), json.at("threads"), {}, json.at("values"), {}};
    for (const auto& start : json.at("monotonic_starts"))
      setup.monotonic_starts.push_back(Nanos(start.get<std::int64_t>()));
    for (const auto& fact : json.at("facts")) {
      setup.facts.push_back({fact.at("key"), fact.at("value"), source_named(fact.at("source").get<std::string>())});
    }
    return setup;
  } catch (const nlohmann::json::exception& fault) {
    throw Error(fmt::format("what rank 0 said of the run cannot be read: {}", fault.what()), ExitStatus::not_valid);
  }
}

FleetAnnouncement::~FleetAnnouncement() {
  if (!is_said_ && ranks_.size() > 1) ranks_.broadcast({}, Nanos(0));
}

void FleetAnnouncement::announce(const FleetSetup& setup) {
  is_said_ = true;
  ranks_.broadcast(write_fleet_setup(setup), Nanos(0));
  ranks_.barrier(patience_with_probes);
}

std::string part_folder(const std::string& folder, int rank) { return fmt::format("{}/parts/rank-{}", folder, rank); }

}  // namespace loadline
