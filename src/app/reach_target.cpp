#include "app/reach_target.h"

#include <algorithm>

#include "app/describe_run.h"
#include "app/values.h"

namespace loadline {
namespace {

TargetSettings settings_of(const RunSpec& spec, const std::string& url) {
  TargetSettings settings;
  settings.urls = {url};
  settings.model = spec.model;
  settings.endpoint_type = spec.endpoint_type;
  settings.log_texts = spec.content == "log";
  settings.engine = spec.engine;
  settings.api_key = spec.api_key;
  settings.headers = spec.header;
  settings.extra_body = spec.extra_body;
  settings.ca_file = spec.ca_file;
  settings.insecure = spec.insecure;
  settings.request_timeout = parse_duration(spec.first_byte_timeout, "--first-byte-timeout");
  return settings;
}

}  // namespace

ReachedTarget reach_target(const RunSpec& spec) {
  ReachedTarget reached;
  std::string url = spec.url;
  if (url.empty()) {
    reached.engine = std::make_unique<EngineServer>(engine_parameters_of(spec.engine_parameter), spec.engine_speed);
    reached.engine->start();
    url = reached.engine->url();
  }
  reached.target = probe(settings_of(spec, url));
  return reached;
}

Target probe_again(const RunSpec& spec, const ReachedTarget& reached) {
  return probe(settings_of(spec, reached.engine ? reached.engine->url() : spec.url));
}

void describe_target(const RunSpec& spec, const ReachedTarget& reached, RunDescription& d) {
  const Target& target = reached.target;
  d.target = reached.engine ? "loadline's embedded engine over HTTP on loopback" : target.servers.front().url.text();
  d.lengths_forced = target.forced_lengths;
  if (target.endpoint == Endpoint::chat && target.tokens_per_word) d.template_tokens = target.template_tokens;
  d.simulated = target.simulated;
  if (reached.engine) describe_embedded_engine(engine_parameters_of(spec.engine_parameter), d);
  for (const Fact& fact : target.facts) {
    if (std::ranges::find(d.facts, fact.key, &Fact::key) == d.facts.end()) d.facts.push_back(fact);
  }
}

Destination destination_of(const Target& target) {
  const Server& server = target.servers.front();
  Destination destination;
  destination.addresses = server.url.addresses();
  destination.host = server.url.host_header();
  destination.path = request_path(target, server);
  if (server.url.tls) destination.tls = server.tls;
  destination.headers = server.headers;
  destination.secrets = server.secrets;
  return destination;
}

}  // namespace loadline
