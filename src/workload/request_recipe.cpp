#include "workload/request_recipe.h"

#include "core/random.h"
#include "workload/log_sharing.h"

namespace loadline {

RequestRecipe::RequestRecipe(const Trace& trace, const DrawSettings& settings, Sampler sampler)
    : trace_(trace),
      ordinal_(settings.ordinal),
      sampler_(sampler),
      by_session_(sampler != Sampler::rows && has_sessions(trace) && !has_block_ids(trace)),
      shared_blocks_(trace, settings.scale_lengths),
      session_blocks_(trace, LengthRule(settings.scale_lengths, settings.max_prompt_tokens, {})) {}

Request RequestRecipe::make(const ChosenRow& chosen, LengthRule& rule, std::uint64_t own) {
  const TraceRow& row = trace_.rows[chosen.row];
  Request request;
  request.row = chosen.row;
  if (chosen.row < trace_.details.size()) request.client = trace_.details[chosen.row].client;
  request.prompt.length = rule.prompt(row.prompt);
  request.completion = rule.completion(row.completion);
  const BlockSpan span = blocks_of(chosen, request.prompt.length);
  request.prompt.first_block = span.first;
  request.prompt.block_count = span.count;
  request.prompt.sharing_namespace = sharing_namespace(chosen.pass);
  request.prompt.own = own;
  if (sampler_ != Sampler::rows) take_session(request, chosen);
  return request;
}

std::uint64_t RequestRecipe::sharing_namespace(std::uint32_t pass) const { return mix(ordinal_, pass); }

void RequestRecipe::give_blocks(Workload& workload) {
  workload.block_size = by_session_ ? SessionBlocks::block_size : shared_blocks_.block_size();
  workload.blocks = by_session_ ? session_blocks_.take() : shared_blocks_.take();
}

void RequestRecipe::take_session(Request& request, const ChosenRow& chosen) const {
  const TraceRow& row = trace_.rows[chosen.row];
  request.turn = row.turn;
  if (chosen.row < trace_.details.size()) request.think = trace_.details[chosen.row].delay;
  if (row.session == no_session) return;
  const std::uint64_t session = row.session + static_cast<std::uint64_t>(chosen.pass) * trace_.sessions.size();
  if (session < no_session) request.session = static_cast<SessionIndex>(session);
}

BlockSpan RequestRecipe::blocks_of(const ChosenRow& chosen, Tokens length) {
  if (by_session_) return session_blocks_.of(trace_.rows[chosen.row].session, chosen.pass, length);
  return shared_blocks_.of(chosen.row, length);
}

}  // namespace loadline
