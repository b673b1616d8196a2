#include "app/description.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/calibration_json.h"
#include "app/prediction_json.h"
#include "core/error.h"

namespace loadline {
namespace {

using Json = nlohmann::json;

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

template <class Value>
std::optional<Value> optional_of(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || found->is_null()) return std::nullopt;
  return found->get<Value>();
}

struct LengthField {
  const char* key;
  std::int64_t LengthSummary::* member;
};
constexpr std::array<LengthField, 12> length_fields = {{{"min", &LengthSummary::min},
                                                        {"p1", &LengthSummary::p1},
                                                        {"p5", &LengthSummary::p5},
                                                        {"p10", &LengthSummary::p10},
                                                        {"p25", &LengthSummary::p25},
                                                        {"p50", &LengthSummary::p50},
                                                        {"p75", &LengthSummary::p75},
                                                        {"p90", &LengthSummary::p90},
                                                        {"p95", &LengthSummary::p95},
                                                        {"p99", &LengthSummary::p99},
                                                        {"p99_9", &LengthSummary::p99_9},
                                                        {"max", &LengthSummary::max}}};

Json lengths_json(const LengthSummary& lengths) {
  Json json = {{"n", lengths.n}, {"mean", lengths.mean}};
  for (const LengthField& field : length_fields) json[field.key] = lengths.*field.member;
  return json;
}

LengthSummary lengths_from(const Json& json) {
  LengthSummary lengths;
  lengths.n = json.at("n").get<std::uint64_t>();
  lengths.mean = json.at("mean").get<double>();
  for (const LengthField& field : length_fields) lengths.*field.member = json.at(field.key).get<std::int64_t>();
  return lengths;
}

/// [[length, rows], ...]: the whole distribution, so that the distance between log and sent can be computed again.
Json counts_json(const std::map<std::int64_t, std::uint64_t>& counts) {
  Json json = Json::array();
  for (const auto& [length, rows] : counts) json.push_back({length, rows});
  return json;
}

std::map<std::int64_t, std::uint64_t> counts_from(const Json& json) {
  std::map<std::int64_t, std::uint64_t> counts;
  for (const Json& pair : json) counts[pair.at(0).get<std::int64_t>()] = pair.at(1).get<std::uint64_t>();
  return counts;
}

Json log_json(const TraceStats& log) {
  Json refused = Json::object();
  for (const auto& [reason, rows] : log.refused)
    refused[reason] = {{"count", rows.count}, {"first_lines", rows.first_lines}, {"first_files", rows.first_files}};
  Json json = {{"source", log.source},
               {"format", log.format},
               {"read", log.read},
               {"rows", log.rows},
               {"refused", refused},
               {"filtered", log.filtered},
               {"prompt", lengths_json(log.prompt_tokens)},
               {"completion", lengths_json(log.completion_tokens)},
               {"pearson", or_null(log.pearson)},
               {"spearman", or_null(log.spearman)},
               {"tokens_estimated", log.tokens_estimated},
               {"tokens_per_character", or_null(log.tokens_per_character)},
               {"time_zone", log.time_zone},
               {"time_resolution_ms", or_null(log.time_resolution_ms)},
               {"remarks", log.remarks}};
  if (log.arrivals) {
    json["arrivals"] = {{"span_s", log.arrivals->span_s},
                        {"rate_per_s", or_null(log.arrivals->rate_per_s)},
                        {"busiest_60s", log.arrivals->busiest_60s},
                        {"busiest_1s", log.arrivals->busiest_1s},
                        {"coarse", log.arrivals->coarse}};
  }
  if (log.sharing) {
    json["sharing"] = {{"origin", std::string(name(log.sharing->origin))},
                       {"block_size", log.sharing->block_size},
                       {"token_hit_rate", log.sharing->token_hit_rate},
                       {"request_hit_rate_mean", log.sharing->request_hit_rate_mean}};
  }
  return json;
}

TraceStats log_from(const Json& json) {
  TraceStats log;
  log.source = json.at("source");
  log.format = json.at("format");
  log.read = json.at("read");
  log.rows = json.at("rows");
  for (const auto& [reason, rows] : json.at("refused").items()) {
    log.refused[reason] = {rows.at("count").get<std::uint64_t>(),
                           rows.at("first_lines").get<std::vector<std::uint64_t>>(),
                           rows.value("first_files", std::vector<std::string>())};
  }
  log.filtered = json.at("filtered").get<std::map<std::string, std::uint64_t>>();
  log.prompt_tokens = lengths_from(json.at("prompt"));
  log.completion_tokens = lengths_from(json.at("completion"));
  log.pearson = optional_of<double>(json, "pearson");
  log.spearman = optional_of<double>(json, "spearman");
  log.tokens_estimated = json.at("tokens_estimated");
  log.tokens_per_character = optional_of<double>(json, "tokens_per_character");
  log.time_zone = json.at("time_zone");
  log.time_resolution_ms = optional_of<double>(json, "time_resolution_ms");
  log.remarks = json.at("remarks").get<std::vector<std::string>>();
  if (const auto found = json.find("arrivals"); found != json.end()) {
    ArrivalStats arrivals;
    arrivals.span_s = found->at("span_s");
    arrivals.rate_per_s = optional_of<double>(*found, "rate_per_s");
    arrivals.busiest_60s = found->at("busiest_60s");
    arrivals.busiest_1s = found->at("busiest_1s");
    arrivals.coarse = found->at("coarse");
    log.arrivals = arrivals;
  }
  if (const auto found = json.find("sharing"); found != json.end()) {
    PrefixProfile sharing;
    const std::optional<SharingOrigin> origin = sharing_origin_named(found->at("origin").get<std::string>());
    if (!origin) throw Error("input: unknown origin of sharing");
    sharing.origin = *origin;
    sharing.block_size = found->at("block_size");
    sharing.token_hit_rate = found->at("token_hit_rate");
    sharing.request_hit_rate_mean = found->at("request_hit_rate_mean");
    log.sharing = sharing;
  }
  return log;
}

Json class_names_json(const ClassNames& names) {
  return {{"sessions", names.sessions}, {"clients", names.clients}, {"sessions_of_log", names.sessions_of_log}};
}

/// Runs of before knew no classes.
ClassNames class_names_from(const Json& input) {
  const auto found = input.find("class_names");
  if (found == input.end()) return {};
  ClassNames names;
  names.sessions = found->at("sessions").get<std::map<std::string, std::uint32_t>>();
  names.clients = found->at("clients").get<std::map<std::string, std::uint32_t>>();
  names.sessions_of_log = found->at("sessions_of_log");
  return names;
}

Json input_json(const RunDescription& d) {
  return {{"source", d.input_source},
          {"assumption", d.assumption},
          {"log", d.log ? log_json(*d.log) : Json(nullptr)},
          {"prompt_counts", counts_json(d.log_prompt_counts)},
          {"completion_counts", counts_json(d.log_completion_counts)},
          {"scale_lengths", d.scale_lengths},
          {"cut_prompts", d.cut_prompts},
          {"dropped_prompts", d.dropped_prompts},
          {"repeated_texts", d.repeated_texts},
          {"sampler", d.sampler},
          {"content", d.content},
          {"workload", d.workload},
          {"template_tokens", or_null(d.template_tokens)},
          {"mean_completion", d.mean_completion},
          {"class_names", class_names_json(d.class_names)}};
}

void read_input(const Json& json, RunDescription& d) {
  d.input_source = json.at("source");
  d.assumption = json.at("assumption");
  if (!json.at("log").is_null()) d.log = log_from(json.at("log"));
  d.log_prompt_counts = counts_from(json.at("prompt_counts"));
  d.log_completion_counts = counts_from(json.at("completion_counts"));
  d.scale_lengths = json.at("scale_lengths");
  d.cut_prompts = json.at("cut_prompts");
  d.dropped_prompts = json.at("dropped_prompts");
  d.repeated_texts = json.at("repeated_texts");
  d.sampler = json.at("sampler");
  d.content = json.at("content");
  d.workload = optional_of<std::string>(json, "workload").value_or("drawn");
  d.template_tokens = optional_of<double>(json, "template_tokens");
  d.mean_completion = json.at("mean_completion");
  d.class_names = class_names_from(json);
}

Json bound_basis_json(const BoundBasis& b) {
  return {{"kind", b.kind},
          {"weights_read_s", b.weights_read_s},
          {"kv_read_s_per_token", b.kv_read_s_per_token},
          {"compute_s_per_token", b.compute_s_per_token},
          {"kv_tokens", b.kv_tokens},
          {"model_config", b.model_config},
          {"hardware", b.hardware},
          {"weights", b.weights},
          {"kv", b.kv}};
}

BoundBasis bound_basis_from(const Json& json) {
  return {json.at("kind"),
          json.at("weights_read_s"),
          json.at("kv_read_s_per_token"),
          json.at("compute_s_per_token"),
          json.at("kv_tokens"),
          json.at("model_config"),
          json.at("hardware"),
          json.at("weights"),
          json.at("kv")};
}

Json sample_json(const SampleDistance& sample) {
  return {{"prompt_ks", or_null(sample.prompt_ks)},
          {"completion_ks", or_null(sample.completion_ks)},
          {"log_prompts", sample.log_prompts},
          {"sample_prompts", sample.sample_prompts},
          {"log_completions", sample.log_completions},
          {"sample_completions", sample.sample_completions},
          {"sharing", std::string(name(sample.sharing))},
          {"log_hit_rate", or_null(sample.log_hit_rate)},
          {"sample_hit_rate", or_null(sample.sample_hit_rate)},
          {"uncut_hit_rate", or_null(sample.uncut_hit_rate)}};
}

SampleDistance sample_from(const Json& json) {
  SampleDistance sample;
  sample.prompt_ks = optional_of<double>(json, "prompt_ks");
  sample.completion_ks = optional_of<double>(json, "completion_ks");
  sample.log_prompts = json.at("log_prompts");
  sample.sample_prompts = json.at("sample_prompts");
  sample.log_completions = json.at("log_completions");
  sample.sample_completions = json.at("sample_completions");
  sample.sharing = sharing_origin_named(json.at("sharing").get<std::string>()).value_or(SharingOrigin::unknown);
  sample.log_hit_rate = optional_of<double>(json, "log_hit_rate");
  sample.sample_hit_rate = optional_of<double>(json, "sample_hit_rate");
  sample.uncut_hit_rate = optional_of<double>(json, "uncut_hit_rate");
  return sample;
}

Json digests_json(const std::map<std::uint32_t, std::string>& digests) {
  Json json = Json::object();
  for (const auto& [count, digest] : digests) json[std::to_string(count)] = digest;
  return json;
}

Json planned_json(const std::map<std::uint32_t, LevelPlanned>& planned) {
  Json json = Json::object();
  for (const auto& [ordinal, level] : planned) {
    json[std::to_string(ordinal)] = {{"cache_target_rate", or_null(level.cache_target_rate)},
                                     {"cache_target_rate_whole", or_null(level.cache_target_rate_whole)},
                                     {"cache_counted_rate", or_null(level.cache_counted_rate)},
                                     {"released", level.released},
                                     {"unique_prompts", level.prompts ? Json(level.prompts->unique) : Json(nullptr)},
                                     {"request_digests", digests_json(level.request_digests)},
                                     {"sample", level.sample ? sample_json(*level.sample) : Json(nullptr)}};
  }
  return json;
}

std::map<std::uint32_t, LevelPlanned> planned_from(const Json& json) {
  std::map<std::uint32_t, LevelPlanned> planned;
  for (const auto& [ordinal, level] : json.items()) {
    LevelPlanned& entry = planned[static_cast<std::uint32_t>(std::stoul(ordinal))];
    entry.cache_target_rate = optional_of<double>(level, "cache_target_rate");
    entry.cache_target_rate_whole = optional_of<double>(level, "cache_target_rate_whole");
    entry.cache_counted_rate = optional_of<double>(level, "cache_counted_rate");
    entry.released = level.at("released");
    if (const auto unique = optional_of<std::uint64_t>(level, "unique_prompts"))
      entry.prompts = PromptVariety{entry.released, *unique};
    if (const auto digests = level.find("request_digests"); digests != level.end()) {
      for (const auto& [count, digest] : digests->items()) {
        entry.request_digests[static_cast<std::uint32_t>(std::stoul(count))] = digest.get<std::string>();
      }
    }
    if (!level.at("sample").is_null()) entry.sample = sample_from(level.at("sample"));
  }
  return planned;
}

Json sweep_json(const RunDescription& d) {
  const auto word = [](const std::optional<SweepEnd>& end) {
    return end ? Json(std::string(name(*end))) : Json(nullptr);
  };
  return {{"closed_end", word(d.closed_end)}, {"open_end", word(d.open_end)}};
}

void read_sweep(const Json& json, RunDescription& d) {
  const auto end_of = [&](const char* key) {
    return json.at(key).is_null() ? std::nullopt : sweep_end_named(json.at(key).get<std::string>());
  };
  d.closed_end = end_of("closed_end");
  d.open_end = end_of("open_end");
}

Json limits_json(const std::optional<ClientLimits>& limits) {
  if (!limits) return nullptr;
  return {{"connect_s", limits->connect_s}, {"first_byte_s", limits->first_byte_s}, {"idle_s", limits->idle_s},
          {"total_s", limits->total_s},     {"retries", limits->retries},           {"balance", limits->balance}};
}

std::optional<ClientLimits> limits_from(const Json& setting) {
  const auto found = setting.find("client_limits");
  if (found == setting.end() || found->is_null()) return std::nullopt;
  return ClientLimits{found->at("connect_s"), found->at("first_byte_s"), found->at("idle_s"),
                      found->at("total_s"),   found->at("retries"),      found->at("balance")};
}

Json setting_json(const RunDescription& d) {
  return {{"seed", d.seed},
          {"salt", d.salt},
          {"engine_speed", d.engine_speed},
          {"client_threads", d.client_threads},
          {"client_limits", limits_json(d.client_limits)},
          {"calibration", d.calibration ? Json(json_of(*d.calibration)) : Json(nullptr)},
          {"simulated", d.simulated},
          {"virtual_time", d.virtual_time},
          {"lengths_forced", d.lengths_forced},
          {"price_per_hour", or_null(d.price_per_hour)}};
}

void read_setting(const Json& json, RunDescription& d) {
  d.seed = json.at("seed");
  d.salt = json.at("salt");
  d.engine_speed = json.at("engine_speed");
  d.client_threads = json.at("client_threads");
  d.client_limits = limits_from(json);
  if (const auto found = json.find("calibration"); found != json.end() && !found->is_null())
    d.calibration = calibration_from(*found);
  d.simulated = json.at("simulated");
  d.virtual_time = json.at("virtual_time");
  d.lengths_forced = json.at("lengths_forced");
  d.price_per_hour = optional_of<double>(json, "price_per_hour");
}

/// The text keys: what stands in run.sqlite as it is.
struct StoredText {
  const char* key;
  std::string RunDescription::* member;
};
constexpr std::array<StoredText, 7> text_keys = {{{"version", &RunDescription::version},
                                                  {"command", &RunDescription::command},
                                                  {"plan", &RunDescription::plan_yaml},
                                                  {"started", &RunDescription::started_utc},
                                                  {"target", &RunDescription::target},
                                                  {"host.cpu", &RunDescription::host_cpu},
                                                  {"cache.state", &RunDescription::cache_state}}};

const std::string& value_at(const std::map<std::string, std::string>& values, const std::string& key) {
  const auto found = values.find(key);
  if (found == values.end()) {
    throw Error(fmt::format(
        "run.sqlite: the table run has no key '{}'; the run was stopped before it had begun, or the file is damaged",
        key));
  }
  return found->second;
}

template <class Read>
void read_json_value(const std::map<std::string, std::string>& values, const std::string& key, Read read) {
  const std::string& text = value_at(values, key);
  try {
    read(Json::parse(text));
  } catch (const std::exception& error) {  // of Json::parse, of a wrong type, of a wrong number
    throw Error(fmt::format("run.sqlite: the value of key '{}' in table run cannot be read: {}", key, error.what()));
  }
}

}  // namespace

