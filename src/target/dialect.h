#pragma once
// One row per engine: how it is recognised, which fields beyond OpenAI's it is known to take, where its
// facts are, how its cache is emptied and which of its counters tell of it. docs/reference names the sources.
// A field is never sent to an engine that is not known to take it: some refuse the whole request.

#include <span>
#include <string_view>
#include <vector>

#include "target/listed_models.h"
#include "target/target.h"

namespace loadline {

/// Names in the Prometheus text; several are added up; none: the engine does not tell.
struct CounterNames {
  std::vector<std::string_view> prompt_tokens, generation_tokens, cache_hits, cache_queries, running, waiting;
};

struct Dialect {
  std::string_view name;
  std::string_view owned_by;       ///< in /v1/models
  std::string_view server_header;  ///< the Server header begins so; "": it does not tell
  bool ignore_eos = false, min_tokens = false;
  std::string_view extra_members;  ///< raw JSON members that make its streams more exact
  void (*read_facts)(const Server& server, const ListedModel& model, Target& target) = nullptr;
  void (*read_fingerprint)(std::string_view fingerprint, std::vector<Fact>& facts) = nullptr;
  std::string_view reset_path;      ///< POST empties the prefix cache; "": it cannot be told to
  bool reset_says_success = false;  ///< the answer's JSON must hold "success": true
  CounterNames counters;
  std::string_view tokenize_member;  ///< POST /tokenize counts the text in this member; "": no such route is known
};

std::span<const Dialect> dialects();
/// Error listing the names.
const Dialect& dialect_named(std::string_view name);
/// By the model's owner, else by the Server header, else "plain".
const Dialect& recognised_dialect(std::string_view owned_by, std::string_view server_header);

// Readers of facts, a file each.
void read_loadline_facts(const Server& server, const ListedModel& model, Target& target);
void read_llamacpp_facts(const Server& server, const ListedModel& model, Target& target);
void read_vllm_facts(const Server& server, const ListedModel& model, Target& target);
void read_vllm_fingerprint(std::string_view fingerprint, std::vector<Fact>& facts);
void read_tgi_facts(const Server& server, const ListedModel& model, Target& target);
void read_ollama_facts(const Server& server, const ListedModel& model, Target& target);
void read_sglang_facts(const Server& server, const ListedModel& model, Target& target);

}  // namespace loadline
