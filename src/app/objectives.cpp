#include "app/objectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/values.h"
#include "core/error.h"
#include "core/nearest_name.h"
#include "report/labels.h"

namespace loadline {
namespace {

bool of_same_class(const Objective& a, const Objective& b) {
  if (a.of.has_value() != b.of.has_value()) return false;
  return !a.of || a.of->same_as(*b.of);
}

void refuse_same_percentile(const Objective& a, const Objective& b) {
  if (a.metric != b.metric || a.percentile != b.percentile) return;
  throw Error(fmt::format("--slo: '{}' and '{}' limit the same percentile of the same metric; give one of them",
                          objective_label(a), objective_label(b)));
}

/// A percentile is never below a lower one: where the lower one's limit is not the lower, it can never be what is
/// missed.
void refuse_useless_percentile(const Objective& a, const Objective& b) {
  if (a.metric != b.metric) return;
  const Objective& low = a.percentile < b.percentile ? a : b;
  const Objective& high = a.percentile < b.percentile ? b : a;
  if (low.limit < high.limit) return;
  throw Error(
      fmt::format("--slo: '{}' contradicts '{}': a lower percentile needs a lower limit, else it says nothing; "
                  "leave one of them out",
                  objective_label(low), objective_label(high)));
}

void refuse_end_before_start(const Objective& a, const Objective& b) {
  const Objective& start = a.metric == Latency::ttft ? a : b;
  const Objective& end = a.metric == Latency::ttft ? b : a;
  if (start.metric != Latency::ttft || end.metric != Latency::e2e) return;
  if (start.percentile != end.percentile || end.limit > start.limit) return;
  throw Error(fmt::format("--slo: '{}' contradicts '{}': no answer ends before its first token; leave one of them out",
                          objective_label(end), objective_label(start)));
}

std::map<std::string, std::uint32_t> indices_of(const std::vector<Objective>& objectives, ClassBy by,
                                                const std::vector<std::string>& known, const std::string& source) {
  std::map<std::string, std::uint32_t> indices;
  for (const Objective& objective : objectives) {
    if (!objective.of || objective.of->by != by) continue;
    const auto found = std::ranges::find(known, objective.of->name);
    if (found == known.end()) {
      throw Error(known.empty() ? fmt::format("--slo: {} names no {}s; leave out 'where {}'", source, name(by),
                                              class_text(*objective.of))
                                : fmt::format("--slo: {} has no {} '{}'{}", source, name(by), objective.of->name,
                                              did_you_mean(objective.of->name, known)));
    }
    indices[*found] = static_cast<std::uint32_t>(found - known.begin());
  }
  return indices;
}

}  // namespace

std::vector<Objective> parse_objectives(const std::vector<std::string>& texts) {
  std::vector<Objective> objectives;
  for (const std::string& text : texts) {
    const Objective objective = parse_objective(text, "--slo");
    for (const Objective& other : objectives) {
      if (!of_same_class(other, objective)) continue;
      refuse_same_percentile(other, objective);
      refuse_useless_percentile(other, objective);
      refuse_end_before_start(other, objective);
    }
    objectives.push_back(objective);
  }
  return objectives;
}

ClassNames class_names(const std::vector<Objective>& objectives, const Trace* trace) {
  static const std::vector<std::string> none;
  const std::string source = trace != nullptr ? trace->source : "a built-in workload";
  ClassNames names;
  names.sessions = indices_of(objectives, ClassBy::session, trace != nullptr ? trace->sessions : none, source);
  names.clients = indices_of(objectives, ClassBy::client, trace != nullptr ? trace->clients : none, source);
  if (trace != nullptr) names.sessions_of_log = static_cast<std::uint32_t>(trace->sessions.size());
  return names;
}

void resolve_classes(std::vector<Objective>& objectives, const ClassNames& names) {
  for (Objective& objective : objectives) {
    if (!objective.of || (objective.of->by != ClassBy::session && objective.of->by != ClassBy::client)) continue;
    const auto& known = objective.of->by == ClassBy::session ? names.sessions : names.clients;
    const auto found = known.find(objective.of->name);
    if (found == known.end()) {
      throw Error(
          fmt::format("--slo: the run kept the names of those sessions and clients only that its own objectives "
                      "named, and {} '{}' is none of them; leave out 'where {}'",
                      name(objective.of->by), objective.of->name, class_text(*objective.of)));
    }
    objective.of->index = found->second;
    objective.of->sessions_of_log = names.sessions_of_log;
  }
}

}  // namespace loadline
