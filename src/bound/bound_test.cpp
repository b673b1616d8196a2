#include <gtest/gtest.h>

#include "bound/bound_at.h"
#include "bound/bound_table.h"
#include "bound/hardware_table.h"
#include "bound/known_models_test.h"
#include "core/error.h"

namespace loadline {
namespace {

ModelFacts llama() { return parse_model_facts(known_models::llama_8b, "Llama-3.1-8B"); }

TEST(Hardware, ByNameAndCount) {
  const Hardware hardware = parse_hardware("8xh100-sxm");
  EXPECT_EQ(hardware.count, 8);
  EXPECT_EQ(hardware.name, "H100-SXM");
  EXPECT_DOUBLE_EQ(hardware.memory_bytes, 85'899'345'920.0);
  EXPECT_DOUBLE_EQ(parse_hardware("MI300X").memory_bytes, 192e9);
  EXPECT_EQ(parse_hardware("MI300X").count, 1);
  EXPECT_DOUBLE_EQ(*peak_flops(hardware, ComputeType::fp8), 1979e12);
  EXPECT_DOUBLE_EQ(*peak_flops(hardware, ComputeType::fp4), 989e12);  // no fp4 units: widened to bf16
  EXPECT_FALSE(peak_flops(parse_hardware("M4-Max"), ComputeType::bf16));
}

TEST(Hardware, ErrorNamesTheNearest) {
  try {
    parse_hardware("8xH100");
    FAIL() << "no such device";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("H100-SXM"), std::string::npos);
    EXPECT_NE(text.find("H100-PCIe"), std::string::npos);
  }
  EXPECT_THROW(parse_hardware("0xH100-SXM"), Error);
  EXPECT_THROW(parse_hardware(""), Error);
}

TEST(Hardware, EveryRowHasItsSource) {
  EXPECT_EQ(hardware_table().size(), 55u);
  for (const HardwareRow& row : hardware_table()) {
    SCOPED_TRACE(row.name);
    EXPECT_FALSE(row.source.empty());
    EXPECT_GT(row.memory_gb, 0);
    EXPECT_GT(row.bandwidth_gb_s, 0);
  }
}

TEST(Roofline, DistinctExperts) {
  EXPECT_NEAR(distinct_experts(8, 2, 8), 7.199097, 5e-7);
  EXPECT_NEAR(distinct_experts(128, 4, 8), 28.710415, 5e-7);
  EXPECT_DOUBLE_EQ(distinct_experts(8, 2, 1), 2);
}

TEST(BoundTable, LlamaOnOneH100) {
  BoundQuestion question;
  question.concurrency = {64};
  question.context = 512;
  question.request = {1024, 0, 256};
  const BoundTable table = bound_table(llama(), parse_hardware("H100-SXM"), question);
  ASSERT_EQ(table.rows.size(), 1u);
  const BoundRow& row = table.rows[0];
  EXPECT_NEAR(row.batch_1_tokens_per_s, 223.19, 0.005);
  EXPECT_NEAR(row.weights_only_tokens_per_s, 14'284, 0.5);
  EXPECT_NEAR(row.decode_tokens_per_s, 11'106, 0.5);
  EXPECT_NEAR(row.step_memory_s * 1e3, 5.763, 0.0005);
  EXPECT_NEAR(*row.step_compute_s * 1e3, 0.989, 0.0005);
  EXPECT_EQ(row.kv_capacity.tokens, 467'291);
  EXPECT_EQ(row.kv_capacity.requests, 467'291 / 512);
  EXPECT_NEAR(row.request.memory_s * 1e3, 29.396, 0.0005);
  EXPECT_NEAR(*row.request.compute_s * 1e3, 18.758, 0.0005);
  EXPECT_NEAR(row.request.ceiling_requests_per_s, 34.018, 0.0005);
  EXPECT_NEAR(row.request.ceiling_output_tokens_per_s, 8'708.7, 0.05);
  EXPECT_NEAR(*row.request.serial_requests_per_s, 20.767, 0.0005);
  EXPECT_EQ(row.binding, "memory");
  EXPECT_FALSE(row.distinct_experts);
  EXPECT_DOUBLE_EQ(row.weight_bytes_per_step, 2 * 7'504'924'672.0);
  EXPECT_DOUBLE_EQ(row.kv_bytes_read_per_token, 512 * 131'072.0);
}

TEST(BoundTable, UnknownComputeIsAbsentAndSaid) {
  const BoundTable table =
      bound_table(parse_model_facts(known_models::smollm2_135m, "m"), parse_hardware("M4-Max"), {});
  const BoundRow& row = table.rows[0];
  EXPECT_FALSE(row.step_compute_s);
  EXPECT_FALSE(row.decode_compute_tokens_per_s);
  EXPECT_FALSE(row.request.compute_s);
  EXPECT_FALSE(row.request.serial_requests_per_s);
  EXPECT_DOUBLE_EQ(row.decode_tokens_per_s, row.decode_memory_tokens_per_s);
  EXPECT_DOUBLE_EQ(row.request.ceiling_requests_per_s, 1 / row.request.memory_s);
  ASSERT_FALSE(table.notes.empty());
  EXPECT_NE(table.notes[0].find("memory alone"), std::string::npos);
}

TEST(BoundTable, ReplicationCountsInReadsAndCapacity) {
  const ModelFacts model = parse_model_facts(known_models::deepseek_v3, "m", {"fp8", ""});
  BoundQuestion question;
  question.context = 1000;
  const BoundTable table = bound_table(model, parse_hardware("16xH200"), question);
  EXPECT_DOUBLE_EQ(table.kv_replication, 16);
  EXPECT_NEAR(table.rows[0].kv_bytes_read_per_token, 16.0 * 70'272 * 1000, 1);
  EXPECT_TRUE(table.rows[0].step_link_s.has_value());
  EXPECT_NEAR(*table.rows[0].distinct_experts, 8, 1e-9);
}

TEST(BoundTable, WeightsThatDoNotFit) {
  const BoundTable table = bound_table(llama(), parse_hardware("T4"), {});
  EXPECT_EQ(table.rows[0].kv_capacity.tokens, 0);
  EXPECT_EQ(table.rows[0].kv_capacity.requests, 0);
  EXPECT_NE(table.notes.back().find("do not fit"), std::string::npos);
}

TEST(BoundTable, SlidingWindowsAreSummedTokenByToken) {
  const ModelFacts model = parse_model_facts(known_models::gpt_oss_120b, "m");
  const RooflineTerms terms = roofline_terms(model, parse_hardware("H100-SXM"));
  const WorkShape shape{100, 50, 60};
  const double batch = 3.5;
  // The slow, plain sum that the closed form must equal.
  double memory = 59 * weight_read_s(terms, batch) / batch + 159 * terms.kv_write_s + kv_read_s(terms, 50);
  double compute = 159 * terms.layer_compute_s + 60 * terms.head_compute_s;
  for (int x = 51; x <= 209; ++x) {
    for (const ContextTerms& layers : terms.context) {
      const double seen = layers.window ? std::min<double>(x, static_cast<double>(*layers.window)) : x;
      memory += x > 150 ? seen * layers.kv_read_s : 0;
      compute += seen * (x > 150 ? layers.decode_compute_s : layers.prefill_compute_s);
    }
  }
  const RequestTime time = request_time(terms, shape, batch);
  EXPECT_NEAR(time.memory_s / memory, 1, 1e-12);
  EXPECT_NEAR(*time.compute_s / compute, 1, 1e-12);
}

TEST(BoundTable, RefusesNumbersWithoutMeaning) {
  BoundQuestion question;
  question.concurrency = {0.5};
  EXPECT_THROW(bound_table(llama(), parse_hardware("H100-SXM"), question), Error);
  question.concurrency = {1.5};
  EXPECT_NO_THROW(bound_table(llama(), parse_hardware("H100-SXM"), question));
  question.request.out = 0;
  EXPECT_THROW(bound_table(llama(), parse_hardware("H100-SXM"), question), Error);
}

TEST(EngineBound, OneRequestAt48) {
  const RooflineTerms terms = roofline_terms(EngineNumbers{});
  EXPECT_DOUBLE_EQ(batch_1_tokens_per_s(terms), 500);
  const RequestTime time = request_time(terms, {725, 0, 740}, 48);
  EXPECT_NEAR(time.memory_s * 1e3, 35.647, 0.0005);
  EXPECT_NEAR(*time.compute_s * 1e3, 64.416, 0.0005);
  EXPECT_NEAR(time.ceiling_requests_per_s(), 15.524, 0.0005);
  EXPECT_NEAR(time.ceiling_requests_per_s() * 740, 11'487.8, 0.05);
  EXPECT_NEAR(*time.serial_requests_per_s(), 9.994, 0.0005);
}

LevelResult level_at(double users, double aggregate) {
  LevelResult level;
  level.in_decode_mean = users;
  level.mean_context_tokens = 1200;
  level.aggregate_output_tokens_per_s = aggregate;
  level.shapes = {{725, 0, 740}};
  return level;
}

TEST(BoundAt, FractionsOfTheEngine) {
  const Bound bound = *bound_at(EngineNumbers{}, level_at(48, 7'250));
  EXPECT_NEAR(*bound.achieved_fraction_of_request_ceiling, 7'250 / 11'487.8, 1e-5);
  EXPECT_NEAR(*bound.achieved_fraction_of_batch_1, 14.5, 1e-9);
  EXPECT_NEAR(bound.decode_tokens_per_s, 48 / std::max(0.002 + 48 * 6e-9 * 1200, 48 * 4.4e-5), 1e-6);
  EXPECT_EQ(bound.binding, "compute");
  EXPECT_EQ(*bound.kv_capacity_requests, 466);
  EXPECT_NE(bound.diagnosis.find("close"), std::string::npos);
  EXPECT_NE(bound.diagnosis.find("shared by 14.5 users"), std::string::npos);
  EXPECT_EQ(level_bound(bound).binding, "compute");
}

TEST(BoundAt, MeansOfTimesOverTheRequests) {
  LevelResult level = level_at(0.3, 100);  // counts as one user
  level.shapes = {{100, 0, 10}, {1900, 0, 500}};
  const RooflineTerms terms = roofline_terms(EngineNumbers{});
  const RequestTime one = request_time(terms, {100, 0, 10}, 1), other = request_time(terms, {1900, 0, 500}, 1);
  const Bound bound = *bound_at(EngineNumbers{}, level);
  const double memory = (one.memory_s + other.memory_s) / 2, compute = (*one.compute_s + *other.compute_s) / 2;
  EXPECT_NEAR(bound.request_ceiling_tokens_per_s, 255 / std::max(memory, compute), 1e-9);
  EXPECT_NEAR(*bound.serial_tokens_per_s, 255 / (memory + compute), 1e-9);
}

TEST(BoundAt, DiagnosisByShare) {
  EXPECT_NE(diagnosis(0.15, 0.9).find("launch gaps, collectives"), std::string::npos);
  EXPECT_NE(diagnosis(0.65, 2).find("close"), std::string::npos);
  EXPECT_NE(diagnosis(1.02, 20).find("an error, not a record"), std::string::npos);
  EXPECT_EQ(diagnosis(0.65, 15.9).find("error"), std::string::npos);
}

TEST(BoundAt, ModelWithUnknownComputeSaysSo) {
  LevelResult level = level_at(4, 50);
  const Bound bound = *bound_at(llama(), parse_hardware("M3-Ultra"), level);
  EXPECT_FALSE(bound.serial_tokens_per_s);
  EXPECT_EQ(bound.binding, "memory");
  EXPECT_NE(bound.diagnosis.find("memory alone"), std::string::npos);
  level.shapes.clear();
  EXPECT_FALSE(bound_at(llama(), parse_hardware("M3-Ultra"), level));  // nothing succeeded
}

}  // namespace
}  // namespace loadline
