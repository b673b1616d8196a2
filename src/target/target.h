#pragma once
// What we talk to: found out before the load by asking, once, with the requests that the load will send.
// Knows engines and their habits; knows nothing of schedules or results.

#include <atomic>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/fact.h"
#include "core/prompt.h"
#include "core/units.h"
#include "target/endpoint.h"
#include "target/fetch.h"

namespace loadline {

/// What the user says about the target.
struct TargetSettings {
  std::vector<std::string> urls;       ///< replicas of one deployment; at least one
  std::string model;                   ///< empty: asked from the server
  std::string endpoint_type = "auto";  ///< "auto", or a name or an alias of target/endpoint.h
  bool stream = true;                  ///< false: answers are asked for in one piece
  std::string engine;                  ///< a dialect's name; empty: recognised
  std::string api_key;
  std::vector<std::string> headers;  ///< "Name: value"
  std::string extra_body;            ///< a JSON object; empty: none
  std::string ca_file;
  bool insecure = false;
  bool http2 = false;  ///< also where the server speaks HTTP/1.1; a server that speaks nothing else gets it anyhow
  std::string client_certificate_file, client_key_file;  ///< PEM; empty: none
  /// Of URLs (Url::text) that were looked up before; the others are looked up now.
  std::map<std::string, std::vector<Address>> addresses;
  Nanos request_timeout = std::chrono::seconds(120);  ///< of each trial request; the first may load a model
  bool log_texts = false;  ///< the load sends the log's own texts: how prompts get their lengths is not tried
  const std::atomic<bool>* stop = nullptr;     ///< set: every request is given up, and the probe with it; may be null
  Nanos busy_pause = std::chrono::seconds(1);  ///< before a trial request that met 429 or 503 is tried again
  Environment environment = [](const char* variable) -> const char* { return std::getenv(variable); };  ///< for proxies
};

/// A server that answered, and what is known of it. Holds header lines with keys: only facts are ever shown.
struct Target {
  std::string engine = "plain";  ///< the dialect; "plain" where the engine is not recognised
  std::vector<Server> servers;
  Endpoint endpoint = Endpoint::completions;
  bool streamed = true;     ///< answers come token by token, else in one piece
  std::string model;        ///< the id that requests name
  std::vector<Fact> facts;  ///< each with its source; no secrets
  bool simulated = false;   ///< loadline's own engine: its time is a model's

  bool token_ids = false;  ///< prompts are token ids, and the server counted exactly those sent
  Vocabulary vocabulary;   ///< of those ids
  /// Prompts of words: a prompt of w words counts as template_tokens + tokens_per_word * w. Absent where the
  /// server does not count: then a word is taken for a token, and the result must say so.
  std::optional<double> tokens_per_word;
  double template_tokens = 0;  ///< what the chat template adds
  /// Then that line is exact, and both are whole numbers: a prompt is the opening word (target/words.h) and words of
  /// `exact_words`, one token each, and the server counted such a prompt as it was made.
  bool exact_text = false;
  std::vector<std::uint32_t> exact_words;  ///< indices into common_words()

  bool sends_ignore_eos = false, sends_min_tokens = false;  ///< the engine is known to take them
  bool forced_lengths = false;                              ///< and one answer had exactly the length asked for
  bool reports_usage = false;                               ///< the stream ended with token counts
  std::string extra_members;                                ///< more members of every body, raw JSON without braces
  std::string extra_sampling;                               ///< the same, of the body's container (wire/request_body.h)
  bool keeps_temperature = false;                           ///< one of both has a temperature of its own
  std::optional<Tokens> context_limit;                      ///< prompt and answer together
  std::string fingerprint;           ///< system_fingerprint: equal while the server's configuration is
  std::vector<std::string> remarks;  ///< what the user should know, a sentence each
};

/// Asks each server for its models, recognises the engine, reads its facts, and sends a few small streamed requests:
/// two or three, and up to 24 more of one output token where prompts must be text (target/exact_text.h). The first URL
/// is asked everything; each further one answers a trial too, and must be the same: Error naming the fact and the URL
/// that differ. Error (unusable_target) naming the URL and what to do where it cannot be used: also where it answers in
/// one piece though it was to stream, without a token, not in time, or stays busy; Error (unusable_input) where the
/// settings cannot be meant.
Target probe(const TargetSettings& settings);

/// The path of generation requests on that server.
std::string request_path(const Target& target, const Server& server);

}  // namespace loadline
