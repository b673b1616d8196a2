// A probe goes from what is cheap and sure to what is not: the list of models says who answers; the engine's
// own routes say how it is set up; then trial requests say how prompts must be written (prompt_trials).

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/error.h"
#include "target/body.h"
#include "target/credentials.h"
#include "target/dialect.h"
#include "target/prompt_trials.h"
#include "target/refusal.h"
#include "target/target.h"
#include "wire/stream_event.h"

namespace loadline {
namespace {

/// Where one server runs and what it happened to find there: replicas differ in it.
bool is_of_one_instance(std::string_view key) {
  constexpr std::array<std::string_view, 12> keys = {"flags.host",
                                                     "flags.port",
                                                     "flags.nccl_port",
                                                     "flags.dist_init_addr",
                                                     "flags.node_rank",
                                                     "flags.base_gpu_id",
                                                     "flags.random_seed",
                                                     "flags.num_gpu_blocks",
                                                     "flags.kv_cache_size_tokens",
                                                     "flags.max_total_num_tokens",
                                                     "flags.model_path",
                                                     "flags.model_root"};
  return std::ranges::find(keys, key) != keys.end();
}

/// Two routes may tell one fact: the one asked first is kept.
void keep_first_of_each_key(std::vector<Fact>& facts) {
  std::vector<Fact> kept;
  for (Fact& fact : facts) {
    if (std::ranges::find(kept, fact.key, &Fact::key) == kept.end()) kept.push_back(std::move(fact));
  }
  facts = std::move(kept);
}

class Prober {
 public:
  explicit Prober(const TargetSettings& settings)
      : settings_(settings),
        wanted_(endpoint_named(settings.endpoint_type)),
        credentials_(settings.api_key, settings.headers, wanted_ ? endpoint_row(*wanted_).headers : EndpointHeaders{}),
        extra_(extra_members(settings.extra_body, wanted_)) {
    if (settings.urls.empty()) throw Error("--url: give the address of a server");
    for (const std::string& text : settings.urls) target_.servers.push_back(server_at(text));
  }

  Target run() {
    for (Server& server : target_.servers) find_addresses(server);
    const ListedModel model = chosen_model(listed(target_.servers.front()));
    recognise(model);
    read_facts(model);
    for (std::size_t i = 1; i < target_.servers.size(); ++i) check_replica(target_.servers[i], model);
    PromptTrials trials(target_, settings_, credentials_);
    trials.run(wanted_);
    for (std::size_t i = 1; i < target_.servers.size(); ++i) trials.confirm(target_.servers[i]);
    tell_protocol();
    tell_proxies();
    add_fingerprint();
    keep_first_of_each_key(target_.facts);
    return std::move(target_);
  }

 private:
  const Server& first() const { return target_.servers.front(); }

  Server server_at(const std::string& text) {
    Server server;
    server.url = parse_url(text);
    server.stop = settings_.stop;
    server.headers = credentials_.header_lines();
    server.proxy = proxy_for(server.url, settings_.environment);
    if (server.proxy) credentials_.hide(server.proxy->secrets);
    server.secrets = credentials_.secrets();
    server.tls.server_name = server.url.host;
    server.tls.ca_file = settings_.ca_file;
    server.tls.insecure = settings_.insecure;
    server.tls.client_certificate_file = settings_.client_certificate_file;
    server.tls.client_key_file = settings_.client_key_file;
    if (settings_.http2) speak_http2(server);
    return server;
  }

  /// Once: the load goes where the probe went.
  void find_addresses(Server& server) const {
    const auto known = settings_.addresses.find(server.url.text());
    server.addresses = known != settings_.addresses.end() ? known->second : look_up(server);
  }

  [[noreturn]] void refuse(std::string sentence, ExitStatus status = ExitStatus::unusable_target) const {
    refuse_target(credentials_, std::move(sentence), status);
  }

  /// In HTTP/2 where the server speaks nothing else.
  static HttpAnswer first_answer(Server& server, const HttpCall& call) {
    const HttpAnswer answer = fetch(server, call);
    if (!answer.wants_http2) return answer;
    Server other = server;
    speak_http2(other);
    const HttpAnswer second = fetch(other, call);
    if (second.reached != Reached::answered) return answer;
    server = std::move(other);
    return second;
  }

  // The list of models.

