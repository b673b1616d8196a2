#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/answer_counter.h"
#include "app/carry_for_rank_0.h"
#include "app/check_target.h"
#include "app/client_setup.h"
#include "app/commands.h"
#include "app/describe_run.h"
#include "app/expected_time.h"
#include "app/finished_run.h"
#include "app/fleet_setup.h"
#include "app/http_driver.h"
#include "app/reach_target.h"
#include "app/refuse_options.h"
#include "app/run_folder.h"
#include "app/run_setup.h"
#include "app/stop_signal.h"
#include "app/sweep.h"
#include "app/target_doubts.h"
#include "report/escape.h"
#include "report/labels.h"
#include "target/cache.h"

namespace loadline {
namespace {

/// Options that only the other kind of target reads are refused rather than ignored.
void refuse_options_of_others(const RunSpec& spec) {
  refuse_options(spec, {"Prediction"}, "a prediction measures nothing; it is `loadline simulate` that predicts");
  if (!spec.url.empty()) {
    refuse_options(spec, {"Embedded engine"}, "only the embedded engine has it; leave it out with --url");
  } else {
    refuse_options(spec, {"Bound"}, "the embedded engine has a bound of its own; it needs --url");
    if (!spec.tokenizer.empty()) throw Error("--tokenizer: the embedded engine counts its own tokens; it needs --url");
  }
}

/// What both the server and the tokenizer counted, and the doubt where they disagree.
void put_counted(const AnswerCounter& counter, RunWriter& writer, RunDescription& description) {
  const AnswerCounter::Compared& compared = counter.compared();
  writer.put("tokenizer.compared", nlohmann::json{{"answers", compared.answers},
                                                  {"server_tokens", compared.by_server.value()},
                                                  {"tokenizer_tokens", compared.by_tokenizer.value()}}
                                       .dump());
  if (const std::optional<Doubt> doubt = counter.disagreement()) description.doubts.push_back(*doubt);
}

/// Says it at once: a launcher that lost a rank gives the others about a second.
void doubt_lost_rank(const std::string& lost, const HttpDriver& driver, RunDescription& description) {
  fmt::print(stderr, "loadline: {}; the level of {} ends here, and what was measured is kept\n", escape_terminal(lost),
             level_label(driver.last_level()));
  description.doubts.push_back(
      make_doubt("load_not_delivered", driver.last_ordinal(), fmt::format("While this level ran, {}.", lost)));
}

/// Aligns the clocks of all ranks and tells them of the run; null where there is only this one.
std::unique_ptr<RemoteShares> announce(Communicator& ranks, FleetAnnouncement& announcement,
                                       const RunDescription& description, const std::string& folder,
                                       std::uint32_t threads, const SystemTime& time) {
  if (ranks.size() == 1) return nullptr;
  auto others = std::make_unique<RemoteShares>(ranks);
  FleetSetup setup{description.salt,       folder,           threads, {time.monotonic_start()},
                   to_values(description), description.facts};
  for (int rank = 1; rank < ranks.size(); ++rank) {
    setup.monotonic_starts.push_back(others->on_its_clock(rank, time.monotonic_start()));
  }
  announcement.announce(setup);
  return others;
}

}  // namespace

ExitStatus run_command(const RunSpec& spec, const std::string& command_line) {
  const std::unique_ptr<Communicator> ranks = make_communicator();
  if (ranks->rank() > 0) return carry_for_rank_0(spec, *ranks);
  FleetAnnouncement announcement(*ranks);
  if (ranks->size() > 1 && spec.url.empty()) {
    throw Error("several machines send to a server that all of them reach; give it with --url");
  }
  RunSettings settings = settle(spec);
  refuse_options_of_others(spec);
  const ClientSettings client = client_settings_of(spec);
  std::optional<AnswerCounter> counter;
  if (!spec.tokenizer.empty()) counter.emplace(spec.tokenizer);
  if (!spec.output_dir.empty() && !spec.check) refuse_existing_folder(spec.output_dir);
  const Input input = open_input(spec, spec.quiet);
  take_rates_from_log(settings, log_rate_per_s(input));
  const ClassNames names = settle_classes(input, settings);
  RunDescription description = describe_run(spec, input, command_line);
  description.class_names = names;

  const StopSignal stop;
  ReachedTarget reached;
  try {
    reached = reach_target(spec, stop.asked());
  } catch (const Error&) {
    if (stop.asked()) return ExitStatus::interrupted;
    throw;
  }
  const std::vector<std::string> remarks = describe_measured(spec, input, reached, description);
  const std::uint32_t threads = description.client_threads;
  description.client_threads = threads * static_cast<std::uint32_t>(ranks->size());
  if (spec.check) return check_target(settings, input, reached, description);
  if (stop.asked()) return ExitStatus::interrupted;

  plan_first_levels(spec, settings, input);
  const std::string folder = choose_run_folder(spec.output_dir, reached.target.model);
  Progress progress(progress_kind(spec.ui, spec.quiet));
  Recorder recorder(RunWriter(folder), progress);
  put_description(recorder.writer(), description);
  for (const std::string& remark : remarks) progress.remark(remark);
  progress.remark(expected_time_words(settings, spec.engine_speed));

  SystemTime time(spec.engine_speed);
  const std::unique_ptr<RemoteShares> others = announce(*ranks, announcement, description, folder, threads, time);
  ClientMaker maker = client_maker(spec, client, reached.target, input, description.salt, time.monotonic_start());
  if (counter) maker.count_text = [&counter](const auto& text, auto& record) { counter->count(text, record); };
  Fleet fleet(std::move(maker), threads, time, others.get());
  const std::optional<ServerCounters> before = read_counters(reached.target);
  HttpDriver driver(fleet, reached.target, recorder, progress, stop.asked(), spec.cache != "as-found");
  sweep(spec, settings, input, driver, description);
  if (fleet.lost()) doubt_lost_rank(*fleet.lost(), driver, description);
  const bool ended_early = stop.asked() || fleet.lost();
  std::optional<ServerCounters> after;
  if (!ended_early) after = read_counters(reached.target);

  put_counters(recorder.writer(), before, after);
  if (!ended_early) doubt_changed_server(spec, reached, stop.asked(), before, after, description);
  if (counter) put_counted(*counter, recorder.writer(), description);
  doubt_slow_engine(reached, description);
  recorder.writer().put("state", ended_early ? "interrupted" : "complete");
  put_description(recorder.writer(), description);
  recorder.writer().finish();
  return show_run(spec, folder);
}

}  // namespace loadline
