#include "engine/engine_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/api_answer.h"

namespace loadline {
namespace {

void append_metric(std::string_view name, std::string_view type, double value, std::string& out,
                   std::string_view labels = {}) {
  fmt::format_to(std::back_inserter(out), "# TYPE {0} {1}\n{0}{{model_name=\"{2}\"{3}}} {4}\n", name, type,
                 engine_model_name, labels, value);
}

}  // namespace

void SecondsHistogram::observe(Seconds span) {
  const auto bound = std::lower_bound(bounds.begin(), bounds.end(), span.count());
  ++counts_[static_cast<std::size_t>(bound - bounds.begin())];
  sum_s_ += span.count();
  ++count_;
}

void SecondsHistogram::append(std::string_view name, std::string& out) const {
  auto end = std::back_inserter(out);
  fmt::format_to(end, "# TYPE {} histogram\n", name);
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    below += counts_[i];
    const std::string bound = i < bounds.size() ? fmt::format("{}", bounds[i]) : "+Inf";
    fmt::format_to(end, "{}_bucket{{model_name=\"{}\",le=\"{}\"}} {}\n", name, engine_model_name, bound, below);
  }
  fmt::format_to(end, "{0}_sum{{model_name=\"{1}\"}} {2}\n{0}_count{{model_name=\"{1}\"}} {3}\n", name,
                 engine_model_name, sum_s_, count_);
}

std::string metrics_text(const EngineModel& model, const EngineMetrics& metrics) {
  const EngineCounters& counters = model.counters();
  const auto number = [](auto value) { return static_cast<double>(value); };
  std::string out;
  append_metric("vllm:num_requests_running", "gauge", number(model.running()), out);
  append_metric("vllm:num_requests_waiting", "gauge", number(model.waiting()), out);
  append_metric("vllm:kv_cache_usage_perc", "gauge", model.kv_usage(), out);
  append_metric("vllm:prompt_tokens_total", "counter", number(counters.prompt_tokens), out);
  append_metric("vllm:generation_tokens_total", "counter", number(counters.generation_tokens), out);
  append_metric("vllm:prefix_cache_queries_total", "counter", number(counters.cache_queries), out);
  append_metric("vllm:prefix_cache_hits_total", "counter", number(counters.cache_hits), out);
  append_metric("vllm:num_preemptions_total", "counter", number(counters.preemptions), out);
  append_metric("vllm:request_success_total", "counter", number(metrics.ended), out, ",finished_reason=\"length\"");
  append_metric("loadline:requests_aborted_total", "counter", number(metrics.aborted), out);
  metrics.time_to_first_token.append("vllm:time_to_first_token_seconds", out);
  metrics.end_to_end.append("vllm:e2e_request_latency_seconds", out);
  fmt::format_to(std::back_inserter(out),
                 "# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds {:.3f}\n", metrics.started_s);
  append_metric("loadline:engine_lag_s", "counter", metrics.lag_s, out);
  append_metric("loadline:engine_slips_total", "counter", number(metrics.slips), out);
  append_metric("loadline:engine_worst_lateness_s", "gauge", metrics.worst_lateness_s, out);
  return out;
}

}  // namespace loadline
