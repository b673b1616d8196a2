#include "workload/draw.h"

#include <fmt/format.h>

#include <limits>

#include "core/error.h"
#include "core/random.h"
#include "workload/builtin.h"
#include "workload/length_rule.h"
#include "workload/row_order.h"
#include "workload/shared_blocks.h"

namespace loadline {
namespace {

// The stream of randomness of the lengths: arrivals have another, so that a level's requests stay the same
// whatever its rate or arrival process.
constexpr std::uint64_t lengths_stream = 0x6c656e67746873;

std::uint64_t lengths_seed(const DrawSettings& settings) {
  return mix(mix(settings.seed, lengths_stream), settings.ordinal);
}

void require_countable(std::size_t count) {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  if (count > most) throw Error(fmt::format("A level of {} requests is too long: {} are the most.", count, most));
}

/// Unique in the run: the level in the upper half, the request in the lower.
std::uint64_t own_key(std::uint32_t ordinal, std::size_t index) {
  return (static_cast<std::uint64_t>(ordinal) << 32) | static_cast<std::uint64_t>(index);
}

Sampler log_sampler(const Trace& trace, const DrawSettings& settings) {
  const bool hashed = trace.block_size > 0 && !trace.blocks.empty();
  const Sampler sampler = settings.sampler.value_or(hashed ? Sampler::replay : Sampler::rows);
  if (sampler != Sampler::rows && sampler != Sampler::replay) {
    throw Error(fmt::format("{} is a log: it is sampled by rows or by replay, not as a distribution.", trace.source));
  }
  return sampler;
}

void take_session(Request& request, const TraceRow& row, std::uint32_t pass, const Trace& trace) {
  request.turn = row.turn;
  if (row.session == no_session) return;
  const std::uint64_t session = row.session + static_cast<std::uint64_t>(pass) * trace.sessions.size();
  if (session < no_session) request.session = static_cast<SessionIndex>(session);
}

void note_lengths(Workload& workload, const LengthRule& rule) {
  workload.scale_lengths = rule.factor();
  workload.cut_prompts = rule.cut_prompts();
  workload.cut_completions = rule.cut_completions();
}

}  // namespace

Workload draw_workload(const Trace& trace, const DrawSettings& settings) {
  if (trace.rows.empty()) {
    throw Error(fmt::format("{} holds no usable request: `loadline trace stats` says what was refused.", trace.source));
  }
  require_countable(settings.count);
  Workload workload;
  workload.source = trace.source;
  workload.sampler = log_sampler(trace, settings);
  workload.requests.reserve(settings.count);

  LengthRule rule(settings.scale_lengths, settings.max_prompt_tokens, settings.max_completion_tokens);
  RowOrder order(workload.sampler, trace.rows.size(), lengths_seed(settings));
  SharedBlocks blocks(trace, settings.scale_lengths);
  for (std::size_t i = 0; i < settings.count; ++i) {
    const ChosenRow chosen = order.next();
    const TraceRow& row = trace.rows[chosen.row];
    Request request;
    request.prompt.length = rule.prompt(row.prompt);
    request.completion = rule.completion(row.completion);
    const BlockSpan span = blocks.of(chosen.row, request.prompt.length);
    request.prompt.first_block = span.first;
    request.prompt.block_count = span.count;
    request.prompt.sharing_namespace = mix(settings.ordinal, chosen.pass);
    request.prompt.own = own_key(settings.ordinal, i);
    if (workload.sampler == Sampler::replay) take_session(request, row, chosen.pass, trace);
    workload.requests.push_back(request);
  }
  workload.block_size = blocks.block_size();
  workload.blocks = blocks.take();
  workload.passes = order.passes();
  note_lengths(workload, rule);
  return workload;
}

Workload draw_builtin(std::string_view name, const DrawSettings& settings) {
  const Builtin& builtin = find_builtin(name);
  require_countable(settings.count);
  if (settings.sampler && *settings.sampler != builtin.sampler) {
    throw Error(
        fmt::format("builtin:{} is a distribution, not a log: it has no rows to choose or replay.", builtin.name));
  }
  Workload workload;
  workload.source = fmt::format("builtin:{}", builtin.name);
  workload.assumption = std::string(builtin.assumption);
  workload.sampler = builtin.sampler;
  workload.requests.reserve(settings.count);

  LengthRule rule(settings.scale_lengths, settings.max_prompt_tokens, settings.max_completion_tokens);
  Random random(lengths_seed(settings));
  for (std::size_t i = 0; i < settings.count; ++i) {
    const DrawnLengths lengths = builtin.draw(random);
    Request request;
    request.prompt.length = rule.prompt(lengths.prompt);
    request.completion = rule.completion(lengths.completion);
    request.prompt.sharing_namespace = mix(settings.ordinal, 0);
    request.prompt.own = own_key(settings.ordinal, i);
    workload.requests.push_back(request);
  }
  note_lengths(workload, rule);
  return workload;
}

}  // namespace loadline
