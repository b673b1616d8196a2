#include "target/dialect.h"

#include <fmt/format.h>

#include "core/error.h"

namespace loadline {
namespace {

/// Chunks then tell their token ids, so that tokens are counted and timed exactly, empty text included.
constexpr std::string_view token_ids_per_chunk = R"("return_token_ids":true)";

CounterNames vllm_counters() {
  return {{"vllm:prompt_tokens_total"},        {"vllm:generation_tokens_total"}, {"vllm:prefix_cache_hits_total"},
          {"vllm:prefix_cache_queries_total"}, {"vllm:num_requests_running"},    {"vllm:num_requests_waiting"}};
}

Dialect loadline_dialect() {
  Dialect row{"loadline", "loadline", "loadline", true, true};
  row.read_facts = read_loadline_facts;
  row.reset_path = "/reset_prefix_cache";
  row.reset_says_success = true;
  row.counters = vllm_counters();  // it speaks vLLM's names
  return row;
}

Dialect llamacpp_dialect() {
  Dialect row{"llama.cpp", "llamacpp", "llama.cpp", true, false};
  row.read_facts = read_llamacpp_facts;
  // Its prompt counter holds only what was computed: what the cache gave stands beside it.
  row.counters = {{"llamacpp:prompt_tokens_total", "llamacpp:prompt_tokens_cached_total"},
                  {"llamacpp:tokens_predicted_total"},
                  {"llamacpp:prompt_tokens_cached_total"},
                  {"llamacpp:prompt_tokens_total", "llamacpp:prompt_tokens_cached_total"},
                  {"llamacpp:requests_processing"},
                  {"llamacpp:requests_deferred"}};
  row.tokenize_member = "content";
  return row;
}

Dialect vllm_dialect() {
  Dialect row{"vllm", "vllm", "", true, true, token_ids_per_chunk};
  row.read_facts = read_vllm_facts;
  row.read_fingerprint = read_vllm_fingerprint;
  row.reset_path = "/reset_prefix_cache";
  row.reset_says_success = true;
  row.counters = vllm_counters();
  row.tokenize_member = "prompt";
  return row;
}

Dialect sglang_dialect() {
  Dialect row{"sglang", "sglang", "", true, true, token_ids_per_chunk};
  row.read_facts = read_sglang_facts;
  row.reset_path = "/flush_cache?timeout=5";
  row.counters = {{"sglang:prompt_tokens_total"}, {"sglang:generation_tokens_total"}, {"sglang:cached_tokens_total"},
                  {"sglang:prompt_tokens_total"}, {"sglang:num_running_reqs"},        {"sglang:num_queue_reqs"}};
  row.tokenize_member = "prompt";
  return row;
}

Dialect dynamo_dialect() {
  Dialect row{"dynamo", "nvidia", "", true, true};
  row.counters = {{"dynamo_frontend_input_sequence_tokens_sum"}, {"dynamo_frontend_output_tokens_total"},
                  {"dynamo_frontend_cached_tokens_sum"},         {"dynamo_frontend_input_sequence_tokens_sum"},
                  {"dynamo_frontend_inflight_requests"},         {"dynamo_frontend_queued_requests"}};
  return row;
}

Dialect tgi_dialect() {
  Dialect row{"tgi", "", "", false, false};
  row.read_facts = read_tgi_facts;
  row.counters = {{"tgi_request_input_length_sum"},
                  {"tgi_request_generated_tokens_sum"},
                  {},
                  {},
                  {"tgi_batch_current_size"},
                  {"tgi_queue_size"}};
  row.tokenize_member = "inputs";
  return row;
}

Dialect ollama_dialect() {
  Dialect row{"ollama", "library", "", false, false};
  row.read_facts = read_ollama_facts;
  return row;
}

/// Engines that are recognised, with what little is known of them.
Dialect named_dialect(std::string_view engine_name, std::string_view owned_by, bool ignore_eos) {
  return Dialect{engine_name, owned_by, "", ignore_eos, false};
}

}  // namespace

std::span<const Dialect> dialects() {
  static const std::vector<Dialect> rows = {loadline_dialect(),
                                            llamacpp_dialect(),
                                            vllm_dialect(),
                                            sglang_dialect(),
                                            dynamo_dialect(),
                                            tgi_dialect(),
                                            ollama_dialect(),
                                            named_dialect("tensorrt-llm", "tensorrt_llm", false),
                                            named_dialect("lmdeploy", "lmdeploy", true),
                                            named_dialect("mistral.rs", "local", true),
                                            named_dialect("plain", "", false)};
  return rows;
}

const Dialect& dialect_named(std::string_view name) {
  std::string known;
  for (const Dialect& row : dialects()) {
    if (row.name == name) return row;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  throw Error(fmt::format("--engine {}: this engine is not known; known are {}", name, known));
}

const Dialect& recognised_dialect(std::string_view owned_by, std::string_view server_header) {
  for (const Dialect& row : dialects()) {
    if (!row.owned_by.empty() && row.owned_by == owned_by) return row;
  }
  for (const Dialect& row : dialects()) {
    if (!row.server_header.empty() && server_header.starts_with(row.server_header)) return row;
  }
  return dialect_named("plain");
}

}  // namespace loadline
