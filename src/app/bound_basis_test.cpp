#include "app/bound_basis.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace loadline {
namespace {

RunSpec llama_on_h100() {
  RunSpec spec;
  spec.model_config = LOADLINE_SOURCE_DIR "/tests/data/llama-3.1-8b";
  spec.hardware = "H100-SXM";
  return spec;
}

/// The bound of one level with one request.
Bound bound_for(const RunSpec& spec) {
  RunReport report;
  LevelResult level;
  level.level = {LevelKind::concurrency, 1, Arrivals::closed};
  level.in_decode_mean = 1;
  level.shapes = {{1024, 0, 256}};
  level.aggregate_output_tokens_per_s = 100;
  report.levels = {level};
  report.curve.peak = Peak{100, 1, 0, std::nullopt, std::nullopt};
  add_bound(bound_basis_of(spec), report);
  return report.bound.value();
}

TEST(BoundBasis, TheStatedQuantizationIsThatOfTheBound) {
  RunSpec spec = llama_on_h100();
  EXPECT_NEAR(bound_for(spec).batch_1_tokens_per_s, 223.19, 0.01);
  spec.fact = {"model.quantization=fp8"};
  EXPECT_GT(bound_for(spec).batch_1_tokens_per_s, 1.7 * 223.19) << "half the bytes, but for the head";
  spec.fact = {"model.quantization=house-blend"};
  EXPECT_NEAR(bound_for(spec).batch_1_tokens_per_s, 223.19, 0.01) << "no type of weights: the config's own";
  spec.fact = {"model.quantization=fp8"};
  spec.weights = "bf16";
  EXPECT_NEAR(bound_for(spec).batch_1_tokens_per_s, 223.19, 0.01) << "--weights comes first";
}

TEST(BoundBasis, WhatIsMissingIsNamed) {
  RunSpec spec = llama_on_h100();
  spec.hardware.clear();
  RunReport report;
  add_bound(bound_basis_of(spec), report);
  EXPECT_FALSE(report.bound);
  ASSERT_EQ(report.bound_missing.size(), 1u);
  EXPECT_NE(report.bound_missing[0].find("--hardware"), std::string::npos);
  spec.model_config = "/dev/null";
  EXPECT_THROW(bound_basis_of(spec), Error);
}

}  // namespace
}  // namespace loadline
