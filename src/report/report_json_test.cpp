#include "report/report_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "report/completeness.h"
#include "report/sample_report_test.h"

namespace loadline {
namespace {

using nlohmann::json;

json drawn(const RunReport& report) { return json::parse(report_json(report)); }
json schema_document() {
  std::ifstream file(std::string(LOADLINE_SOURCE_DIR) + "/docs/schema/report.schema.json");
  return json::parse(file);
}

/// The words of JSON Schema that report.schema.json uses, no others; each complaint names its place.
class SchemaCheck {
 public:
  explicit SchemaCheck(const json& document) : document_(document) {}
  std::vector<std::string> complaints(const json& value) {
    found_.clear();
    walk(document_, value, "$");
    return found_;
  }

 private:
  static bool is_type(const json& value, const std::string& type) {
    if (type == "null") return value.is_null();
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "integer") return value.is_number_integer();
    return type == "number" && value.is_number();
  }
  void complain(const std::string& at, const std::string& what) { found_.push_back(at + ": " + what); }

  void walk(const json& schema, const json& value, const std::string& at) {
    if (schema.contains("$ref"))
      walk(document_.at(json::json_pointer(schema["$ref"].get<std::string>().substr(1))), value, at);
    if (schema.contains("const") && schema["const"] != value) complain(at, "not the constant");
    if (schema.contains("enum")) {
      const json& allowed = schema["enum"];
      if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
        complain(at, "not one of " + allowed.dump());
    }
    if (schema.contains("anyOf")) any_of(schema["anyOf"], value, at);
    if (schema.contains("type")) type(schema["type"], value, at);
    if (value.is_object()) object(schema, value, at);
    if (value.is_array() && schema.contains("items")) {
      for (std::size_t i = 0; i < value.size(); ++i)
        walk(schema["items"], value[i], at + "[" + std::to_string(i) + "]");
    }
  }
  void type(const json& wanted, const json& value, const std::string& at) {
    const json list = wanted.is_array() ? wanted : json::array({wanted});
    for (const json& one : list) {
      if (is_type(value, one)) return;
    }
    complain(at, "is " + value.dump().substr(0, 40) + ", not " + wanted.dump());
  }
  void any_of(const json& choices, const json& value, const std::string& at) {
    for (const json& choice : choices) {
      SchemaCheck one(document_);
      one.walk(choice, value, at);
      if (one.found_.empty()) return;
    }
    complain(at, "fits no choice");
  }
  void object(const json& schema, const json& value, const std::string& at) {
    const json properties = schema.value("properties", json::object());
    const json required = schema.value("required", json::array());
    for (const json& key : required) {
      if (!value.contains(key.get<std::string>())) complain(at, "lacks " + key.get<std::string>());
    }
    for (const auto& [key, member] : value.items()) {
      if (properties.contains(key))
        walk(properties[key], member, at + "." + key);
      else if (schema.contains("additionalProperties") && schema["additionalProperties"] == false)
        complain(at, "has " + key);
      else if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object())
        walk(schema["additionalProperties"], member, at + "." + key);
    }
  }

  const json& document_;
  std::vector<std::string> found_;
};

void expect_fits(const RunReport& report) {
  const json document = schema_document();
  for (const std::string& complaint : SchemaCheck(document).complaints(drawn(report))) ADD_FAILURE() << complaint;
}

TEST(ReportJson, FitsItsSchema) {
  expect_fits(full_sample_report());
  expect_fits(bare_sample_report());
  expect_fits(RunReport{});
}

TEST(ReportJson, EstimatedLengthsSayTheyAre) {
  RunReport report = full_sample_report();
  report.log->tokens_estimated = true;
  report.sample->completion_ks.reset();
  report.sample->uncut_hit_rate.reset();
  expect_fits(report);
  EXPECT_EQ(drawn(report)["input"]["tokens"], "estimated");
  EXPECT_EQ(drawn(report)["input"]["sample"]["completion_ks"], nullptr);
  EXPECT_EQ(drawn(report)["input"]["sample"]["uncut_hit_rate"], nullptr);
}

