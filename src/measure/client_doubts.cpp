#include "measure/client_doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <vector>

#include "measure/output_arrivals.h"

namespace loadline {
namespace {

// Lateness that shows beside the tens of ms of a fast TTFT; a thread busier than that queues its own work.
constexpr double most_lateness_ms = 5, most_cpu_share = 0.85;

constexpr std::string_view more_cores = "CPU cores, or another machine (mpirun)";

/// What a request that was not sent lacked, by the system's words in its message, and what helps.
struct Lack {
  std::string_view words, what, remedy;
};
constexpr std::array<Lack, 4> lacks = {
    {{"Too many open files", "open files", "open files (ulimit -n), or another machine (mpirun)"},
     {"Cannot assign requested address", "local ports",
      "local ports (net.ipv4.ip_local_port_range), or another machine (mpirun)"},
     {"No buffer space available", "memory for sockets", "memory, or another machine (mpirun)"},
     {"Cannot allocate memory", "memory", "memory, or another machine (mpirun)"}}};

/// What is said, and what is to be added.
struct Findings {
  std::vector<std::string> limits;
  std::set<std::string_view> remedies;
  void add(std::string limit, std::string_view remedy) {
    limits.push_back(std::move(limit));
    remedies.insert(remedy);
  }
};

void find_lateness(const LevelRecords& records, double engine_speed, Findings& found) {
  const ClientSelf& client = records.client;
  const auto late = [&](std::optional<double> p99_ms, std::string_view what) {
    if (p99_ms && *p99_ms / engine_speed > most_lateness_ms)
      found.add(fmt::format("p99 of {} {:.1f} ms late", what, *p99_ms / engine_speed), more_cores);
  };
  late(client.read_lateness_p99_ms, "reading");
  if (records.level.kind == LevelKind::request_rate) late(client.send_lateness_p99_ms, "sending");
  if (client.cpu_share && *client.cpu_share > most_cpu_share)
    found.add(fmt::format("its busiest thread {:.0f}% busy", 100 * *client.cpu_share), more_cores);
}

void find_lacks(const LevelRecords& records, Findings& found) {
  for (const Lack& lack : lacks) {
    const auto unsent = std::ranges::count_if(records.requests, [&](const RequestRecord& record) {
      return record.outcome == Outcome::unsent && record.message.find(lack.words) != std::string::npos;
    });
    if (unsent > 0) found.add(fmt::format("{} requests were not sent for want of {}", unsent, lack.what), lack.remedy);
  }
}

/// One load per thread against what was proven.
struct Carried {
  std::string_view what;
  double load = 0;
  std::optional<ProvenLimit> ClientCalibration::* limit;
};

std::vector<Carried> carried_per_thread(const LevelRecords& records, const MeasuredSet& set, const LevelResult& result,
                                        double engine_speed) {
  if (!set.has_window || set.window.seconds() <= 0) return {};
  const double threads = std::max(1U, records.client.threads);
  const double reads_per_s = static_cast<double>(output_arrivals(records, set.window).reads) / set.window.seconds();
  return {{"reads of output/s", reads_per_s * engine_speed / threads, &ClientCalibration::events_per_s_per_thread},
          {"streams", result.in_flight_mean / threads, &ClientCalibration::streams_per_thread},
          {"requests/s", result.sent_requests_per_s * engine_speed / threads,
           &ClientCalibration::requests_per_s_per_thread}};
}

std::string sentence(std::string_view beginning, const Findings& found, std::string_view verb) {
  if (found.limits.empty()) return {};
  return fmt::format("{}: {} (wall time). {} {}.", beginning, fmt::join(found.limits, ", "), verb,
                     fmt::join(found.remedies, "; "));
}

}  // namespace

ClientDoubts client_doubts(const LevelRecords& records, const MeasuredSet& set, const LevelResult& result,
                           double engine_speed, const ClientCalibration* calibration) {
  Findings limited, unproven;
  find_lateness(records, engine_speed, limited);
  find_lacks(records, limited);
  if (calibration != nullptr) {
    for (const Carried& carried : carried_per_thread(records, set, result, engine_speed)) {
      const std::optional<ProvenLimit>& proven = calibration->*carried.limit;
      if (!proven || carried.load <= proven->value) continue;
      Findings& into = proven->at_least ? unproven : limited;
      into.add(fmt::format("{:.0f} {} a thread where this machine was proven to carry {}{:.0f}", carried.load,
                           carried.what, proven->at_least ? "at least " : "", proven->value),
               proven->at_least ? "`loadline calibrate`: a higher load was never tried" : more_cores);
    }
  }
  return {sentence("The client was a bottleneck", limited, "Add"),
          sentence("The client carried more than was ever tried", unproven, "Run")};
}

}  // namespace loadline
