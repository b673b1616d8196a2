#include "report/run_client.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/error.h"

namespace loadline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::pair<const char*, std::optional<double> ClientSelf::*> client_figures[] = {
    {"send_lateness_p50_ms", &ClientSelf::send_lateness_p50_ms},
    {"send_lateness_p99_ms", &ClientSelf::send_lateness_p99_ms},
    {"send_lateness_max_ms", &ClientSelf::send_lateness_max_ms},
    {"read_lateness_p50_ms", &ClientSelf::read_lateness_p50_ms},
    {"read_lateness_p99_ms", &ClientSelf::read_lateness_p99_ms},
    {"read_lateness_max_ms", &ClientSelf::read_lateness_max_ms},
    {"loop_turn_p99_ms", &ClientSelf::loop_turn_p99_ms},
    {"loop_turn_max_ms", &ClientSelf::loop_turn_max_ms},
    {"cpu_share", &ClientSelf::cpu_share},
    {"clock_residual_us", &ClientSelf::clock_residual_us},
};
constexpr std::pair<const char*, std::uint64_t ClientSelf::*> read_counts[] = {
    {"reads", &ClientSelf::reads},
    {"stamped_reads", &ClientSelf::stamped_reads},
    {"coalesced_reads", &ClientSelf::coalesced_reads},
    {"output_events", &ClientSelf::output_events},
};
constexpr std::pair<const char*, std::uint32_t ClientSelf::*> request_counts[] = {
    {"threads", &ClientSelf::threads}, {"machines", &ClientSelf::machines},   {"reconnects", &ClientSelf::reconnects},
    {"retries", &ClientSelf::retries}, {"held_back", &ClientSelf::held_back},
};

[[noreturn]] void refuse_client() {
  throw Error(
      "the run file holds figures of the client that cannot be read; it is damaged or was not written by loadline");
}

template <class Count>
Count count_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_unsigned()) refuse_client();
  if (found->template get<std::uint64_t>() > std::numeric_limits<Count>::max()) refuse_client();
  return found->template get<Count>();
}

double number_of(const Json& value) {
  if (!value.is_number()) refuse_client();
  return value.get<double>();
}

}  // namespace

std::string write_client(const ClientSelf& client) {
  Json object;
  for (const auto& [key, member] : client_figures) {
    const std::optional<double>& figure = client.*member;
    object[key] = figure && std::isfinite(*figure) ? Json(*figure) : Json();
  }
  for (const auto& [key, member] : read_counts) object[key] = client.*member;
  for (const auto& [key, member] : request_counts) object[key] = client.*member;
  object["thread_cpu_shares"] = client.thread_cpu_shares;
  object["clock_stepped"] = client.clock_stepped;
  return object.dump();
}

ClientSelf read_client(std::string_view text) {
  const Json object = Json::parse(text, nullptr, false);
  if (!object.is_object()) refuse_client();
  ClientSelf client;
  for (const auto& [key, member] : client_figures) {
    const auto found = object.find(key);
    if (found != object.end() && !found->is_null()) client.*member = number_of(*found);
  }
  for (const auto& [key, member] : read_counts) client.*member = count_of<std::uint64_t>(object, key);
  for (const auto& [key, member] : request_counts) client.*member = count_of<std::uint32_t>(object, key);
  const auto shares = object.find("thread_cpu_shares");
  if (shares == object.end() || !shares->is_array()) refuse_client();
  for (const Json& share : *shares) client.thread_cpu_shares.push_back(number_of(share));
  // Run files of before do not say it of a level.
  if (const auto stepped = object.find("clock_stepped"); stepped != object.end()) {
    if (!stepped->is_boolean()) refuse_client();
    client.clock_stepped = stepped->get<bool>();
  }
  return client;
}

}  // namespace loadline