TEST(ReportJson, TheSchemaCheckSeesWhatIsWrong) {
  const json document = schema_document();
  json report = drawn(full_sample_report());
  report["levels"][0]["ttft_ms"].erase("tau");
  report["levels"][1]["extra"] = 1;
  report["seed"] = 1;
  report["decision"] = "guess";
  report["capacity"]["closed"]["load"] = "many";
  EXPECT_EQ(SchemaCheck(document).complaints(report).size(), 5u);
}

/// Every key with numbers has a unit, every key a description.
void expect_described(const json& schema, const std::string& at) {
  if (!schema.is_object()) return;
  const json properties = schema.value("properties", json::object());
  for (const auto& [key, member] : properties.items()) {
    EXPECT_TRUE(member.contains("description")) << at << '.' << key;
    const json type = member.value("type", json());
    const bool number = type == "number" || (type.is_array() && type[0] == "number");
    const bool of_an_estimate = at == "$.estimate";  // the unit stands where the estimate is used
    if (number && !of_an_estimate) {
      EXPECT_TRUE(member.contains("unit")) << at << '.' << key;
    }
    if (member.contains("formula")) {
      EXPECT_TRUE(std::regex_match(member["formula"].get<std::string>(), std::regex("docs/method\\.md section [1-7]")))
          << at << '.' << key;
    }
    expect_described(member, at + "." + key);
  }
}

TEST(ReportJson, TheSchemaDescribesEveryKey) {
  const json document = schema_document();
  expect_described(document, "$");
  for (const auto& [name, definition] : document["$defs"].items()) expect_described(definition, "$." + name);
}

// The keys that others rely on, each as a pointer; written here once more so that the schema cannot lose one.
const char* const relied_on_keys[] = {"/schema",
                                      "/loadline/version",
                                      "/loadline/command",
                                      "/loadline/plan",
                                      "/loadline/seed",
                                      "/loadline/client/host_cpu",
                                      "/loadline/client/threads",
                                      "/loadline/client/calibration/calibrated_utc",
                                      "/loadline/client/calibration/events_per_s_per_thread/value",
                                      "/loadline/client/calibration/streams_per_thread/at_least",
                                      "/loadline/client/calibration/requests_per_s_per_thread",
                                      "/loadline/client/calibration/ttft_error_p99_ms",
                                      "/loadline/client/engine_speed",
                                      "/loadline/client/wall",
                                      "/decision",
                                      "/primary_metric",
                                      "/valid",
                                      "/doubts/0/id",
                                      "/doubts/0/level",
                                      "/doubts/0/invalidates",
                                      "/doubts/0/text",
                                      "/sentence",
                                      "/slo/0/metric",
                                      "/slo/0/percentile",
                                      "/slo/0/limit_ms",
                                      "/goodput_limits/ttft_ms",
                                      "/goodput_limits/tpot_ms",
                                      "/goodput_limits/e2e_ms",
                                      "/facts/engine/name",
                                      "/facts/engine/version",
                                      "/facts/engine/build",
                                      "/facts/model/id",
                                      "/facts/model/revision",
                                      "/facts/model/weight_hash",
                                      "/facts/model/quantization",
                                      "/facts/model/kv_cache_dtype",
                                      "/facts/model/dtype",
                                      "/facts/hardware/name",
                                      "/facts/hardware/count",
                                      "/facts/hardware/parallelism/tp",
                                      "/facts/hardware/parallelism/pp",
                                      "/facts/hardware/parallelism/dp",
                                      "/facts/hardware/parallelism/ep",
                                      "/facts/flags",
                                      "/facts/source/engine.name",
                                      "/facts/unknown/0",
                                      "/completeness/known",
                                      "/completeness/needed",
                                      "/completeness/grade",
                                      "/input/source",
                                      "/input/assumption",
                                      "/input/log/rows",
                                      "/input/log/prompt_tokens/p50",
                                      "/input/log/prompt_tokens/p90",
                                      "/input/log/prompt_tokens/p99",
                                      "/input/log/completion_tokens/p50",
                                      "/input/log/prefix_sharing_rate",
                                      "/input/log/busiest_minute_requests_per_s",
                                      "/input/sent/rows",
                                      "/input/sent/prompt_tokens/p99",
                                      "/input/sent/completion_tokens/p90",
                                      "/input/sent/prefix_sharing_rate",
                                      "/input/sent/busiest_minute_requests_per_s",
                                      "/input/distance/prompt_ks",
                                      "/input/distance/completion_ks",
                                      "/cache/state",
                                      "/cache/target_rate",
                                      "/cache/measured_rate",
                                      "/capacity/closed/load",
                                      "/capacity/closed/requests_per_s/value",
                                      "/capacity/closed/requests_per_s/low",
                                      "/capacity/closed/requests_per_s/high",
                                      "/capacity/closed/output_tokens_per_s/value",
                                      "/capacity/closed/output_tokens_per_s/low",
                                      "/capacity/closed/output_tokens_per_s/high",
                                      "/capacity/closed/crossing",
                                      "/capacity/closed/binding_limit",
                                      "/capacity/closed/interpolated/load",
                                      "/capacity/closed/interpolated/requests_per_s",
                                      "/capacity/closed/interpolated/output_tokens_per_s",
                                      "/capacity/open/load",
                                      "/operating_point/kind",
                                      "/operating_point/load",
                                      "/operating_point/requests_per_s/value",
                                      "/operating_point/output_tokens_per_s/high",
                                      "/operating_point/crossing",
                                      "/peak/aggregate_output_tokens_per_s",
                                      "/peak/at",
                                      "/peak/slo_multiple",
                                      "/sizing/replicas/value",
                                      "/sizing/replicas/low",
                                      "/sizing/replicas/high",
                                      "/sizing/cost_per_million_output_tokens",
                                      "/bound/inputs",
                                      "/bound/batch_1_tokens_per_s",
                                      "/bound/decode_tokens_per_s",
                                      "/bound/request_ceiling_tokens_per_s",
                                      "/bound/serial_tokens_per_s",
                                      "/bound/kv_capacity_requests",
                                      "/bound/binding",
                                      "/bound/achieved_fraction_of_batch_1",
                                      "/bound/achieved_fraction_of_decode",
                                      "/bound/achieved_fraction_of_request_ceiling",
                                      "/bound/diagnosis"};