  std::vector<ListedModel> listed(Server& server) {
    HttpCall call{"GET", server.url.api_base + "/models"};
    call.timeout = std::min(call.timeout, settings_.request_timeout);
    const HttpAnswer answer = first_answer(server, call);
    if (answer.reached != Reached::answered) refuse_unreached(server, answer);
    server_header_ = answer.server;
    if (answer.status == 401 || answer.status == 403) refuse_unauthorized(credentials_, server, answer.status);
    const bool no_such_route = answer.status == 404 || answer.status == 405 || answer.status == 501;
    if (no_such_route && !settings_.model.empty()) return {};
    if (no_such_route) {
      refuse(fmt::format("{} does not list its models ({}); check the URL, and name the model with --model",
                         server.url.text(), answer.status));
    }
    if (!answer.ok()) {
      StreamEventReader reader;
      refuse(fmt::format("{} is not ready: it answered {} to {}/models: {}", server.url.text(), answer.status,
                         server.url.api_base, error_words(reader, answer.body, 200)));
    }
    std::optional<std::vector<ListedModel>> models = read_listed_models(answer.body);
    if (!models && settings_.model.empty()) {
      refuse(
          fmt::format("{} answered {}/models with something that is no list of models; is this an OpenAI-style "
                      "server? If so, name the model with --model",
                      server.url.text(), server.url.api_base));
    }
    return models.value_or(std::vector<ListedModel>{});
  }

  [[noreturn]] void refuse_unreached(const Server& server, const HttpAnswer& answer) const {
    const char* advice = server.url.tls
                             ? "check the URL, that the server runs, and its certificate (--ca-file, --insecure)"
                             : "check the URL and that the server runs";
    refuse(fmt::format("cannot use {}: {}; {}", server.url.text(), answer.problem, advice));
  }

  static std::string names_of(const std::vector<ListedModel>& models) {
    std::string names;
    for (std::size_t i = 0; i < models.size() && i < 20; ++i) names += (i == 0 ? "" : ", ") + models[i].id;
    return models.size() > 20 ? fmt::format("{} and {} more", names, models.size() - 20) : names;
  }

  ListedModel chosen_model(const std::vector<ListedModel>& models) const {
    for (const ListedModel& model : models) {
      if (model.id == settings_.model) return model;
    }
    if (!settings_.model.empty()) return not_listed(models);
    if (models.empty())
      refuse(
          fmt::format("{} lists no model yet; wait until it is ready, or name one with --model", first().url.text()));
    if (models.size() > 1) {
      refuse(fmt::format("{} serves several models; choose one with --model: {}", first().url.text(), names_of(models)),
             ExitStatus::unusable_input);
    }
    return models.front();
  }

  /// Gateways serve more than they list, engines do not; llama.cpp would even answer as if it had that model.
  ListedModel not_listed(const std::vector<ListedModel>& models) const {
    ListedModel model;
    if (!models.empty()) {
      const Dialect& dialect = recognised_dialect(models.front().owned_by, server_header_);
      if (dialect.name != "plain") {
        refuse(fmt::format("{} does not serve the model \"{}\"; it serves {}", first().url.text(), settings_.model,
                           names_of(models)));
      }
      model.owned_by = models.front().owned_by;
    }
    model.id = settings_.model;
    return model;
  }

  // Engine and facts.

  const Dialect& dialect_of(const ListedModel& model) const {
    if (!settings_.engine.empty()) return dialect_named(settings_.engine);
    const Dialect& told = recognised_dialect(model.owned_by, server_header_);
    const std::string_view own = wanted_ ? endpoint_row(*wanted_).engine : "";
    return told.name == "plain" && !own.empty() ? dialect_named(own) : told;
  }

  void recognise(const ListedModel& model) {
    dialect_ = &dialect_of(model);
    target_.engine = dialect_->name;
    target_.model = model.id;
    if (model.context_tokens) target_.context_limit = Tokens(*model.context_tokens);
    target_.keeps_temperature = extra_.has_temperature;
    target_.extra_sampling = extra_.sampling;
    force_lengths();
    choose_extra_members();
  }

  /// By fields that the engine is known to take on this endpoint: on its own route all that the route has.
  void force_lengths() {
    const EndpointRow& row = endpoint_row(wanted_.value_or(Endpoint::completions));
    const bool own_route = !row.engine.empty();
    target_.sends_ignore_eos =
        !row.body.ignore_eos.empty() && (own_route || dialect_->ignore_eos) && !extra_.has_ignore_eos;
    target_.sends_min_tokens =
        !row.body.least_length.empty() && (own_route || dialect_->min_tokens) && !extra_.has_min_tokens;
  }

