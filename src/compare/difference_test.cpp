#include "compare/difference.h"

#include <gtest/gtest.h>

#include <string>

#include "compare/manifest.h"
#include "core/error.h"

namespace loadline {
namespace {

Manifest manifest_of_server() {
  return {{"engine.name", "vllm"},
          {"engine.version", "0.9.1"},
          {"engine.build", std::nullopt},
          {"model.id", "m"},
          {"model.quantization", "fp8"},
          {"model.kv_cache_dtype", "fp8"},
          {"model.weight_hash", std::nullopt},
          {"hardware.name", "H100"},
          {"flags.max_num_seqs", "256"},
          {"flags.num_gpu_blocks", "1000"},
          {"workload.requests", "aa"},
          {"objective.slo", "p99 ttft<=1000ms"}};
}

Manifest changed(std::initializer_list<std::pair<const std::string, std::string>> values) {
  Manifest manifest = manifest_of_server();
  for (const auto& [key, value] : values) manifest[key] = value;
  return manifest;
}

std::vector<std::string> keys_of(const std::vector<FactDifference>& facts) {
  std::vector<std::string> keys;
  for (const FactDifference& fact : facts) keys.push_back(fact.key);
  return keys;
}

TEST(Difference, NoneIsARepeatAndNamesWhatIsTakenAsEqual) {
  const ManifestDifference d = difference_of(manifest_of_server(), manifest_of_server(), "");
  EXPECT_EQ(d.comparability, Comparability::repeat);
  EXPECT_TRUE(d.differing.empty());
  EXPECT_EQ(d.assumed_equal, (std::vector<std::string>{"engine.build", "model.weight_hash"}));
  EXPECT_EQ(d.variable, "");
}

TEST(Difference, OneIsAComparisonAndNamed) {
  const ManifestDifference d = difference_of(manifest_of_server(), changed({{"flags.max_num_seqs", "512"}}), "");
  EXPECT_EQ(d.comparability, Comparability::comparison);
  EXPECT_EQ(d.variable, "flags.max_num_seqs");
}

TEST(Difference, WhatTheEngineWorksOutFollowsByItself) {
  const ManifestDifference d = difference_of(
      manifest_of_server(), changed({{"flags.max_num_seqs", "512"}, {"flags.num_gpu_blocks", "990"}}), "");
  EXPECT_EQ(d.comparability, Comparability::comparison);
  EXPECT_EQ(d.variable, "flags.max_num_seqs");
  EXPECT_EQ(keys_of(d.following), (std::vector<std::string>{"flags.num_gpu_blocks"}));
}

TEST(Difference, SeveralAreRefusedWithQuantizationFirst) {
  const Manifest b = changed({{"engine.version", "0.10"},
                              {"flags.max_num_seqs", "512"},
                              {"model.kv_cache_dtype", "bf16"},
                              {"model.quantization", "none"}});
  const ManifestDifference d = difference_of(manifest_of_server(), b, "");
  EXPECT_EQ(d.comparability, Comparability::refused);
  EXPECT_EQ(keys_of(d.differing), (std::vector<std::string>{"model.quantization", "model.kv_cache_dtype",
                                                            "engine.version", "flags.max_num_seqs"}));
  ASSERT_EQ(d.reasons.size(), 1U);
  EXPECT_NE(d.reasons[0].find("model.quantization, model.kv_cache_dtype, engine.version"), std::string::npos);
}

TEST(Difference, ADeclaredVersionTakesItsBuildAndFlagsAlongButNothingElse) {
  const Manifest newer = changed({{"engine.version", "0.10"}, {"flags.max_num_seqs", "512"}, {"engine.build", "x"}});
  const ManifestDifference d = difference_of(manifest_of_server(), newer, "engine.version");
  EXPECT_EQ(d.comparability, Comparability::comparison);
  EXPECT_EQ(keys_of(d.differing), (std::vector<std::string>{"engine.version"}));
  EXPECT_EQ(keys_of(d.following), (std::vector<std::string>{"flags.max_num_seqs"}));

  Manifest quantized = newer;
  quantized["model.quantization"] = "int4";
  const ManifestDifference refused = difference_of(manifest_of_server(), quantized, "engine.version");
  EXPECT_EQ(refused.comparability, Comparability::refused);
  EXPECT_EQ(keys_of(refused.differing), (std::vector<std::string>{"model.quantization", "engine.version"}));
  EXPECT_EQ(difference_of(manifest_of_server(), newer, "").comparability, Comparability::refused);
}

TEST(Difference, AnUnreadableFactIsRefusedUnlessNobodyTellsItOnEitherSide) {
  Manifest unknown = manifest_of_server();
  unknown["model.quantization"] = std::nullopt;
  for (const auto& [a, b] : {std::pair(manifest_of_server(), unknown), std::pair(unknown, unknown)}) {
    const ManifestDifference d = difference_of(a, b, "");
    EXPECT_EQ(d.comparability, Comparability::refused);
    EXPECT_EQ(keys_of(d.unreadable), (std::vector<std::string>{"model.quantization"}));
  }
  // Known on one side alone: then it could have been known on the other.
  EXPECT_EQ(keys_of(difference_of(manifest_of_server(), changed({{"model.weight_hash", "ab"}}), "").unreadable),
            (std::vector<std::string>{"model.weight_hash"}));
}

TEST(Difference, OtherWorkIsNoVariable) {
  for (const char* key : {"workload.requests", "objective.slo"}) {
    const Manifest b = changed({{key, "other"}});
    for (const char* declared : {"", key}) {
      const ManifestDifference d = difference_of(manifest_of_server(), b, declared);
      EXPECT_EQ(d.comparability, Comparability::refused) << key;
      ASSERT_FALSE(d.reasons.empty());
      EXPECT_NE(d.reasons.back().find("different work"), std::string::npos);
    }
  }
}

TEST(Difference, AnUnknownVariableIsAnErrorWithTheNearestName) {
  try {
    difference_of(manifest_of_server(), manifest_of_server(), "engine.versoin");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("engine.version"), std::string::npos);
  }
}

TEST(Difference, ABuildOfTheSimulatedEngineIsTheHashOfItsFlags) {
  Manifest a = {{"engine.name", "loadline simulated engine"}, {"engine.build", "1"}, {"flags.overlap", "0.9"}};
  Manifest b = {{"engine.name", "loadline simulated engine"}, {"engine.build", "2"}, {"flags.overlap", "0.8"}};
  EXPECT_EQ(difference_of(a, b, "").variable, "flags.overlap");
  a["engine.name"] = b["engine.name"] = "another engine";
  EXPECT_EQ(difference_of(a, b, "").comparability, Comparability::refused);
}

RunReport small_report() {
  RunReport report;
  report.version = "1";
  report.host_cpu = "cpu";
  report.seed = 7;
  report.salt = "s1";
  report.started_utc = "now";
  report.target = "http://127.0.0.1:8001";
  report.cache_state = "cold";
  report.input_source = "builtin:x";
  report.content = "synthetic";
  report.facts = {{"engine.name", "vllm", FactSource::server},
                  {"flags.port", "8001", FactSource::server},
                  {"model.dtype", "", FactSource::unknown}};
  report.objectives = {{Latency::ttft, 0.99, std::chrono::seconds(1)}};
  LevelResult level;
  level.request_digests = {{1, "d1"}, {64, "d64"}, {128, "d128"}};
  report.levels = {level};
  return report;
}

TEST(DifferenceOf, ADeclaredVariableThatIsTheSameExcusesNothing) {
  const Manifest a = {{"engine.name", "vllm"}, {"engine.version", "1"}, {"flags.x", "1"}};
  const Manifest b = {{"engine.name", "vllm"}, {"engine.version", "1"}, {"flags.x", "2"}};
  const ManifestDifference one = difference_of(a, b, "engine.version");
  EXPECT_EQ(one.comparability, Comparability::refused) << "no repeat: a flag differs, and the version does not";
  EXPECT_TRUE(one.following.empty());
  EXPECT_EQ(difference_of(a, b, "flags.x").comparability, Comparability::comparison);
  EXPECT_EQ(difference_of(a, a, "engine.version").comparability, Comparability::repeat);
}

TEST(ManifestOf, HoldsWhatMattersAndLeavesOutWhatEveryRunChanges) {
  const Manifest manifest =
      manifest_of(small_report(), {{"salt", "s1"}, {"url", "http://x"}, {"warmup_requests", "9"}});
  EXPECT_EQ(manifest.at("engine.name"), "vllm");
  EXPECT_EQ(manifest.at("model.dtype"), std::nullopt);
  EXPECT_EQ(manifest.at("workload.requests"), "d64");
  EXPECT_EQ(manifest.at("workload.loop"), "closed");
  EXPECT_EQ(manifest.at("objective.slo"), "p99 ttft<=1000ms");
  EXPECT_EQ(manifest.at("plan.warmup_requests"), "9");
  RunReport of_class = small_report();
  of_class.objectives[0].of = RequestClass{ClassBy::prompt, 1, 2000};
  EXPECT_NE(manifest_of(of_class, {}).at("objective.slo"), manifest.at("objective.slo")) << "another question";
  for (const char* key : {"flags.port", "plan.salt", "plan.url"}) EXPECT_FALSE(manifest.contains(key)) << key;

  RunReport later = small_report();
  later.salt = "s2";
  later.started_utc = "later";
  later.target = "http://127.0.0.1:9999";
  later.facts[1].value = "9999";
  later.levels[0].level.target = 64;  // other loads, the same requests
  EXPECT_EQ(manifest_of(later, {}), manifest_of(small_report(), {}));
}

TEST(ManifestOf, ARunThatKeptNoDigestsHasAnUnreadableWorkload) {
  RunReport report = small_report();
  report.levels[0].request_digests.clear();
  EXPECT_EQ(manifest_of(report, {}).at("workload.requests"), std::nullopt);
  report.levels.clear();
  EXPECT_FALSE(manifest_of(report, {}).contains("workload.requests"));
}

}  // namespace
}  // namespace loadline
