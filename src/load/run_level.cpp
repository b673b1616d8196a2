#include "load/run_level.h"

#include <algorithm>

#include "core/error.h"
#include "core/releases.h"
#include "load/connection_pool.h"
#include "load/level_loop.h"

namespace loadline {
namespace {

constexpr Nanos patience_before_level = std::chrono::seconds(10);  // wall

}  // namespace

/// What lives from level to level.
class Client::Parts {
 public:
  Parts(std::vector<Destination> to, ClientSettings how, TimeSource& clock)
      : destinations(std::move(to)),
        settings(how),
        time(clock),
        pool(destinations, settings.balance, clock),
        stamps(keep_receive_stamps_on()),
        buffer(2 * Connection::read_size) {
    for (const Destination& destination : destinations) {
      secrets.insert(secrets.end(), destination.secrets.begin(), destination.secrets.end());
    }
  }

  const std::vector<Destination> destinations;
  const ClientSettings settings;
  TimeSource& time;
  ConnectionPool pool;
  Socket stamps;
  StreamEventReader reader;
  std::vector<char> buffer;
  std::vector<std::string> secrets;
};

Client::Client(std::vector<Destination> destinations, ClientSettings settings, TimeSource& time) {
  check(!destinations.empty(), "a client has a destination");
  for (const Destination& destination : destinations) {
    check(!destination.addresses.empty(), "a destination has an address");
  }
  raise_open_file_limit();
  parts_ = std::make_unique<Parts>(std::move(destinations), settings, time);
}

Client::~Client() = default;

void Client::run_level(const Plan& plan, LevelCourse& course, const BodyWriter& write_body, LevelRecords& records,
                       const std::atomic<bool>& interrupted, const StartGate& start_gate) {
  records = LevelRecords{};
  records.level = plan.level;
  records.ordinal = plan.ordinal;
  records.requests.resize(plan.requests.size());
  if (parts_->settings.keep_texts) records.texts.resize(plan.requests.size());
  LevelLoop loop({parts_->destinations, parts_->settings, parts_->time, parts_->pool, parts_->reader, parts_->buffer,
                  parts_->secrets},
                 plan, course, write_body, records, interrupted);
  loop.prepare();
  const std::size_t first_wave = std::min(users_of(plan.level), plan.requests.size());
  const Nanos patience = std::min(patience_before_level, parts_->time.wall(parts_->settings.timeouts.connect));
  parts_->pool.open_ahead(first_wave, patience, interrupted);
  loop.run(start_gate ? start_gate() : parts_->time.now());
}

}  // namespace loadline
