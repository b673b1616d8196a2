// Blocks are written in the order of their first use in time, and uses as steps from block to block: along a prompt
// most steps are 1, so that a use takes about two bytes. Rows are in order of time, rows of one instant in the order of
// adding, so that parts merge as their rows would.

#include <istream>
#include <limits>
#include <ostream>
#include <utility>

#include "core/part_stream.h"
#include "prefix/sharing_summary.h"

namespace loadline {
namespace {

constexpr PartKind sharing_part{"LOADLNSH", 2};
constexpr std::uint64_t longest_32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t no_number = std::numeric_limits<std::uint32_t>::max();

}  // namespace

void BlockLog::write(PartWriter& part) const {
  // New numbers by first use in time.
  std::vector<std::uint32_t> numbers(index_.size(), no_number), in_order;
  for_each_in_time([&](std::uint32_t, std::span<const BlockUse> uses) {
    for (const BlockUse& use : uses) {
      if (numbers[use.block] != no_number) continue;
      numbers[use.block] = static_cast<std::uint32_t>(in_order.size());
      in_order.push_back(use.block);
    }
  });
  std::vector<std::uint64_t> ids(index_.size());
  std::vector<std::uint32_t> behind(index_.size());
  index_.for_each([&](std::uint64_t id, std::uint32_t number, std::uint32_t before) {
    ids[number] = id;
    behind[number] = before;
  });
  part.number(halvings_);
  part.number(unchained_uses_);
  part.number(ties_);
  part.number(in_order.size());
  std::uint64_t id_before = 0;
  for (const std::uint32_t block : in_order) {
    part.signed_number(static_cast<std::int64_t>(ids[block] - id_before));
    part.number(behind[block]);
    id_before = ids[block];
  }
  part.number(rows_.size());
  Nanos arrival_before{};
  std::int64_t block_before = 0;
  for_each_row([&](const Row& row, std::uint64_t first_use) {
    part.signed_number((row.arrival - arrival_before).count());
    arrival_before = row.arrival;
    part.number(row.prompt);
    part.number(row.uses);
    std::uint32_t depth = 0;
    for (std::uint64_t i = first_use; i < first_use + row.uses; ++i) {
      const std::int64_t block = numbers[uses_[i].block];
      part.signed_number(block - block_before);
      part.signed_number(static_cast<std::int64_t>(uses_[i].depth) - depth);
      block_before = block;
      depth = uses_[i].depth + 1;
    }
  });
}

void BlockLog::read(PartReader& part) {
  halvings_ = static_cast<std::uint32_t>(part.number_up_to(63));
  unchained_uses_ = part.number();
  ties_ = part.number();
  std::vector<std::uint32_t> numbers = read_blocks(part);
  Nanos arrival{};
  std::uint64_t block = 0;
  for (std::uint64_t left = part.number(); left > 0; --left) {
    arrival += Nanos(part.signed_number());
    const auto prompt = static_cast<std::uint32_t>(part.number_up_to(longest_32));
    std::uint64_t depth = 0;
    for (std::uint64_t uses = part.number_up_to(longest_32); uses > 0; --uses, ++depth) {
      block += static_cast<std::uint64_t>(part.signed_number());
      depth += static_cast<std::uint64_t>(part.signed_number());
      if (block >= numbers.size() || depth > longest_32) part.refuse_damaged();
      if (numbers[block] == given_up) continue;
      uses_.push_back({numbers[block], static_cast<std::uint32_t>(depth)});
      ++open_uses_;
    }
    add_row(arrival, prompt, std::exchange(open_uses_, 0));
    fit_memory(&numbers);
  }
}

std::vector<std::uint32_t> BlockLog::read_blocks(PartReader& part) {
  std::vector<std::uint32_t> numbers;
  std::uint64_t id = 0;
  for (std::uint64_t left = part.number_up_to(longest_32 - 2); left > 0; --left) {
    id += static_cast<std::uint64_t>(part.signed_number());
    const auto before = static_cast<std::uint32_t>(part.number_up_to(longest_32));
    numbers.push_back(given_up);
    if (!kept(id)) continue;
    const BlockIndex::Found found = index_.number_of(id, before);
    if (!found.is_new) part.refuse_damaged();
    numbers.back() = found.number;
    fit_memory(&numbers);
  }
  return numbers;
}

void SharingSummary::write(std::ostream& stream) const {
  PartWriter part(stream, sharing_part);
  part.number(origins_);
  part.number(block_size_);
  part.counts(prompts_);
  cached_.write(part);
  sessions_.write(part);
  blocks_.write(part);
  part.finish();
}

SharingSummary SharingSummary::read(std::istream& stream, const std::string& name, std::uint64_t memory_bytes) {
  PartReader part(stream, name, sharing_part);
  SharingSummary summary(memory_bytes);
  summary.origins_ = static_cast<std::uint32_t>(part.number_up_to(15));
  summary.block_size_ = static_cast<std::uint32_t>(part.number_up_to(longest_32));
  summary.prompts_ = part.counts();
  summary.cached_.read(part);
  summary.sessions_.read(part);
  summary.blocks_.read(part);
  part.finish();
  return summary;
}

}  // namespace loadline
