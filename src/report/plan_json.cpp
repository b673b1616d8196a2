#include "report/plan_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "report/report_json_parts.h"

namespace loadline {
namespace {

/// A length of 0 is one that nobody has counted, or that the model decides.
Json json_known_tokens(Tokens length) { return length.value() > 0 ? Json(length.value()) : Json(nullptr); }

Json json_turn_before(const PlannedRequest& planned) {
  const auto* turn = std::get_if<AfterTurn>(&planned.due);
  if (turn == nullptr) return nullptr;
  return {{"request", turn->before},
          {"pause_s", json_number(seconds(turn->pause))},
          {"not_before_s", json_number(seconds(turn->not_before))}};
}

Json json_planned_request(const PlannedLevel& level, std::size_t serial) {
  const PlannedRequest& planned = level.plan.requests[serial];
  const Request& request = planned.request;
  const auto* offset = std::get_if<AtOffset>(&planned.due);
  const bool in_session = request.session != no_session;
  return {{"serial", serial},
          {"due_s", offset ? json_number(seconds(offset->after_level_start)) : Json(nullptr)},
          {"after", json_turn_before(planned)},
          {"prompt_tokens", json_known_tokens(request.prompt.length)},
          {"completion_tokens", json_known_tokens(request.completion)},
          {"shared_tokens", level.shared[serial].value()},
          {"blocks", request.prompt.block_count},
          {"session", in_session ? Json(request.session) : Json(nullptr)},
          {"turn", in_session ? Json(request.turn) : Json(nullptr)}};
}

Json json_planned_level(const PlannedLevel& level, std::size_t shown) {
  const std::size_t n = std::min(shown, level.plan.requests.size());
  check(level.shared.size() >= n, "what is shared is known of every request shown");
  Json first = Json::array();
  for (std::size_t serial = 0; serial < n; ++serial) first.push_back(json_planned_request(level, serial));
  return {{"kind", name(level.plan.level.kind)},
          {"target", json_number(level.plan.level.target)},
          {"arrivals", name(level.plan.level.arrivals)},
          {"ordinal", level.plan.ordinal},
          {"requests", level.plan.requests.size()},
          {"digest", fmt::format("{:016x}", level.digest)},
          {"prompt_tokens", json_lengths(level.prompt_tokens)},
          {"completion_tokens", json_lengths(level.completion_tokens)},
          {"prefix_sharing_rate", json_number(level.prefix_sharing_rate)},
          {"block_size", level.plan.block_size > 0 ? Json(level.plan.block_size) : Json(nullptr)},
          {"cut_prompts", level.cut_prompts},
          {"cut_completions", level.cut_completions},
          {"dropped_prompts", level.dropped_prompts},
          {"sampler", json_text(level.sampler)},
          {"sample", json_sample(level.sample)},
          {"first_requests", std::move(first)}};
}

}  // namespace

std::string plan_json(const PlanPage& page, std::size_t shown) {
  Json levels = Json::array();
  for (const PlannedLevel& level : page.levels) levels.push_back(json_planned_level(level, shown));
  const Json object = {
      {"source", json_text(page.source)},
      {"assumption", json_text(page.assumption)},
      {"seed", page.seed},
      {"scale_lengths", json_number(page.scale_lengths)},
      {"tokens", page.assumption.empty() ? Json(page.tokens_estimated ? "estimated" : "counted") : Json(nullptr)},
      {"levels", std::move(levels)}};
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace loadline
