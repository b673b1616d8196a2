// A small program over the communicator alone, for tests/fleet: what ranks find out about one another.
//   fleet_probe clocks    aligns all clocks twice, and rank 0 prints them as JSON
//   fleet_probe traffic   the ranks send rank 0 messages as fast as they can; rank 0 prints what each costs it
//   fleet_probe idle      each rank prints what the communicator costs it while nothing is sent
//   fleet_probe watch     the ranks say numbers until they are told to stop; each then says which rank it misses
//   fleet_probe codec     prints what it costs to encode and decode the batches of requests
#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <string_view>
#include <thread>

#include "core/error.h"
#include "fleet/communicator.h"
#include "fleet/message_codec.h"
#include "net/time_source.h"

namespace loadline {
namespace {

constexpr Nanos patience = std::chrono::seconds(20);
constexpr int rounds = 400;

std::atomic<bool> stop_asked = false;

void print(const std::string& line) {
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

std::string clock_row(Communicator& fleet, int rank) {
  const auto first = clock_offset(fleet.sample_clock(rank, rounds, patience));
  const auto second = clock_offset(fleet.sample_clock(rank, rounds, patience));
  check(first && second, "every living rank answers");
  return fmt::format(R"({{"rank":{},"host":"{}","samples":{},"offset_ns":{},"half_round_trip_ns":{},"spread_ns":{},)"
                     R"("offset_again_ns":{},"half_round_trip_again_ns":{}}})",
                     rank, fleet.host(rank), first->samples, first->offset.count(), first->half_round_trip.count(),
                     first->spread.count(), second->offset.count(), second->half_round_trip.count());
}

/// Also says what a broadcast and a gather brought, so that a test sees them.
int clocks(Communicator& fleet) {
  const std::string word = fleet.broadcast(fleet.rank() == 0 ? "to all" : "ignored", patience);
  const std::string large(std::size_t{3} << 20, static_cast<char>('0' + fleet.rank()));
  const std::vector<std::string> gathered = fleet.gather(fleet.rank() == 1 ? large : word, patience);
  std::string rows;
  for (int rank = 1; rank < fleet.size() && fleet.rank() == 0; ++rank) {
    rows += (rank > 1 ? "," : "") + clock_row(fleet, rank);
  }
  fleet.barrier(patience);
  if (fleet.rank() != 0) return 0;
  std::string sizes;
  for (const std::string& bytes : gathered) sizes += (sizes.empty() ? "" : ",") + std::to_string(bytes.size());
  print(fmt::format(R"({{"size":{},"host":"{}","broadcast":"{}","gathered_bytes":[{}],"others":[{}]}})", fleet.size(),
                    fleet.host(0), word, sizes, rows));
  return 0;
}

bool misses_one_for_long(const Communicator& fleet) {
  const std::optional<int> lost = lost_rank(fleet);
  return lost && fleet.silence(*lost) > lost_after;
}

int watch(Communicator& fleet) {
  std::signal(SIGTERM, [](int) { stop_asked = true; });
  fleet.barrier(patience);
  print(fmt::format(R"({{"rank":{},"state":"watching","process":{}}})", fleet.rank(), ::getpid()));
  std::size_t taken = 0;
  while (!stop_asked && !fleet.is_broken() && !misses_one_for_long(fleet)) {
    if (fleet.rank() != 0) fleet.send(0, Tag::events, "a number");
    while (fleet.poll(Tag::events)) ++taken;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const std::optional<int> lost = lost_rank(fleet);
  print(fmt::format(R"({{"rank":{},"state":"told","broken":{},"taken":{},"misses":{},"silent_ms":{}}})", fleet.rank(),
                    fleet.is_broken(), taken, lost ? std::to_string(*lost) : "null",
                    lost ? fleet.silence(*lost).count() / 1'000'000 : 0));
  if (lost) fleet.abandon();
  return lost ? 1 : 0;
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// What a message costs rank 0, its MPI calls included.
int traffic(Communicator& fleet) {
  constexpr int messages = 20000;
  constexpr std::size_t bytes = 1000;
  fleet.barrier(patience);
  const double cpu_before = cpu_seconds();
  const Nanos before = SystemTime::monotonic_now();
  for (int i = 0; i < messages && fleet.rank() != 0; ++i) fleet.send(0, Tag::events, std::string(bytes, 'x'));
  int taken = 0;
  while (fleet.rank() == 0 && taken < messages * (fleet.size() - 1)) {
    while (fleet.poll(Tag::events)) ++taken;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    check(!fleet.is_broken(), "all ranks live");
  }
  const double cpu = cpu_seconds() - cpu_before;
  const double wall = seconds(SystemTime::monotonic_now() - before);
  fleet.barrier(patience);
  if (fleet.rank() != 0) return 0;
  print(
      fmt::format(R"({{"messages":{},"bytes_each":{},"seconds":{:.3f},"messages_per_s":{:.0f},"cpu_us_each":{:.2f}}})",
                  taken, bytes, wall, taken / wall, 1e6 * cpu / taken));
  return 0;
}

/// What the communicator itself costs while nobody says anything but that it lives.
int idle(Communicator& fleet) {
  fleet.barrier(patience);
  const double before = cpu_seconds();
  std::this_thread::sleep_for(std::chrono::seconds(3));
  const double cpu = cpu_seconds() - before;
  fleet.barrier(patience);
  print(fmt::format(R"({{"rank":{},"cpu_share":{:.4f}}})", fleet.rank(), cpu / 3));
  return 0;
}

ShareBatch answers_of_250_tokens(std::uint32_t count) {
  ShareBatch message;
  Batch& batch = message.batch;
  for (std::uint32_t i = 0; i < count; ++i) {
    const RunTime due = run_time(60'000'000'000 + 1'000'000 * i);
    RequestRecord record;
    record.serial = record.plan_index = 1'000'000 + i;
    record.planned_prompt = *(record.prompt_tokens = Tokens(2000));
    record.planned_completion = *(record.completion_tokens = Tokens(250));
    record.due = record.sent = due;
    record.first_byte = record.first_token = record.first_answer = due + std::chrono::milliseconds(412);
    record.last_token = record.closed = due + std::chrono::milliseconds(2900);
    record.events = 250;
    record.gaps = {0, 249 * i, 249};
    record.outcome = Outcome::ok;
    batch.records.push_back(record);
    batch.gaps.insert(batch.gaps.end(), 249, 100'000);
    batch.events.push_back({ShareEvent::Kind::released, due, i, i, due, 0});
    batch.events.push_back({ShareEvent::Kind::first_token, *record.first_token, i, 0, *record.first_token, 0});
    batch.events.push_back({ShareEvent::Kind::ended, *record.closed, i, 0, {}, i});
  }
  return message;
}

int codec() {
  constexpr std::uint32_t count = 20000;
  const ShareBatch message = answers_of_250_tokens(count);
  const double start = cpu_seconds();
  const std::string bytes = encode(message);
  const double encoded = cpu_seconds();
  const FleetMessage arrived = decode(bytes);
  const double decoded = cpu_seconds();
  check(std::get<ShareBatch>(arrived).batch.records.size() == count, "what is read is what was written");
  print(fmt::format(R"({{"requests":{},"bytes_each":{:.0f},"encode_us_each":{:.2f},"decode_us_each":{:.2f}}})", count,
                    static_cast<double>(bytes.size()) / count, 1e6 * (encoded - start) / count,
                    1e6 * (decoded - encoded) / count));
  return 0;
}

int run(std::string_view what) {
  if (what == "codec") return codec();
  const std::unique_ptr<Communicator> fleet = make_communicator();
  if (what == "clocks") return clocks(*fleet);
  if (what == "traffic") return traffic(*fleet);
  if (what == "idle") return idle(*fleet);
  if (what == "watch") return watch(*fleet);
  throw Error("fleet_probe knows `clocks`, `codec`, `traffic`, `idle` and `watch`");
}

}  // namespace
}  // namespace loadline

int main(int argc, char** argv) {
  try {
    return loadline::run(argc == 2 ? argv[1] : "");
  } catch (const loadline::Error& error) {
    std::fprintf(stderr, "fleet_probe: %s\n", error.what());
    return 2;
  }
}
