#include "wire/stream_format.h"

#include <algorithm>
#include <array>

namespace loadline {
namespace {

constexpr std::array<std::string_view, stream_format_count> format_names = {
    "openai", "responses", "anthropic", "tgi", "sglang", "llamacpp", "ollama", "embeddings"};

}  // namespace

std::string_view name(StreamFormat format) { return format_names.at(static_cast<std::size_t>(format)); }

std::optional<StreamFormat> stream_format_named(std::string_view name) {
  const auto found = std::ranges::find(format_names, name);
  if (found == format_names.end()) return std::nullopt;
  return static_cast<StreamFormat>(found - format_names.begin());
}

}  // namespace loadline
