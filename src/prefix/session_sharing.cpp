#include "prefix/session_sharing.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/random.h"
#include "prefix/prompt_counts.h"

namespace loadline {
namespace {

constexpr std::uint64_t named = std::uint64_t{1} << 63;
constexpr std::uint64_t bytes_a_turn = 56;  ///< kept, and once more while they are put in order
constexpr std::size_t fewest_turns = 1024, session_groups = 8;
constexpr std::uint32_t most_halvings_of_sessions = 40;

/// What kept turns offer, and what of it hits.
struct SessionHits {
  double offered_tokens = 0, offered_turns = 0, tokens = 0, prompt_shares = 0, turns = 0;

  void add(std::uint64_t hit, std::uint64_t prompt) {
    offered_tokens += static_cast<double>(prompt);
    offered_turns += 1;
    if (hit == 0) return;
    tokens += static_cast<double>(hit);
    prompt_shares += static_cast<double>(hit) / static_cast<double>(prompt);
    turns += 1;
  }
};

/// All turns of sessions as shares of all requests, in tokens and in number.
struct SessionPart {
  double of_tokens = 0, of_requests = 0;
};

/// The kept turns stand for all: ratios, since sessions differ in length.
std::array<double, 3> session_rates(const SessionHits& hits, const SessionPart& part) {
  if (hits.offered_turns <= 0) return {};
  return {hits.tokens / hits.offered_tokens * part.of_tokens,
          hits.prompt_shares / hits.offered_turns * part.of_requests,
          hits.turns / hits.offered_turns * part.of_requests};
}

}  // namespace

bool SessionSharing::kept(std::uint64_t session) const {
  return halvings_ == 0 || mix(session) >> (64 - halvings_) == 0;
}

void SessionSharing::add(const TraceRow& row) {
  if (row.session == no_session || row.prompt.value() <= 0) return;
  source_turns_.push_back({row.arrival, row.session, static_cast<std::uint32_t>(row.prompt.value())});
}

void SessionSharing::end_source(const std::vector<std::string>& names) {
  std::vector<std::uint64_t> keys;
  for (const std::string& name : names) keys.push_back(key_of_name(name) | named);
  for (; !source_turns_.empty(); source_turns_.pop_front()) {
    Turn turn = source_turns_.front();
    tokens_ += turn.prompt;
    ++turn_count_;
    turn.session = turn.session < keys.size() ? keys[turn.session] : pair_key(sources_, turn.session);
    keep(turn);
  }
  ++sources_;
}

void SessionSharing::keep(const Turn& turn) {
  if (!kept(turn.session)) return;
  turns_.push_back(turn);
  while (turns_.size() * bytes_a_turn > memory_bytes_ && turns_.size() > fewest_turns &&
         halvings_ < most_halvings_of_sessions) {
    ++halvings_;
    std::erase_if(turns_, [&](const Turn& old) { return !kept(old.session); });
  }
}

void SessionSharing::merge(SessionSharing&& other) {
  memory_bytes_ = std::max(memory_bytes_, other.memory_bytes_);
  halvings_ = std::max(halvings_, other.halvings_);
  std::erase_if(turns_, [&](const Turn& old) { return !kept(old.session); });
  for (; !other.turns_.empty(); other.turns_.pop_front()) {
    Turn turn = other.turns_.front();
    if ((turn.session & named) == 0) turn.session += pair_key(sources_, 0);
    keep(turn);
  }
  sources_ += other.sources_;
  tokens_ += other.tokens_;
  turn_count_ += other.turn_count_;
}

std::vector<SessionSharing::Turn> SessionSharing::by_session() const {
  std::vector<Turn> turns(turns_.begin(), turns_.end());
  std::stable_sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) {
    return std::pair(a.session, a.arrival) < std::pair(b.session, b.arrival);
  });
  return turns;
}

PrefixProfile SessionSharing::profile(const KeyCounts& prompts) const {
  const std::vector<Turn> turns = by_session();
  SessionHits hits;
  std::array<SessionHits, session_groups> groups;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const bool follows = i > 0 && turns[i].session == turns[i - 1].session;
    const std::uint64_t before = follows ? turns[i - 1].prompt : 0, prompt = turns[i].prompt;
    const std::uint64_t hit = prompt >= before ? before : 0;  // shorter: the history was cut
    hits.add(hit, prompt);
    groups[mix(turns[i].session) % session_groups].add(hit, prompt);
  }
  const OfferedPrompts offered = offered_prompts(prompts, 0);
  PrefixProfile result;
  result.origin = SharingOrigin::sessions;
  result.lru_sampled_share = 1.0 / static_cast<double>(std::uint64_t{1} << halvings_);
  if (offered.requests == 0) return result;
  const SessionPart part{static_cast<double>(tokens_) / static_cast<double>(offered.prompt_tokens),
                         static_cast<double>(turn_count_) / static_cast<double>(offered.requests)};
  const auto rates = session_rates(hits, part);
  result.token_hit_rate = rates[0];
  result.request_hit_rate_mean = rates[1];
  result.requests_with_hit = rates[2];
  if (halvings_ == 0) return result;
  double largest = 0;
  for (std::size_t r = 0; r < rates.size(); ++r) {
    double squares = 0;
    for (const SessionHits& group : groups) squares += std::pow(session_rates(group, part)[r] - rates[r], 2);
    largest = std::max(largest, squares);
  }
  result.hit_rate_error = std::sqrt(largest / (session_groups - 1) / session_groups * (1 - result.lru_sampled_share));
  return result;
}

void SessionSharing::write(PartWriter& part) const {
  part.number(halvings_);
  for (const std::uint64_t count : {sources_, tokens_, turn_count_}) part.number(count);
  part.number(turns_.size());
  Turn before{};
  for (const Turn& turn : by_session()) {
    part.number(turn.session - before.session);
    part.signed_number((turn.arrival - before.arrival).count());
    part.number(turn.prompt);
    before = turn;
  }
}

void SessionSharing::read(PartReader& part) {
  halvings_ = static_cast<std::uint32_t>(part.number_up_to(most_halvings_of_sessions));
  for (std::uint64_t* const count : {&sources_, &tokens_, &turn_count_}) *count = part.number();
  Turn turn{};
  for (std::uint64_t left = part.number(); left > 0; --left) {
    turn.session += part.number();
    turn.arrival += Nanos(part.signed_number());
    turn.prompt = static_cast<std::uint32_t>(part.number_up_to(0xffffffff));
    turns_.push_back(turn);
  }
}

}  // namespace loadline
