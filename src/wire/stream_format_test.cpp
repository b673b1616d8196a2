#include "wire/stream_format.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(StreamFormat, NamesAreReadBack) {
  for (std::size_t i = 0; i < stream_format_count; ++i) {
    const auto format = static_cast<StreamFormat>(i);
    EXPECT_EQ(stream_format_named(name(format)), format) << name(format);
  }
  EXPECT_EQ(name(StreamFormat::embeddings), "embeddings");
  EXPECT_FALSE(stream_format_named("OpenAI"));
  EXPECT_FALSE(stream_format_named(""));
}

}  // namespace
}  // namespace loadline
