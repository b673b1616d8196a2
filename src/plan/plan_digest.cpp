#include <fmt/format.h>

#include <bit>
#include <optional>

#include "core/random.h"
#include "plan/make_plan.h"

namespace loadline {
namespace {

class Digest {
 public:
  Digest& add(std::uint64_t value) {
    hash_ = mix(hash_, value);
    return *this;
  }
  Digest& add(std::int64_t value) { return add(static_cast<std::uint64_t>(value)); }
  Digest& add(std::uint32_t value) { return add(static_cast<std::uint64_t>(value)); }
  Digest& add(double value) { return add(std::bit_cast<std::uint64_t>(value)); }
  /// An absent value differs from every present one.
  Digest& add(const std::optional<Nanos>& span) {
    add(static_cast<std::uint64_t>(span.has_value()));
    return span ? add(static_cast<std::int64_t>(span->count())) : *this;
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0;
};

void add_request(Digest& digest, const PlannedRequest& planned) {
  const Request& request = planned.request;
  const Prompt& prompt = request.prompt;
  digest.add(prompt.length.value()).add(prompt.first_block).add(prompt.block_count).add(prompt.sharing_namespace);
  digest.add(prompt.own).add(request.completion.value()).add(request.session).add(request.turn);
  digest.add(request.arrival).add(request.think).add(request.row);
  digest.add(static_cast<std::uint64_t>(planned.due.index()));
  if (const auto* offset = std::get_if<AtOffset>(&planned.due)) {
    digest.add(static_cast<std::int64_t>(offset->after_level_start.count()));
  } else if (const auto* turn = std::get_if<AfterTurn>(&planned.due)) {
    digest.add(turn->before).add(static_cast<std::int64_t>(turn->pause.count()));
    digest.add(static_cast<std::int64_t>(turn->not_before.count()));
  }
}

/// By the ids of its blocks, not by where they stand: that depends on the length of the plan.
void add_asked(Digest& digest, const Plan& plan, const Request& request) {
  const Prompt& prompt = request.prompt;
  digest.add(prompt.length.value()).add(prompt.block_count).add(prompt.own).add(request.completion.value());
  if (prompt.block_count > 0) digest.add(prompt.sharing_namespace);
  for (std::uint64_t j = 0; j < prompt.block_count; ++j) digest.add(plan.blocks.at(prompt.first_block + j));
  digest.add(request.session).add(request.turn).add(request.row);
}

}  // namespace

std::map<std::uint32_t, std::string> request_digests(const Plan& plan) {
  std::map<std::uint32_t, std::string> digests;
  Digest digest;
  digest.add(plan.block_size);
  std::uint32_t count = 0;
  for (const PlannedRequest& planned : plan.requests) {
    add_asked(digest, plan, planned.request);
    if (std::has_single_bit(++count)) digests[count] = fmt::format("{:016x}", digest.value());
  }
  return digests;
}

std::uint64_t plan_digest(const Plan& plan) {
  Digest digest;
  digest.add(static_cast<std::uint64_t>(plan.level.kind)).add(plan.level.target);
  digest.add(plan.level.burstiness).add(plan.level.arrival_scale);
  digest.add(static_cast<std::uint64_t>(plan.level.arrivals)).add(plan.ordinal).add(plan.seed).add(plan.block_size);
  digest.add(static_cast<std::uint64_t>(plan.requests.size())).add(static_cast<std::uint64_t>(plan.blocks.size()));
  for (const PlannedRequest& planned : plan.requests) add_request(digest, planned);
  for (const std::uint64_t id : plan.blocks) digest.add(id);
  return digest.value();
}

}  // namespace loadline
