#pragma once
// The bytes of a plan: one list of items for both directions (byte_stream.h).

#include <variant>

#include "core/plan.h"
#include "fleet/byte_stream.h"

namespace loadline {

/// `Value` is T when read and const T when written.
template <class T, class Stream>
using Laid = std::conditional_t<Stream::reads, T, const T>;

template <class Stream>
void lay_level(Stream& s, Laid<Level, Stream>& level) {
  s.item(level.kind, LevelKind::request_rate);
  s.item(level.target);
  s.item(level.arrivals, Arrivals::trace);
  s.item(level.burstiness);
  s.item(level.arrival_scale);
  s.item(level.ramp);
  s.item(level.max_in_flight);
  s.item(level.purpose, LevelPurpose::backward);
  s.item(level.pass);
  s.item(level.requests);
  s.item(level.most_releases);
}

template <class Stream>
void lay_request(Stream& s, Laid<Request, Stream>& request) {
  s.item(request.prompt.length);
  s.item(request.prompt.first_block);
  s.item(request.prompt.block_count);
  s.item(request.prompt.sharing_namespace);
  s.item(request.prompt.own);
  s.item(request.completion);
  s.item(request.session);
  s.item(request.turn);
  s.item(request.arrival);
  s.item(request.think);
  s.item(request.row);
  s.item(request.client);
}

using Due = std::variant<WhenUserFree, AtOffset, AfterTurn>;

template <class Stream>
void lay_due(Stream& s, Laid<Due, Stream>& due) {
  auto kind = static_cast<std::uint8_t>(due.index());
  s.item(kind);
  if constexpr (Stream::reads) {
    if (kind >= std::variant_size_v<Due>) s.refuse("a kind of due time is unknown");
    if (kind == 1) due = AtOffset{};
    if (kind == 2) due = AfterTurn{};
  }
  if (auto* offset = std::get_if<AtOffset>(&due)) s.item(offset->after_level_start);
  if (auto* turn = std::get_if<AfterTurn>(&due)) {
    s.item(turn->before);
    s.item(turn->pause);
    s.item(turn->not_before);
  }
}

/// Throws Error where a prompt names blocks that are not there, or a turn one that is not before it.
void check_read(const Plan& plan, const ByteReader& reader);

template <class Stream>
void lay_plan(Stream& s, Laid<Plan, Stream>& plan) {
  lay_level(s, plan.level);
  s.item(plan.ordinal);
  s.item(plan.seed);
  s.item(plan.block_size);
  s.each(plan.blocks, [&](auto& block) { s.item(block); });
  s.each(plan.requests, [&](auto& planned) {
    lay_request(s, planned.request);
    lay_due(s, planned.due);
  });
  if constexpr (Stream::reads) check_read(plan, s);
}

}  // namespace loadline