  /// The dialect's are of the OpenAI routes. The user's own value wins: one name twice would be refused by some
  /// engines.
  void choose_extra_members() {
    const bool openai = endpoint_row(wanted_.value_or(Endpoint::completions)).format == StreamFormat::openai;
    const bool own = !openai || !settings_.stream || extra_.has_token_ids;
    if (!own) target_.extra_members = dialect_->extra_members;
    if (extra_.text.empty()) return;
    target_.extra_members += (target_.extra_members.empty() ? "" : ",") + extra_.text;
  }

  void read_facts(const ListedModel& model) {
    const bool stated = !settings_.engine.empty();
    if (dialect_->name != "plain") {
      target_.facts.push_back({"engine.name", target_.engine, stated ? FactSource::user : FactSource::server});
    }
    target_.facts.push_back(
        {"model.id", model.id,
         settings_.model.empty() || !model.owned_by.empty() ? FactSource::server : FactSource::user});
    if (dialect_->read_facts != nullptr) dialect_->read_facts(first(), model, target_);
    for (Fact& fact : target_.facts) fact.value = credentials_.scrubbed(fact.value);
  }

  [[noreturn]] void refuse_replica(const Server& server, const std::string& difference) const {
    refuse(fmt::format("{} {}; all URLs must be replicas of one deployment", server.url.text(), difference));
  }

  void check_replica(Server& server, const ListedModel& model) {
    const std::vector<ListedModel> models = listed(server);
    const auto same = std::ranges::find(models, target_.model, &ListedModel::id);
    if (!models.empty() && same == models.end()) {
      refuse_replica(server,
                     fmt::format("does not serve the model \"{}\" that {} serves", target_.model, first().url.text()));
    }
    const ListedModel& replica = models.empty() ? model : *same;
    if (const Dialect& dialect = dialect_of(replica); dialect.name != target_.engine) {
      refuse_replica(server, fmt::format("tells engine.name \"{}\" where {} tells \"{}\"", dialect.name,
                                         first().url.text(), target_.engine));
    }
    Target told;
    if (dialect_->read_facts != nullptr) dialect_->read_facts(server, replica, told);
    keep_first_of_each_key(told.facts);
    for (const Fact& fact : told.facts) compare_fact(server, fact);
  }

  void compare_fact(const Server& server, const Fact& fact) const {
    if (is_of_one_instance(fact.key)) return;
    const auto expected = std::ranges::find(target_.facts, fact.key, &Fact::key);
    if (expected == target_.facts.end() || expected->value == credentials_.scrubbed(fact.value)) return;
    refuse_replica(server, fmt::format("tells {} \"{}\" where {} tells \"{}\"", fact.key, fact.value,
                                       first().url.text(), expected->value));
  }

  void tell_protocol() {
    if (!first().http2) return;
    target_.facts.push_back({"network.protocol", "HTTP/2", settings_.http2 ? FactSource::user : FactSource::server});
  }

  void tell_proxies() {
    for (const Server& server : target_.servers) {
      if (!server.proxy) continue;
      target_.facts.push_back({"network.proxy", server.proxy->text(), FactSource::user});
      target_.remarks.push_back(
          fmt::format("requests to {} go through the proxy {} ({}): what it adds is part of every time; without it: "
                      "no_proxy={}",
                      server.url.text(), server.proxy->text(), server.proxy->variable, server.url.host));
    }
  }

  void add_fingerprint() {
    if (target_.fingerprint.empty()) return;
    target_.fingerprint = credentials_.scrubbed(target_.fingerprint);
    target_.facts.push_back({"engine.build", target_.fingerprint, FactSource::server});
    if (dialect_->read_fingerprint != nullptr) dialect_->read_fingerprint(target_.fingerprint, target_.facts);
  }

  const TargetSettings& settings_;
  std::optional<Endpoint> wanted_;  ///< absent: whichever of the OpenAI routes serves best
  Credentials credentials_;
  ExtraMembers extra_;
  Target target_;
  const Dialect* dialect_ = nullptr;
  std::string server_header_;
};

}  // namespace

Target probe(const TargetSettings& settings) { return Prober(settings).run(); }

std::string request_path(const Target& target, const Server& server) {
  const EndpointRow& row = endpoint_row(target.endpoint);
  const std::string_view path = target.streamed ? row.path : row.whole_path;
  return (row.below_api ? server.url.api_base : server.url.root_base) + std::string(path);
}

}  // namespace loadline
