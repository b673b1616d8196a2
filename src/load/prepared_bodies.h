#pragma once
// Request bodies rendered ahead of their release, so that no rendering stands between a due time and its send.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "load/run_level.h"

namespace loadline {

class PreparedBodies {
 public:
  /// Keeps up to `most` bodies ready, at most `memory_limit` bytes of them (always at least one).
  PreparedBodies(const Plan& plan, const BodyWriter& write_body, std::size_t most,
                 std::size_t memory_limit = std::size_t{64} << 20);

  /// Whether there is something to prepare and room for it.
  bool wants_more() const;
  /// Renders the next body.
  void prepare_one();
  /// The body of `serial`: serials are taken in order, each once. Rendered now if it was not ready.
  std::string take(std::uint32_t serial);
  /// Memory to use again.
  void give_back(std::string&& body);

 private:
  std::string render(std::size_t serial);

  const Plan& plan_;
  const BodyWriter& write_body_;
  std::size_t most_, memory_limit_;
  std::size_t next_ = 0;           ///< first serial that is not ready
  std::deque<std::string> ready_;  ///< of serials next_ - size .. next_ - 1
  std::size_t ready_bytes_ = 0;
  std::vector<std::string> spare_;
};

}  // namespace loadline
