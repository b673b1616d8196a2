// A probe goes from what is cheap and sure to what is not: the list of models says who answers; the engine's
// own routes say how it is set up; then trial requests say how prompts must be written (prompt_trials).

#include <fmt/format.h>

#include <algorithm>
#include <array>

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

class Prober {
 public:
  explicit Prober(const TargetSettings& settings)
      : settings_(settings),
        credentials_(settings.api_key, settings.headers),
        extra_(extra_members(settings.extra_body)) {
    if (settings.urls.empty()) throw Error("--url: give the address of a server");
    constexpr std::array<std::string_view, 3> types = {"auto", "chat", "completions"};
    if (std::ranges::find(types, settings.endpoint_type) == types.end()) {
      throw Error(fmt::format("--endpoint-type {}: must be auto, chat or completions", settings.endpoint_type));
    }
    for (const std::string& text : settings.urls) target_.servers.push_back(server_at(text));
  }

  Target run() {
    const ListedModel model = chosen_model(listed(first()));
    recognise(model);
    read_facts(model);
    for (std::size_t i = 1; i < target_.servers.size(); ++i) check_replica(target_.servers[i]);
    PromptTrials(target_, settings_, credentials_).run();
    add_fingerprint();
    keep_first_of_each_key();
    return std::move(target_);
  }

 private:
  const Server& first() const { return target_.servers.front(); }

  Server server_at(const std::string& text) const {
    Server server;
    server.url = parse_url(text);
    server.headers = credentials_.header_lines();
    server.secrets = credentials_.secrets();
    server.tls = {server.url.host, settings_.ca_file, settings_.insecure};
    return server;
  }

  [[noreturn]] void refuse(std::string sentence, ExitStatus status = ExitStatus::unusable_target) const {
    refuse_target(credentials_, std::move(sentence), status);
  }

  // The list of models.

  std::vector<ListedModel> listed(const Server& server) {
    HttpCall call{"GET", server.url.api_base + "/models"};
    call.timeout = std::min(call.timeout, settings_.request_timeout);
    const HttpAnswer answer = fetch(server, call);
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

  void recognise(const ListedModel& model) {
    dialect_ = settings_.engine.empty() ? &recognised_dialect(model.owned_by, server_header_)
                                        : &dialect_named(settings_.engine);
    target_.engine = dialect_->name;
    target_.model = model.id;
    if (model.context_tokens) target_.context_limit = Tokens(*model.context_tokens);
    target_.sends_ignore_eos = dialect_->ignore_eos && !extra_.has_ignore_eos;
    target_.sends_min_tokens = dialect_->min_tokens && !extra_.has_min_tokens;
    target_.keeps_temperature = extra_.has_temperature;
    target_.extra_members = dialect_->extra_members;
    if (!extra_.text.empty()) {
      // The user's own value wins over the dialect's: one name twice would be refused by some engines.
      const bool same =
          !dialect_->extra_members.empty() && extra_.text.find("\"return_token_ids\"") != std::string::npos;
      if (same) target_.extra_members.clear();
      target_.extra_members += (target_.extra_members.empty() ? "" : ",") + extra_.text;
    }
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

  void check_replica(const Server& server) {
    const std::vector<ListedModel> models = listed(server);
    if (models.empty()) return;
    if (std::ranges::find(models, target_.model, &ListedModel::id) != models.end()) return;
    refuse(fmt::format("{} does not serve the model \"{}\" that {} serves; all URLs must be replicas of one deployment",
                       server.url.text(), target_.model, first().url.text()));
  }

  void add_fingerprint() {
    if (target_.fingerprint.empty()) return;
    target_.fingerprint = credentials_.scrubbed(target_.fingerprint);
    target_.facts.push_back({"engine.build", target_.fingerprint, FactSource::server});
    if (dialect_->read_fingerprint != nullptr) dialect_->read_fingerprint(target_.fingerprint, target_.facts);
  }

  /// Two routes may tell one fact: the one asked first is kept.
  void keep_first_of_each_key() {
    std::vector<Fact> kept;
    for (Fact& fact : target_.facts) {
      if (std::ranges::find(kept, fact.key, &Fact::key) == kept.end()) kept.push_back(std::move(fact));
    }
    target_.facts = std::move(kept);
  }

  const TargetSettings& settings_;
  Credentials credentials_;
  ExtraMembers extra_;
  Target target_;
  const Dialect* dialect_ = nullptr;
  std::string server_header_;
};

}  // namespace

Target probe(const TargetSettings& settings) { return Prober(settings).run(); }

std::string request_path(const Target& target, const Server& server) {
  return server.url.api_base + (target.endpoint == Endpoint::chat ? "/chat/completions" : "/completions");
}

}  // namespace loadline
