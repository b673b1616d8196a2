#include "workload/over_limit.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace loadline {

OverLimit::OverLimit(const Trace& trace, const LengthRule& rule, Sampler sampler)
    : trace_(trace), rule_(rule), whole_sessions_(sampler != Sampler::rows) {
  const auto is_over = [&](const TraceRow& row) { return rule.is_over(row.prompt); };
  if (std::all_of(trace.rows.begin(), trace.rows.end(), is_over)) refuse_all();
}

bool OverLimit::keeps(const ChosenRow& chosen) {
  if (!is_lost(chosen)) {
    left_out_in_a_row_ = 0;
    return true;
  }
  if (++left_out_in_a_row_ >= 2 * trace_.rows.size() && whole_sessions_) refuse_all();
  return false;
}

bool OverLimit::is_lost(const ChosenRow& chosen) {
  const TraceRow& row = trace_.rows[chosen.row];
  const bool is_over = rule_.is_over(row.prompt);
  if (!whole_sessions_ || row.session == no_session) return is_over;
  if (chosen.pass != pass_) lost_.clear();
  pass_ = chosen.pass;
  if (is_over) lost_.insert(row.session);
  return is_over || lost_.contains(row.session);
}

void OverLimit::refuse_all() const {
  throw Error(
      fmt::format("Nothing of {} is left to send: its prompts, or the first turns of its sessions, are longer than "
                  "allowed; raise --max-prompt-tokens or cut prompts with --over-limit clip.",
                  trace_.source));
}

}  // namespace loadline
