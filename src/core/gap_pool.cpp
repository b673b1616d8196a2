#include "core/gap_pool.h"

#include <algorithm>

namespace loadline {
namespace {
constexpr std::size_t gap_chunk_size = 1 << 20;
}

GapSpan GapPool::append(std::span<const std::uint32_t> gaps) {
  if (chunks_.empty() || chunks_.back().size() + gaps.size() > chunks_.back().capacity()) {
    chunks_.emplace_back();
    chunks_.back().reserve(std::max(gap_chunk_size, gaps.size()));
  }
  std::vector<std::uint32_t>& chunk = chunks_.back();
  const GapSpan span{static_cast<std::uint32_t>(chunks_.size() - 1), static_cast<std::uint32_t>(chunk.size()),
                     static_cast<std::uint32_t>(gaps.size())};
  chunk.insert(chunk.end(), gaps.begin(), gaps.end());
  size_ += gaps.size();
  return span;
}

std::span<const std::uint32_t> GapPool::at(GapSpan span) const {
  if (span.count == 0) return {};
  return std::span(chunks_.at(span.chunk)).subspan(span.first, span.count);
}

void GapPool::clear() {
  if (chunks_.size() > 1) chunks_.resize(1);
  if (!chunks_.empty()) chunks_.front().clear();
  size_ = 0;
}

}  // namespace loadline