std::map<std::string, std::string> to_values(const RunDescription& d) {
  std::map<std::string, std::string> values = {{"schema", "1"}, {"seed", std::to_string(d.seed)}};
  for (const StoredText& text : text_keys) values[text.key] = d.*text.member;
  values["settings"] = setting_json(d).dump();
  values["input"] = input_json(d).dump(-1, ' ', false, Json::error_handler_t::replace);
  values["bound"] = bound_basis_json(d.bound).dump(-1, ' ', false, Json::error_handler_t::replace);
  values["levels.planned"] = planned_json(d.planned).dump();
  values["sweep"] = sweep_json(d).dump();
  if (d.prediction)
    values["prediction"] = prediction_json(*d.prediction).dump(-1, ' ', false, Json::error_handler_t::replace);
  return values;
}

RunDescription description_from(const std::map<std::string, std::string>& values) {
  RunDescription d;
  for (const StoredText& text : text_keys) d.*text.member = value_at(values, text.key);
  read_json_value(values, "settings", [&](const Json& json) { read_setting(json, d); });
  read_json_value(values, "input", [&](const Json& json) { read_input(json, d); });
  read_json_value(values, "bound", [&](const Json& json) { d.bound = bound_basis_from(json); });
  read_json_value(values, "levels.planned", [&](const Json& json) { d.planned = planned_from(json); });
  read_json_value(values, "sweep", [&](const Json& json) { read_sweep(json, d); });
  if (values.contains("prediction")) {
    read_json_value(values, "prediction", [&](const Json& json) { d.prediction = prediction_from(json); });
  }
  return d;
}

}  // namespace loadline
