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
  Parts(Destination to, Timeouts limits, TimeSource& clock)
      : destination(std::move(to)),
        timeouts(limits),
        time(clock),
        pool(destination, clock),
        stamps(keep_receive_stamps_on()),
        buffer(Connection::read_size) {}

  const Destination destination;
  const Timeouts timeouts;
  TimeSource& time;
  ConnectionPool pool;
  Socket stamps;
  OpenAiEventReader reader;
  std::vector<char> buffer;
};

Client::Client(Destination destination, Timeouts timeouts, TimeSource& time) {
  check(!destination.addresses.empty(), "a destination has an address");
  raise_open_file_limit();
  parts_ = std::make_unique<Parts>(std::move(destination), timeouts, time);
}

Client::~Client() = default;

void Client::run_level(const Plan& plan, LevelCourse& course, const BodyWriter& write_body, LevelRecords& records,
                       const std::atomic<bool>& interrupted) {
  records = LevelRecords{};
  records.level = plan.level;
  records.ordinal = plan.ordinal;
  records.requests.resize(plan.requests.size());
  LevelLoop loop({parts_->destination, parts_->timeouts, parts_->time, parts_->pool, parts_->reader, parts_->buffer,
                  parts_->destination.secrets},
                 plan, course, write_body, records, interrupted);
  loop.prepare();
  const std::size_t first_wave = std::min(users_of(plan.level), plan.requests.size());
  const Nanos patience = std::min(patience_before_level, parts_->time.wall(parts_->timeouts.connect));
  parts_->pool.open_ahead(first_wave, patience, interrupted);
  loop.run();
}

}  // namespace loadline
