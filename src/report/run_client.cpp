#include "report/run_client.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/error.h"

namespace loadline {
namespace {

using ClientFigure = std::pair<const char*, std::optional<double> ClientSelf::*>;
constexpr std::array<ClientFigure, 8> client_figures = {{
    {"send_lateness_p50_ms", &ClientSelf::send_lateness_p50_ms},
    {"send_lateness_p99_ms", &ClientSelf::send_lateness_p99_ms},
    {"send_lateness_max_ms", &ClientSelf::send_lateness_max_ms},
    {"read_lateness_p50_ms", &ClientSelf::read_lateness_p50_ms},
    {"read_lateness_p99_ms", &ClientSelf::read_lateness_p99_ms},
    {"read_lateness_max_ms", &ClientSelf::read_lateness_max_ms},
    {"cpu_share", &ClientSelf::cpu_share},
    {"kernel_stamped_share", &ClientSelf::kernel_stamped_share},
}};

}  // namespace

std::string write_client(const ClientSelf& client) {
  nlohmann::ordered_json object;
  for (const auto& [key, member] : client_figures) {
    const std::optional<double>& figure = client.*member;
    object[key] = figure && std::isfinite(*figure) ? nlohmann::ordered_json(*figure) : nlohmann::ordered_json();
  }
  object["reconnects"] = client.reconnects;
  return object.dump();
}

ClientSelf read_client(std::string_view text) {
  constexpr const char* trouble =
      "the run file holds figures of the client that cannot be read; it is damaged or was not written by loadline";
  const auto object = nlohmann::json::parse(text, nullptr, false);
  if (!object.is_object()) throw Error(trouble);
  ClientSelf client;
  for (const auto& [key, member] : client_figures) {
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) continue;
    if (!found->is_number()) throw Error(trouble);
    client.*member = found->get<double>();
  }
  const auto reconnects = object.find("reconnects");
  if (reconnects == object.end() || !reconnects->is_number_unsigned()) throw Error(trouble);
  if (reconnects->get<std::uint64_t>() > 0xffffffffu) throw Error(trouble);
  client.reconnects = reconnects->get<std::uint32_t>();
  return client;
}

}  // namespace loadline
