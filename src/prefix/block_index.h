#pragma once
// Block ids as small numbers: the n-th new id is n. A flat hash table with linear probing, since a log has millions of
// ids and this is most of the work on them.

#include <cstdint>
#include <vector>

namespace loadline {

class BlockIndex {
 public:
  /// Room for `expected` ids without growing.
  explicit BlockIndex(std::size_t expected = 0);

  struct Found {
    std::uint32_t number;
    bool is_new;
  };
  /// The number of `id`; a new one for a new id.
  Found number_of(std::uint64_t id);
  std::uint32_t size() const { return size_; }

 private:
  struct Slot {
    std::uint64_t id = 0;
    std::uint32_t number_from_one = 0;  ///< 0: free
  };
  std::size_t home(std::uint64_t id) const;
  void grow();

  std::vector<Slot> slots_;
  std::uint32_t size_ = 0;
};

}  // namespace loadline
