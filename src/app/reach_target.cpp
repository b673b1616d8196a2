#include "app/reach_target.h"

#include <algorithm>
#include <utility>

#include "app/describe_run.h"
#include "app/values.h"

namespace loadline {
namespace {

TargetSettings settings_of(const RunSpec& spec, std::vector<std::string> urls, const std::atomic<bool>& stop) {
  TargetSettings settings;
  settings.stop = &stop;
  settings.urls = std::move(urls);
  settings.model = spec.model;
  settings.endpoint_type = spec.endpoint_type;
  settings.stream = !spec.no_stream;
  settings.log_texts = spec.content == "log";
  settings.engine = spec.engine;
  settings.api_key = spec.api_key;
  settings.headers = spec.header;
  settings.extra_body = spec.extra_body;
  settings.ca_file = spec.ca_file;
  settings.client_certificate_file = spec.client_cert;
  settings.client_key_file = spec.client_key;
  settings.insecure = spec.insecure;
  settings.http2 = spec.http2;
  settings.request_timeout = std::min(parse_duration(spec.first_byte_timeout, "--first-byte-timeout"),
                                      parse_duration(spec.total_timeout, "--total-timeout"));
  return settings;
}

std::vector<std::string> urls_of(const RunSpec& spec, const ReachedTarget& reached) {
  return reached.engine ? std::vector{reached.engine->url()} : spec.url;
}

std::string names_of(const std::vector<Server>& servers) {
  std::string names;
  for (const Server& server : servers) names += (names.empty() ? "" : ", ") + server.url.text();
  return names;
}

Destination destination_at(const Target& target, const Server& server) {
  Destination destination;
  destination.addresses = server.addresses;
  destination.host = server.url.host_header();
  destination.path = request_target(server, request_path(target, server));
  if (server.url.tls) destination.tls = server.tls;
  destination.headers = request_headers(server);
  destination.secrets = server.secrets;
  destination.tunnel = tunnel_of(server);
  destination.format = endpoint_row(target.endpoint).format;
  destination.streamed = target.streamed;
  destination.http2 = server.http2;
  return destination;
}

}  // namespace

ReachedTarget reach_target(const RunSpec& spec, const std::atomic<bool>& stop) {
  ReachedTarget reached;
  if (spec.url.empty()) {
    reached.engine = std::make_unique<EngineServer>(engine_parameters_of(spec.engine_parameter), spec.engine_speed);
    reached.engine->start();
  }
  reached.target = probe(settings_of(spec, urls_of(spec, reached), stop));
  return reached;
}

Target probe_again(const RunSpec& spec, const ReachedTarget& reached, const std::atomic<bool>& stop) {
  TargetSettings settings = settings_of(spec, urls_of(spec, reached), stop);
  for (const Server& server : reached.target.servers) settings.addresses[server.url.text()] = server.addresses;
  return probe(settings);
}

void describe_target(const RunSpec& spec, const ReachedTarget& reached, RunDescription& d) {
  const Target& target = reached.target;
  d.target = reached.engine ? "loadline's embedded engine over HTTP on loopback" : names_of(target.servers);
  d.lengths_forced = target.forced_lengths;
  const bool has_template = !endpoint_row(target.endpoint).body.messages.empty();
  if (has_template && target.tokens_per_word) d.template_tokens = target.template_tokens;
  d.simulated = target.simulated;
  if (reached.engine) describe_embedded_engine(engine_parameters_of(spec.engine_parameter), d);
  for (const Fact& fact : target.facts) {
    if (std::ranges::find(d.facts, fact.key, &Fact::key) == d.facts.end()) d.facts.push_back(fact);
  }
}

std::vector<Destination> destinations_of(const RunSpec& spec, const Target& target) {
  std::vector<Address> sources;
  for (const std::string& literal : spec.source_address) sources.push_back(source_address(literal));
  std::vector<Destination> destinations;
  for (const Server& server : target.servers) {
    destinations.push_back(destination_at(target, server));
    destinations.back().source_addresses = sources;
  }
  return destinations;
}

}  // namespace loadline
