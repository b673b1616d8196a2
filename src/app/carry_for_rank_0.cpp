#include "app/carry_for_rank_0.h"

#include <fmt/format.h>

#include "app/client_setup.h"
#include "app/fleet_setup.h"
#include "app/input.h"
#include "app/rank_part.h"
#include "app/reach_target.h"
#include "app/stop_signal.h"
#include "fleet/relay.h"

namespace loadline {
namespace {

constexpr Nanos patience_with_rank_0 = std::chrono::hours(2);  // it reads the log and asks the server first

/// The log is needed here only for its texts.
Input own_input(const RunSpec& spec) { return spec.content == "log" ? open_input(spec, true) : Input{}; }

ExitStatus carry(const RunSpec& spec, Communicator& ranks) {
  const std::string said = ranks.broadcast({}, patience_with_rank_0);
  if (said.empty()) return ExitStatus::valid;  // there is no run; rank 0 says why
  const FleetSetup setup = read_fleet_setup(said);
  const StopSignal stop;
  const ClientSettings settings = client_settings_of(spec);
  const Input input = own_input(spec);
  const ReachedTarget reached = reach_target(spec, stop.asked());
  RunWriter writer(part_folder(setup.folder, ranks.rank()));
  for (const auto& [key, value] : setup.values) writer.put(key, value);
  writer.put_facts(setup.facts);
  RankPart part(std::move(writer));
  const Nanos start = setup.monotonic_starts.at(static_cast<std::size_t>(ranks.rank()));
  SystemTime time(1.0, start);
  Relay relay(client_maker(spec, settings, reached.target, input, setup.salt, start), setup.threads, time, ranks, part);
  ranks.barrier(patience_with_rank_0);
  try {
    relay.serve(stop.asked());
  } catch (const Error&) {
    part.finish(true);
    throw;
  }
  part.finish(stop.asked());
  return stop.asked() ? ExitStatus::interrupted : ExitStatus::valid;
}

}  // namespace

ExitStatus carry_for_rank_0(const RunSpec& spec, Communicator& ranks) {
  try {
    return carry(spec, ranks);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", name_of(ranks, ranks.rank()), error.what()), error.status());
  }
}

}  // namespace loadline
