#include "app/run_spec.h"

namespace loadline {

const std::vector<OptionRow<RunSpec>>& run_option_rows() {
  static const std::vector<OptionRow<RunSpec>> rows = {
      {"--url,--base-url", "URL", "server to measure; without it the embedded engine is started on a free loopback port", &RunSpec::url, "Target"},
      {"--model", "NAME", "model to ask for; asked from the server when absent", &RunSpec::model, "Target"},
      {"--endpoint-type", "TYPE", "auto, chat or completions; auto takes completions with token ids where the server keeps their count, else chat", &RunSpec::endpoint_type, "Target"},
      {"--engine", "NAME", "engine dialect, when the server's answer is misleading", &RunSpec::engine, "Target"},
      {"--api-key", "KEY", "bearer token; also read from OPENAI_API_KEY; never stored", &RunSpec::api_key, "Target", true, false},
      {"--header", "LINE", "extra request header 'Name: value' (repeatable; values are never stored)", &RunSpec::header, "Target", true, false},
      {"--extra-body", "JSON", "members added to every request body", &RunSpec::extra_body, "Target"},
      {"--ca-file", "FILE", "certificates to trust beside the system's", &RunSpec::ca_file, "Target"},
      {"--insecure", "", "do not verify the server's certificate", &RunSpec::insecure, "Target"},
      {"--fact,--engine-fact", "KEY=VALUE", "a fact the server does not tell, such as model.quantization=fp8 (repeatable)", &RunSpec::fact, "Target"},

      {"--engine-speed", "X", "embedded engine: its time runs X times faster; results are in engine time, wall time stands beside", &RunSpec::engine_speed, "Embedded engine"},
      {"--engine-parameter", "KEY=VALUE", "embedded engine: another parameter of its model (repeatable; `loadline engine --help` names them)", &RunSpec::engine_parameter, "Embedded engine"},

      {"--trace", "FILE", "production log, or builtin:NAME (repeatable; default builtin:chat-azure-2023, an assumption)", &RunSpec::trace, "Input"},
      {"--trace-format", "NAME", "format of the log, when its content is not recognised", &RunSpec::trace_format, "Input"},
      {"--sampler", "NAME", "rows (independent rows) or replay (a contiguous window); default: replay where the log has prefix hashes", &RunSpec::sampler, "Input"},
      {"--scale-lengths", "F", "all lengths times F (a stated doubt)", &RunSpec::scale_lengths, "Input"},
      {"--max-prompt-tokens", "N", "prompts are cut at N tokens (a stated doubt)", &RunSpec::max_prompt_tokens, "Input"},
      {"--cache", "STATE", "cold (every level starts with a reset cache and prompts never seen) or as-found", &RunSpec::cache, "Input"},
      {"--seed", "N", "decides all draws: one seed, one plan", &RunSpec::seed, "Input"},
      {"--salt", "TEXT", "enters every prompt, so that no run repeats another's; default: fresh for each run, in the report", &RunSpec::salt, "Input"},

      {"--concurrency,--max-concurrency", "LIST", "levels in users, such as 1,2,4; default: a sweep through and past the operating point", &RunSpec::concurrency, "Load"},
      {"--request-rate", "LIST", "levels in requests/s (open loop), such as 1,2,4", &RunSpec::request_rate, "Load"},
      {"--arrivals", "NAME", "open loop: poisson or constant", &RunSpec::arrivals, "Load"},
      {"--max-users", "N", "the sweep's largest level", &RunSpec::max_users, "Load"},
      {"--warmup-requests", "N", "warm-up of exactly N requests a level instead of the method's; 0: none", &RunSpec::warmup_requests, "Load"},
      {"--num-prompts", "N", "measure exactly N requests a level", &RunSpec::num_prompts, "Load"},
      {"--duration", "SPAN", "measure exactly this long a level, such as 120s", &RunSpec::duration, "Load"},
      {"--max-requests", "N", "measured requests after which a level ends undecided (5000)", &RunSpec::max_requests, "Load"},
      {"--max-duration", "SPAN", "measured time after which a level ends undecided (600s; 60s for 1 to 4 users)", &RunSpec::max_duration, "Load"},
      {"--until", "WHAT", "stable: a level goes on until its p99 has stabilised, also when its verdict is decided", &RunSpec::until, "Load"},
      {"--first-byte-timeout", "SPAN", "longest wait for the first byte of an answer", &RunSpec::first_byte_timeout, "Timeouts"},
      {"--idle-timeout", "SPAN", "longest silence inside an answer", &RunSpec::idle_timeout, "Timeouts"},
      {"--total-timeout", "SPAN", "longest answer", &RunSpec::total_timeout, "Timeouts"},

      {"--decision", "NAME", "capacity, interactive or batch: names the primary metric", &RunSpec::decision, "Decision"},
      {"--slo", "OBJECTIVE", "objective such as 'p99 ttft<=1000ms' (repeatable: all must hold)", &RunSpec::slo, "Decision"},
      {"--goodput", "LIMITS", "limits per request in ms, such as 'ttft:1000 tpot:50'; default: the objectives' numbers", &RunSpec::goodput, "Decision"},
      {"--price-per-hour", "PRICE", "of the whole deployment, for the cost per million output tokens", &RunSpec::price_per_hour, "Decision"},

      {"--hardware", "NxNAME", "such as 8xH100-SXM, for the bound", &RunSpec::hardware, "Bound"},
      {"--model-config", "PATH", "config.json of the model, or its folder, for the bound", &RunSpec::model_config, "Bound"},
      {"--weights", "TYPE", "type of the weights, when the config does not say (bf16, fp8, int4, ...)", &RunSpec::weights, "Bound"},
      {"--kv", "TYPE", "type of the KV cache (bf16, fp8)", &RunSpec::kv, "Bound"},

      {"--output-dir", "FOLDER", "run folder; one that exists is refused (default runs/<date>-<model>-<n>)", &RunSpec::output_dir, "Output", false, false},
      {"--ui", "KIND", "progress on standard error: live, plain or none", &RunSpec::ui, "Output", false, false},
      {"--quiet", "", "no progress, no page on the terminal", &RunSpec::quiet, "Output", false, false},
      {"--json", "", "print report.json to standard output", &RunSpec::json, "Output", false, false},
      {"--check", "", "run: up to three small requests, the facts, the expected cost, then exit", &RunSpec::check, "Output", false, false},
  };
  return rows;
}

}  // namespace loadline