const char* const relied_on_level_keys[] = {"/kind",
                                            "/target",
                                            "/arrivals",
                                            "/stability",
                                            "/verdict",
                                            "/queue_growth_per_s",
                                            "/in_flight_mean",
                                            "/littles_law/l",
                                            "/littles_law/x",
                                            "/littles_law/w_s",
                                            "/littles_law/ratio",
                                            "/offered_requests_per_s",
                                            "/sent_requests_per_s",
                                            "/completed_requests_per_s",
                                            "/warmup_s",
                                            "/warmup_requests",
                                            "/measured_s",
                                            "/measured_requests",
                                            "/requests/planned",
                                            "/requests/ok",
                                            "/requests/short",
                                            "/requests/failed/http_5xx",
                                            "/requests/censored",
                                            "/requests/unsent",
                                            "/user_rate_tokens_per_s/p50",
                                            "/user_rate_tokens_per_s/p10",
                                            "/end_to_end_rate_tokens_per_s/p50",
                                            "/end_to_end_rate_tokens_per_s/p10",
                                            "/aggregate_per_user_tokens_per_s",
                                            "/aggregate_output_tokens_per_s",
                                            "/failed_output_tokens",
                                            "/goodput_requests_per_s",
                                            "/goodput_output_tokens_per_s",
                                            "/attainment",
                                            "/cache/target_rate",
                                            "/cache/measured_rate",
                                            "/cache/source",
                                            "/prompt_tokens/p50",
                                            "/completion_tokens/p99",
                                            "/client/send_lateness_ms/p50",
                                            "/client/send_lateness_ms/p99",
                                            "/client/send_lateness_ms/max",
                                            "/client/read_lateness_ms/p50",
                                            "/client/read_lateness_ms/p99",
                                            "/client/read_lateness_ms/max",
                                            "/client/cpu_share",
                                            "/client/kernel_stamped_share",
                                            "/server",
                                            "/bound/achieved_fraction_of_batch_1",
                                            "/bound/achieved_fraction_of_decode",
                                            "/bound/achieved_fraction_of_request_ceiling",
                                            "/bound/binding",
                                            "/doubts/0/id"};

