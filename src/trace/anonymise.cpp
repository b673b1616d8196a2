#include "trace/anonymise.h"

#include <fmt/format.h>

#include <unordered_map>

namespace loadline {
namespace {

/// Old numbers to new ones, in the order of first sight.
class Renumbering {
 public:
  std::uint64_t operator()(std::uint64_t old) { return known_.try_emplace(old, known_.size()).first->second; }
  std::size_t size() const { return known_.size(); }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> known_;
};

std::vector<std::string> numbered_names(char letter, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(fmt::format("{}{}", letter, i));
  return names;
}

}  // namespace

void anonymise(Trace& trace) {
  Renumbering blocks, sessions, clients;
  for (std::uint64_t& id : trace.blocks) id = blocks(id);
  for (TraceRow& row : trace.rows) {
    if (row.session != no_session) row.session = static_cast<SessionIndex>(sessions(row.session));
  }
  for (RowDetail& detail : trace.details) {
    if (detail.client != no_client) detail.client = static_cast<ClientIndex>(clients(detail.client));
  }
  trace.sessions = numbered_names('s', sessions.size());
  trace.clients = numbered_names('c', clients.size());
  trace.source = "anonymised";
  trace.started.reset();
  trace.time_zone.clear();
  trace.texts.clear();
}

}  // namespace loadline
