#include "app/run_spec.h"

#include <utility>

namespace loadline {

void settle_max_concurrency(RunSpec& spec) {
  const bool open_loop = !spec.request_rate.empty() || spec.arrivals == "trace";
  if (spec.max_concurrency.empty() || open_loop) return;
  if (!spec.concurrency.empty()) {
    throw Error(
        "--max-concurrency is --concurrency by another name where there is no --request-rate; give one of them");
  }
  spec.concurrency = std::move(spec.max_concurrency);
  spec.max_concurrency.clear();
}

const std::vector<OptionRow<RunSpec>>& run_option_rows() {
  static const std::vector<OptionRow<RunSpec>> rows = {
      {"--url,--base-url", "URL",
       "server to measure (repeatable: replicas of one deployment); without it the embedded engine is started on a "
       "free loopback port",
       &RunSpec::url, "Target"},
      {"--balance", "NAME",
       "several URLs: round-robin (the default), or least-outstanding, which sends to the server with the fewest "
       "requests in flight",
       &RunSpec::balance, "Target"},
      {"--model", "NAME", "model to ask for; asked from the server when absent", &RunSpec::model, "Target"},
      {"--endpoint-type", "TYPE",
       "auto, chat, completions, responses, messages (Anthropic), tgi, sglang, llamacpp, ollama or embeddings; auto "
       "takes completions with token ids where the server keeps their count, else chat",
       &RunSpec::endpoint_type, "Target"},
      {"--no-stream", "", "ask for answers in one piece: end-to-end times and counts alone, no times of tokens",
       &RunSpec::no_stream, "Target"},
      {"--engine", "NAME", "engine dialect, when the server's answer is misleading", &RunSpec::engine, "Target"},
      {"--api-key", "KEY", "bearer token; also read from OPENAI_API_KEY; never stored", &RunSpec::api_key, "Target",
       true, false},
      {"--header", "LINE", "extra request header 'Name: value' (repeatable; values are never stored)", &RunSpec::header,
       "Target", true, false},
      {"--extra-body", "JSON", "members added to every request body", &RunSpec::extra_body, "Target"},
      {"--ca-file", "FILE", "certificates to trust beside the system's", &RunSpec::ca_file, "Target"},
      {"--client-cert", "FILE", "certificate (PEM, with its chain) to show to the server", &RunSpec::client_cert,
       "Target"},
      {"--client-key", "FILE", "its private key (PEM); default: in the certificate's file", &RunSpec::client_key,
       "Target"},
      {"--source-address", "IP",
       "an address of this machine that connections come from (repeatable: each in turn; one carries 28,000)",
       &RunSpec::source_address, "Target"},
      {"--insecure", "", "do not verify the server's certificate", &RunSpec::insecure, "Target"},
      {"--http2", "",
       "speak HTTP/2, also where the server would speak HTTP/1.1 (a server that speaks nothing else gets it unasked)",
       &RunSpec::http2, "Target"},
      {"--retries", "N",
       "send a request that was turned away before any output again, at most N times; its latency counts from the "
       "first attempt (default 0)",
       &RunSpec::retries, "Target"},
      {"--tokenizer", "FILE",
       "tokenizer.json of the model, or its folder: counts the answers of a server that reports no usage (a stated "
       "doubt), and checks one that does",
       &RunSpec::tokenizer, "Target"},
      {"--fact,--engine-fact", "KEY=VALUE",
       "a fact the server does not tell, such as model.quantization=fp8 (repeatable)", &RunSpec::fact, "Target"},

      {"--engine-speed", "X",
       "embedded engine: its time runs X times faster; results are in engine time, wall time stands beside",
       &RunSpec::engine_speed, "Embedded engine"},
      {"--engine-parameter", "KEY=VALUE",
       "embedded engine: another parameter of its model (repeatable; `loadline engine --help` names them)",
       &RunSpec::engine_parameter, "Embedded engine"},

      {"--calibrate-from", "RUN",
       "simulate: fit the engine model to the levels of a finished run and predict; requests, objectives and cache rate are "
       "the run's, where nothing else is said; --hardware 8xH200-SXM moves the engine there by the hardware table",
       &RunSpec::calibrate_from, "Prediction"},
      {"--cache-rate", "SHARE",
       "with --calibrate-from: this share of each prompt is found in the prefix cache, such as 0.4",
       &RunSpec::cache_rate, "Prediction"},

      {"--trace", "FILE",
       "production log, or builtin:NAME (repeatable; default builtin:chat-azure-2023, an assumption)", &RunSpec::trace,
       "Input"},
      {"--trace-format", "NAME", "format of the log, when its content is not recognised", &RunSpec::trace_format,
       "Input"},
      {"--map", "FIELDS",
       "read a CSV or JSON lines by its fields: prompt=NAME,completion=NAME,time=NAME[:s|ms|us|ns],... (see `loadline "
       "trace stats --help`)",
       &RunSpec::map, "Input"},
      {"--tokens-per-char", "RATIO",
       "tokens of a character, for rows of the log whose tokens nobody counted (a stated doubt)",
       &RunSpec::tokens_per_char, "Input"},
      {"--sampler", "NAME",
       "sessions (whole sessions or families of prompts), rows (independent rows) or replay (a contiguous window); "
       "default: sessions where the log shares beginnings, else rows (replay with --arrivals trace and --cache warm)",
       &RunSpec::sampler, "Input"},
      {"--content", "WHAT",
       "synthetic: prompts of exact lengths that share what the log's share; log: the log's own text, as it stands",
       &RunSpec::content, "Input"},
      {"--scale-lengths", "F", "all lengths times F (a stated doubt)", &RunSpec::scale_lengths, "Input"},
      {"--max-prompt-tokens", "N", "limit of the prompts, such as the model's context (a stated doubt)",
       &RunSpec::max_prompt_tokens, "Input"},
      {"--workload-mean", "",
       "every request with the input's mean prompt and mean completion: a demonstration of what means hide (a stated "
       "doubt)",
       &RunSpec::workload_mean, "Input"},
      {"--workload-repeat", "",
       "one prompt of mean length, sent again and again: a demonstration that measures the prefix cache (a stated doubt)",
       &RunSpec::workload_repeat, "Input"},
      {"--over-limit", "WHAT", "clip: longer prompts are cut at the limit (the default); drop: they are left out",
       &RunSpec::over_limit, "Input"},
      {"--cache", "STATE",
       "cold (every level starts with a reset cache and prompts never seen), warm (reset, then filled with the "
       "requests that the log has before the replayed window) or as-found",
       &RunSpec::cache, "Input"},
      {"--warm-requests", "N",
       "with --cache warm: at most so many requests fill the cache before each level (default 1000)",
       &RunSpec::warm_requests, "Input"},
      {"--seed", "N", "decides all draws: one seed, one plan", &RunSpec::seed, "Input"},
      {"--salt", "TEXT",
       "enters every prompt, so that no run repeats another's; default: fresh for each run, in the report",
       &RunSpec::salt, "Input"},

      {"--concurrency", "LIST", "levels in users, such as 1,2,4; default: a sweep through and past the operating point",
       &RunSpec::concurrency, "Load"},
      {"--request-rate", "LIST", "levels in requests/s (open loop), such as 1,2,4", &RunSpec::request_rate, "Load"},
      {"--max-concurrency,--max-in-flight", "N",
       "open loop: at most N requests in flight, later ones wait and are late; without an open loop the same as "
       "--concurrency",
       &RunSpec::max_concurrency, "Load"},
      {"--arrivals", "NAME",
       "open loop: poisson (the default), constant, gamma (with --burstiness) or trace (the log's own times, by "
       "--sampler replay)",
       &RunSpec::arrivals, "Load"},
      {"--burstiness", "SHAPE",
       "gamma arrivals: shape of the gaps; below 1 burstier than Poisson, 1 is Poisson, above 1 steadier",
       &RunSpec::burstiness, "Load"},
      {"--arrival-scale", "LIST",
       "trace arrivals: levels at so many times the log's own speed, such as 0.5,1,2 (default 1)",
       &RunSpec::arrival_scale, "Load"},
      {"--think-times", "",
       "open loop: later turns come their logged pause after the answer before, not at times of the process (with "
       "--arrivals trace they always do)",
       &RunSpec::think_times, "Load"},
      {"--ramp", "SPAN", "closed levels: users start evenly over this span, such as 10s (default: all at once)",
       &RunSpec::ramp, "Load"},
      {"--client-threads", "N",
       "I/O threads of this client, on each machine (default: all cores but one, at most 8; 1 for the embedded engine)",
       &RunSpec::client_threads, "Load", false, false},
      {"--max-users", "N", "the sweep's largest level", &RunSpec::max_users, "Load"},
      {"--search", "", "the capacity alone: a rough ramp in place of the curve, then visits near the crossing",
       &RunSpec::search, "Load"},
      {"--no-refine", "", "the curve alone, without visits near the crossing", &RunSpec::no_refine, "Load"},
      {"--refine", "WHETHER", "false: the same as --no-refine; true: the default", &RunSpec::refine, "Load"},
      {"--capacity-precision", "SHARE",
       "visits go on until the half width of the capacity's interval is this share of it (default 5%; twice that for "
       "--open)",
       &RunSpec::capacity_precision, "Load"},
      {"--budget", "SPAN",
       "engine time that a sweep or search may take, such as 15m (default 2h, and as much again for --open); it is "
       "spent where it narrows the capacity most",
       &RunSpec::budget, "Load"},
      {"--open", "", "then find the rate of Poisson arrivals that meets the objective: users who do not wait",
       &RunSpec::open, "Load"},
      {"--up-and-down", "", "run the curve's levels downwards too, and report where they differ (hysteresis)",
       &RunSpec::up_and_down, "Load"},
      {"--repeats", "N", "run the whole sweep N times; the report tells how far its capacities lie apart",
       &RunSpec::repeats, "Load"},
      {"--warmup-requests", "N", "warm-up of exactly N requests a level instead of the method's; 0: none",
       &RunSpec::warmup_requests, "Load"},
      {"--num-prompts", "N", "measure exactly N requests a level", &RunSpec::num_prompts, "Load"},
      {"--duration", "SPAN", "measure exactly this long a level, such as 120s", &RunSpec::duration, "Load"},
      {"--max-requests", "N", "measured requests after which a level ends undecided (5000)", &RunSpec::max_requests,
       "Load"},
      {"--max-duration", "SPAN", "measured time after which a level ends undecided (600s; 60s for 1 to 4 users)",
       &RunSpec::max_duration, "Load"},
      {"--until", "WHAT", "stable: a level goes on until its p99 has stabilised, also when its verdict is decided",
       &RunSpec::until, "Load"},
      {"--until-stable", "", "the same as --until stable", &RunSpec::until_stable, "Load"},
      {"--first-byte-timeout", "SPAN", "longest wait for the first byte of an answer", &RunSpec::first_byte_timeout,
       "Timeouts"},
      {"--idle-timeout", "SPAN", "longest silence inside an answer", &RunSpec::idle_timeout, "Timeouts"},
      {"--total-timeout,--timeout", "SPAN", "longest answer", &RunSpec::total_timeout, "Timeouts"},
      {"--connect-timeout", "SPAN", "longest connect, TLS handshake included", &RunSpec::connect_timeout, "Timeouts"},

      {"--decision", "NAME", "capacity, interactive, batch or comparison: names the primary metric", &RunSpec::decision,
       "Decision"},
      {"--slo", "OBJECTIVE",
       "objective such as 'p99 ttft<=1000ms' or 'p99 ttft<=500ms where prompt<=2000' (repeatable: all must hold)",
       &RunSpec::slo, "Decision"},
      {"--goodput", "LIMITS", "limits per request in ms, such as 'ttft:1000 tpot:50'; default: the objectives' numbers",
       &RunSpec::goodput, "Decision"},
      {"--price-per-hour", "PRICE", "of the whole deployment, for the cost per million output tokens",
       &RunSpec::price_per_hour, "Decision"},

      {"--hardware", "NxNAME", "such as 8xH100-SXM, for the bound", &RunSpec::hardware, "Bound"},
      {"--model-config", "PATH", "config.json of the model, or its folder, for the bound", &RunSpec::model_config,
       "Bound"},
      {"--weights", "TYPE", "type of the weights, when the config does not say (bf16, fp8, int4, ...)",
       &RunSpec::weights, "Bound"},
      {"--kv", "TYPE", "type of the KV cache (bf16, fp8)", &RunSpec::kv, "Bound"},

      {"--output-dir", "FOLDER", "run folder; one that exists is refused (default runs/<date>-<model>-<n>)",
       &RunSpec::output_dir, "Output", false, false},
      {"--ui", "KIND", "progress on standard error: live, plain or none", &RunSpec::ui, "Output", false, false},
      {"--quiet", "", "no progress, no page on the terminal", &RunSpec::quiet, "Output", false, false},
      {"--json", "", "print report.json to standard output", &RunSpec::json, "Output", false, false},
      {"--check", "", "run: a few small requests, the facts, the expected cost, then exit", &RunSpec::check, "Output",
       false, false},
  };
  return rows;
}

}  // namespace loadline