TEST(ReportJson, HasEveryKeyThatOthersRelyOn) {
  const json report = drawn(full_sample_report());
  for (const char* key : relied_on_keys) EXPECT_TRUE(report.contains(json::json_pointer(key))) << key;
  for (const char* key : relied_on_level_keys)
    EXPECT_TRUE(report["levels"][0].contains(json::json_pointer(key))) << key;
  for (const char* metric :
       {"ttft_ms", "first_answer_ms", "tpot_ms", "itl_ms", "chunk_gap_ms", "e2e_ms", "service_ttft_ms"}) {
    const json& latency = report["levels"][0][metric];
    std::set<std::string> keys;
    for (const auto& [key, value] : latency.items()) keys.insert(key);
    EXPECT_EQ(keys, (std::set<std::string>{"n", "n_all", "mean", "p50", "p90", "p99", "p99_low", "p99_high",
                                           "p99_failures_as_infinite", "tau", "n_eff"}))
        << metric;
  }
}

TEST(ReportJson, ValuesStandUnderTheirKeys) {
  const json report = drawn(full_sample_report());
  const json& level = report["levels"][1];
  EXPECT_EQ(level["target"], 96);
  EXPECT_EQ(level["arrivals"], "closed");
  EXPECT_EQ(level["verdict"], "over");
  EXPECT_EQ(level["ttft_ms"]["p99"], 3070);
  EXPECT_EQ(level["ttft_ms"]["p99_failures_as_infinite"], 3080);
  EXPECT_EQ(level["requests"]["failed"], (json{{"http_5xx", 2}}));
  EXPECT_EQ(level["offered_requests_per_s"], nullptr);
  EXPECT_EQ(level["client"]["send_lateness_ms"], (json{{"p50", 0.018}, {"p99", 0.072}, {"max", 1.5}}));
  EXPECT_EQ(report["slo"],
            (json::array({{{"metric", "ttft"}, {"percentile", 0.99}, {"limit_ms", 1000}, {"class", nullptr}}})));
  EXPECT_EQ(report["goodput_limits"], (json{{"ttft_ms", 1000}, {"tpot_ms", 50}, {"e2e_ms", 60000}}));
  EXPECT_EQ(report["capacity"]["closed"]["requests_per_s"], (json{{"value", 9.88}, {"low", 9.1}, {"high", 10.6}}));
  EXPECT_EQ(report["capacity"]["closed"]["binding_limit"], "p99 ttft<=1000ms");
  EXPECT_EQ(report["operating_point"]["kind"], "concurrency");
  EXPECT_EQ(report["operating_point"]["load"], 50.1);
  EXPECT_EQ(report["loadline"]["client"]["engine_speed"], 2);
  const json& calibration = report["loadline"]["client"]["calibration"];
  EXPECT_EQ(calibration["events_per_s_per_thread"], (json{{"value", 98000}, {"at_least", true}}));
  EXPECT_EQ(calibration["streams_per_thread"], (json{{"value", 2048}, {"at_least", false}}));
  EXPECT_EQ(calibration["requests_per_s_per_thread"], nullptr);
  EXPECT_EQ(calibration["ttft_error_p99_ms"], 0.0125);
  EXPECT_EQ(report["loadline"]["client"]["wall"]["levels_s"], 3 * (12.5 + 95.25) / 2);
  EXPECT_EQ(report["input"]["log"]["rows"], 19366);
  EXPECT_EQ(report["input"]["distance"], (json{{"prompt_ks", 0.01}, {"completion_ks", 0.02}})) << "of what was sent";
  EXPECT_EQ(report["input"]["sample"], (json{{"prompt_ks", 0.03},
                                             {"completion_ks", 0.04},
                                             {"log_hit_rate", 0.41},
                                             {"sample_hit_rate", 0.39},
                                             {"uncut_hit_rate", 0.42}}))
      << "of what was drawn";
  EXPECT_EQ(report["input"]["sampler"], "sessions");
  EXPECT_EQ(report["input"]["content"], "synthetic");
  EXPECT_EQ(report["input"]["cut_prompts"], 3);
  EXPECT_EQ(report["input"]["dropped_prompts"], 1);
  EXPECT_EQ(report["input"]["template_tokens"], 11.5);
  EXPECT_EQ(report["input"]["tokens"], "counted");
  EXPECT_EQ(report["bound"]["inputs"]["bandwidth"], "3350 GB/s (hardware.json)");
}

