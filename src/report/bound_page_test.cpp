#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/bound_json.h"
#include "report/bound_text.h"

namespace loadline {
namespace {

BoundTable small_bound() {
  BoundTable table;
  table.model = "m";
  table.hardware = "1xH100-SXM";
  table.parameters_total = 10;
  table.parameters_read_per_token = 8;
  table.weight_bytes_stored = 20;
  table.kv_bytes_per_token = 4;
  table.notes = {"a note"};
  BoundRow row;
  row.concurrency = 1.5;
  row.decode_tokens_per_s = 11106.25;
  row.kv_capacity = {7, 3};
  row.request.memory_s = 0.5;
  row.request.ceiling_requests_per_s = 2;
  row.binding = "memory";
  table.rows.push_back(row);
  return table;
}

std::vector<std::string> keys_of(const nlohmann::ordered_json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

TEST(BoundJson, HasTheKeysOfTheReferenceAndNoOthers) {
  const auto page = nlohmann::ordered_json::parse(bound_json(small_bound()));
  EXPECT_EQ(keys_of(page),
            (std::vector<std::string>{"model", "weight_bytes_stored", "kv_bytes_per_token", "kv_replication", "rows"}));
  EXPECT_EQ(keys_of(page["model"]), (std::vector<std::string>{"parameters_total", "parameters_read_per_token"}));
  EXPECT_EQ(
      keys_of(page["rows"][0]),
      (std::vector<std::string>{"concurrency", "batch_1_tokens_per_s", "weights_only_tokens_per_s",
                                "decode_memory_tokens_per_s", "decode_compute_tokens_per_s", "decode_tokens_per_s",
                                "step_memory_s", "step_compute_s", "weight_bytes_per_step", "kv_bytes_read_per_token",
                                "distinct_experts", "kv_capacity", "request", "binding"}));
  EXPECT_EQ(keys_of(page["rows"][0]["request"]),
            (std::vector<std::string>{"memory_s", "compute_s", "ceiling_requests_per_s", "serial_requests_per_s",
                                      "ceiling_output_tokens_per_s", "serial_output_tokens_per_s"}));
}

TEST(BoundJson, AbsentIsNullAndNumbersAreNotRounded) {
  const auto row = nlohmann::json::parse(bound_json(small_bound()))["rows"][0];
  EXPECT_TRUE(row["step_compute_s"].is_null());
  EXPECT_TRUE(row["request"]["serial_requests_per_s"].is_null());
  EXPECT_TRUE(row["distinct_experts"].is_null());
  EXPECT_EQ(row["concurrency"], 1.5);
  EXPECT_EQ(row["decode_tokens_per_s"], 11106.25);
  EXPECT_EQ(row["kv_capacity"]["requests"], 3);
}

TEST(BoundText, SaysUnknownWhereComputeIsUnknown) {
  const std::string page = bound_text(small_bound());
  EXPECT_NE(page.find("Bound of m on 1xH100-SXM"), std::string::npos);
  EXPECT_NE(page.find("C/F = unknown"), std::string::npos);
  EXPECT_NE(page.find("11106.25 tok/s"), std::string::npos);
  EXPECT_NE(page.find("7 tokens, 3 requests"), std::string::npos);
  EXPECT_NE(page.find("Note: a note"), std::string::npos);
}

}  // namespace
}  // namespace loadline
