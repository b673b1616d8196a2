#include "load/run_level.h"

#include <algorithm>
#include <string_view>

#include "core/error.h"
#include "load/connection_pool.h"
#include "load/level_loop.h"

namespace loadline {
namespace {

constexpr Nanos patience_before_level = std::chrono::seconds(10);   // wall
constexpr std::size_t shortest_secret = 6;

bool names_a_secret(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return lower.find("auth") != lower.npos || lower.find("key") != lower.npos || lower.find("token") != lower.npos ||
         lower.find("secret") != lower.npos || lower.find("cookie") != lower.npos;
}

/// The values of headers that carry credentials, and their last words ("Bearer k": k alone), longest first.
std::vector<std::string> secrets_in(std::string_view headers) {
  std::vector<std::string> secrets;
  while (!headers.empty()) {
    const std::string_view line = headers.substr(0, headers.find("\r\n"));
    headers.remove_prefix(std::min(headers.size(), line.size() + 2));
    const std::size_t colon = line.find(':');
    if (colon == line.npos || !names_a_secret(line.substr(0, colon))) continue;
    std::string_view value = line.substr(colon + 1);
    while (value.starts_with(' ')) value.remove_prefix(1);
    const std::string_view last_word = value.substr(value.rfind(' ') + 1);
    for (const std::string_view secret : {value, last_word}) {
      if (secret.size() >= shortest_secret) secrets.emplace_back(secret);
    }
  }
  return secrets;
}

}  // namespace

/// What lives from level to level.
class Client::Parts {
 public:
  Parts(Destination to, Timeouts limits, TimeSource& clock)
      : destination(std::move(to)), timeouts(limits), time(clock), pool(destination, clock),
        stamps(keep_receive_stamps_on()), buffer(Connection::read_size), secrets(secrets_in(destination.headers)) {}

  const Destination destination;
  const Timeouts timeouts;
  TimeSource& time;
  ConnectionPool pool;
  Socket stamps;
  OpenAiEventReader reader;
  std::vector<char> buffer;
  std::vector<std::string> secrets;
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
                  parts_->secrets},
                 plan, course, write_body, records, interrupted);
  loop.prepare();
  const std::size_t first_wave = std::min(users_of(plan.level), plan.requests.size());
  const Nanos patience = std::min(patience_before_level, parts_->time.wall(parts_->timeouts.connect));
  parts_->pool.open_ahead(first_wave, patience, interrupted);
  loop.run();
}

}  // namespace loadline