TEST(ReportJson, AnEstimateThatDoesNotExistHasNoValueButItsEnd) {
  const json open = drawn(full_sample_report())["capacity"]["open"];
  EXPECT_EQ(open["load"], nullptr);
  EXPECT_EQ(open["requests_per_s"], (json{{"value", nullptr}, {"low", 7.5}, {"high", nullptr}}));
  EXPECT_EQ(open["crossing"], "above_last_level");
  EXPECT_EQ(open["interpolated"], nullptr);
}

TEST(ReportJson, TokensThatWereNotCountedAreNull) {
  RunReport report = full_sample_report();
  for (LevelResult& level : report.levels) level.tokens_counted = false;
  report.curve.closed->output_tokens_per_s = {};
  report.curve.closed->interpolated = Interpolated{44, 8.9, 0};
  const json told = drawn(report);
  for (const json& level : told["levels"]) {
    EXPECT_EQ(level["aggregate_output_tokens_per_s"], nullptr);
    EXPECT_GT(level["completed_requests_per_s"], 0);
  }
  EXPECT_EQ(told["capacity"]["closed"]["output_tokens_per_s"],
            (json{{"value", nullptr}, {"low", nullptr}, {"high", nullptr}}));
  EXPECT_EQ(told["capacity"]["closed"]["requests_per_s"]["value"], 9.88);
  EXPECT_EQ(told["capacity"]["closed"]["interpolated"]["output_tokens_per_s"], nullptr);
  expect_fits(report);
}

TEST(ReportJson, WhatWasNotMeasuredIsNull) {
  const json report = drawn(bare_sample_report());
  for (const char* key : {"operating_point", "peak", "bound"}) EXPECT_EQ(report[key], nullptr) << key;
  EXPECT_EQ(report["capacity"], (json{{"closed", nullptr}, {"open", nullptr}}));
  EXPECT_EQ(report["input"]["log"], nullptr);
  for (const char* key : {"sample", "sampler", "content", "template_tokens", "tokens"})
    EXPECT_EQ(report["input"][key], nullptr) << key;
  EXPECT_EQ(report["sizing"]["replicas"], nullptr);
  EXPECT_EQ(report["loadline"]["client"]["calibration"], nullptr);
  const json& level = report["levels"][0];
  for (const char* key : {"verdict", "littles_law", "in_flight_mean", "sent_requests_per_s", "completed_requests_per_s",
                          "aggregate_output_tokens_per_s", "failed_output_tokens", "goodput_requests_per_s",
                          "attainment", "prompt_tokens", "bound", "server", "mean_context_tokens"}) {
    EXPECT_EQ(level[key], nullptr) << key;
  }
  EXPECT_EQ(level["ttft_ms"]["n"], 0);
  EXPECT_EQ(level["ttft_ms"]["p50"], nullptr);
  EXPECT_EQ(level["requests"]["failed"], json::object());
}

TEST(ReportJson, InfiniteNeverAppears) {
  RunReport report = full_sample_report();
  report.levels[0].ttft_ms.p99_failures_as_infinite = infinite;
  report.levels[0].aggregate_output_tokens_per_s = std::nan("");
  report.curve.peak->slo_multiple = infinite;
  const json drawn_report = drawn(report);
  EXPECT_EQ(drawn_report["levels"][0]["ttft_ms"]["p99_failures_as_infinite"], nullptr);
  EXPECT_EQ(drawn_report["levels"][0]["aggregate_output_tokens_per_s"], nullptr);
  EXPECT_EQ(drawn_report["peak"]["slo_multiple"], nullptr);
}

