// vLLM: its version always, everything else only in its development mode (/server_info). The fingerprint
// "vllm-VERSION[-tpN][-ppN][-dpN]-HASH" tells parallel degrees that are not 1.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "target/dialect.h"
#include "target/server_facts.h"

namespace loadline {
namespace {

const std::vector<FactRow>& vllm_rows() {
  static const std::vector<FactRow> rows = {
      {"model.dtype", "/model_config/dtype"},
      {"model.revision", "/model_config/revision"},
      {"model.kv_cache_dtype", "/cache_config/cache_dtype"},
      {"hardware.parallelism.tp", "/parallel_config/tensor_parallel_size"},
      {"hardware.parallelism.pp", "/parallel_config/pipeline_parallel_size"},
      {"hardware.parallelism.dp", "/parallel_config/data_parallel_size"},
      {"flags.enable_expert_parallel", "/parallel_config/enable_expert_parallel"},
      {"flags.max_model_len", "/model_config/max_model_len"},
      {"flags.enforce_eager", "/model_config/enforce_eager"},
      {"flags.block_size", "/cache_config/block_size"},
      {"flags.enable_prefix_caching", "/cache_config/enable_prefix_caching"},
      {"flags.num_gpu_blocks", "/cache_config/num_gpu_blocks"},
      {"flags.kv_cache_size_tokens", "/cache_config/kv_cache_size_tokens"},
      {"flags.gpu_memory_utilization", "/cache_config/gpu_memory_utilization"},
      {"flags.max_num_seqs", "/scheduler_config/max_num_seqs"},
      {"flags.max_num_batched_tokens", "/scheduler_config/max_num_batched_tokens"},
      {"flags.enable_chunked_prefill", "/scheduler_config/enable_chunked_prefill"},
      {"flags.stream_interval", "/scheduler_config/stream_interval"},
      {"flags.scheduling_policy", "/scheduler_config/policy"},
      {"flags.max_num_queued_reqs", "/scheduler_config/max_num_queued_reqs"}};
  return rows;
}

void add_vllm_system(const nlohmann::json& told, std::vector<Fact>& facts) {
  add_told(facts, "flags.nvidia_driver_version", told_text(told, "/system_env/nvidia_driver_version"));
  const std::string models = told_text(told, "/system_env/nvidia_gpu_models");
  // "GPU 0: NVIDIA H100 80GB HBM3\nGPU 1: ...": one line a device.
  if (models.empty()) return;
  const auto lines =
      static_cast<std::size_t>(std::count(models.begin(), models.end(), '\n')) + (models.ends_with('\n') ? 0 : 1);
  std::string first = models.substr(0, models.find('\n'));
  if (const std::size_t colon = first.find(": "); first.starts_with("GPU") && colon != first.npos)
    first.erase(0, colon + 2);
  add_told(facts, "flags.gpu_model", first);
  add_told(facts, "flags.gpus_visible", fmt::format("{}", lines));
}

}  // namespace

void read_vllm_facts(const Server& server, const ListedModel& model, Target& target) {
  if (const auto version = ask_json(server, "/version")) {
    add_told(target.facts, "engine.version", told_text(*version, "/version"));
  }
  add_told(target.facts, "flags.model_root", model.root);
  const std::optional<nlohmann::json> told = ask_json(server, "/server_info?config_format=json");
  if (!told) return;  // not in development mode: the rest must be stated by the user
  const auto config = told->find("vllm_config");
  if (config != told->end() && config->is_object()) {
    add_told_rows(target.facts, *config, vllm_rows());
    add_told_or_none(target.facts, "model.quantization", *config, "/model_config/quantization");
    add_told_speculation(target.facts, *config, "/speculative_config");
  }
  add_vllm_system(*told, target.facts);
}

void read_vllm_fingerprint(std::string_view fingerprint, std::vector<Fact>& facts) {
  constexpr std::string_view start = "vllm-";
  if (!fingerprint.starts_with(start)) return;
  fingerprint.remove_prefix(start.size());
  const std::size_t version_end = fingerprint.find('-');
  add_told(facts, "engine.version", std::string(fingerprint.substr(0, version_end)));
  constexpr std::array<std::pair<std::string_view, const char*>, 3> degrees = {
      {{"-tp", "hardware.parallelism.tp"}, {"-pp", "hardware.parallelism.pp"}, {"-dp", "hardware.parallelism.dp"}}};
  for (const auto& [mark, key] : degrees) {
    int degree = 1;
    if (const std::size_t at = fingerprint.find(mark); at != fingerprint.npos) {
      const char* first = fingerprint.data() + at + mark.size();
      if (std::from_chars(first, fingerprint.data() + fingerprint.size(), degree).ec != std::errc()) continue;
    }
    add_told(facts, key, fmt::format("{}", degree));
  }
}

}  // namespace loadline