TEST(ReportJson, FactsNestByTheirPath) {
  const json facts = drawn(full_sample_report())["facts"];
  EXPECT_EQ(facts["engine"]["name"], "vllm");
  EXPECT_EQ(facts["engine"]["version"], nullptr);
  EXPECT_EQ(facts["hardware"]["count"], 8);
  EXPECT_EQ(facts["hardware"]["parallelism"]["tp"], 8);
  EXPECT_EQ(facts["flags"], (json{{"max_num_seqs", "256"}, {"a.dotted", "1"}}));
  EXPECT_EQ(facts["source"]["engine.name"], "server");
  EXPECT_EQ(facts["source"]["engine.version"], "unknown");
  EXPECT_EQ(facts["unknown"][0], "engine.version");
  EXPECT_EQ(facts["unknown"].size(), 11u);
}

TEST(ReportJson, FactsThatCannotNestAreKeptWhole) {
  RunReport report;
  std::string deep = "a";
  for (int i = 0; i < 5000; ++i) deep += ".a";
  report.facts = {{"engine", "plain", FactSource::user},
                  {"engine.name", "x", FactSource::server},
                  {"engine.name.more", "y", FactSource::user},
                  {"source.engine", "z", FactSource::user},
                  {deep, "deep", FactSource::user},
                  {"hardware.count", "eight", FactSource::user},
                  {"unknown", "u", FactSource::user},
                  {"engine.name", "second", FactSource::user}};
  const json facts = drawn(report)["facts"];
  EXPECT_EQ(facts["engine"]["name"], "x");
  EXPECT_EQ(facts["flags"]["engine"], "plain");
  EXPECT_EQ(facts["flags"]["engine.name.more"], "y");
  EXPECT_EQ(facts["flags"]["source.engine"], "z");
  EXPECT_EQ(facts["flags"][deep], "deep");
  EXPECT_EQ(facts["flags"]["unknown"], "u");
  EXPECT_EQ(facts["hardware"]["count"], "eight");
  expect_fits(report);
}

TEST(ReportJson, ForeignBytesStayJson) {
  RunReport report = full_sample_report();
  report.levels[0].doubts[0].text = "bytes \xff\xfe and \"quotes\" \x01";
  EXPECT_NE(drawn(report)["levels"][0]["doubts"][0]["text"].get<std::string>().find("\xEF\xBF\xBD"), std::string::npos);
}

TEST(Completeness, GradesByTheRule) {
  std::vector<Fact> facts;
  EXPECT_EQ(completeness(facts).grade, 'D');
  EXPECT_EQ(completeness(facts).needed, 15u);
  for (const char* key : {"engine.name", "engine.version", "model.id", "model.quantization", "hardware.name"}) {
    facts.push_back({key, "x", FactSource::user});
  }
  EXPECT_EQ(completeness(facts).grade, 'D');
  facts.push_back({"hardware.count", "1", FactSource::user});
  EXPECT_EQ(completeness(facts).grade, 'B');
  EXPECT_EQ(completeness(facts).known, 6u);
  facts.clear();
  for (std::size_t i = 0; i < needed_facts().size(); ++i) {
    EXPECT_EQ(completeness(facts).grade, i <= 7 ? 'D' : 'C') << i;
    facts.push_back({needed_facts()[needed_facts().size() - 1 - i], "x", FactSource::file});
  }
  EXPECT_EQ(completeness(facts).grade, 'A');
  EXPECT_TRUE(unknown_facts(facts).empty());
}

TEST(Completeness, EveryDoubtOnce) {
  RunReport report = full_sample_report();
  report.doubts.push_back(make_doubt("drift", 1, "TTFT drifts."));
  const std::vector<Doubt> doubts = all_doubts(report);
  ASSERT_EQ(doubts.size(), 4u);
  EXPECT_EQ(doubts[0].id, "few_levels");
  EXPECT_EQ(doubts[1].level, 1u);
  EXPECT_EQ(doubts[2].level, 0u);
  EXPECT_EQ(doubts[3].level, 2u);
}

}  // namespace
}  // namespace loadline
