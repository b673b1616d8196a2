#include "app/client_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "app/reach_target.h"
#include "core/random.h"
#include "target/body.h"

namespace loadline {
namespace {

constexpr std::uint32_t most_threads_by_default = 8, most_threads = 256;
constexpr std::uint64_t most_retries = 100;

/// The run's salt as the number that enters every prompt.
std::uint64_t salt_number(const std::string& salt) {
  std::uint64_t number = 0x6c6f61646c696e65ULL;
  for (const char c : salt) number = mix(number, static_cast<unsigned char>(c));
  return number;
}

}  // namespace

ClientSettings client_settings_of(const RunSpec& spec) {
  ClientSettings settings;
  settings.timeouts.first_byte = parse_duration(spec.first_byte_timeout, "--first-byte-timeout");
  settings.timeouts.idle = parse_duration(spec.idle_timeout, "--idle-timeout");
  settings.timeouts.total = parse_duration(spec.total_timeout, "--total-timeout");
  settings.timeouts.connect = parse_duration(spec.connect_timeout, "--connect-timeout");
  settings.balance = spec.balance == "round-robin" ? Balance::round_robin : Balance::least_outstanding;
  if (spec.retries > most_retries) throw Error(fmt::format("--retries: must be at most {}", most_retries));
  settings.retries = static_cast<std::uint32_t>(spec.retries);
  settings.keep_texts = !spec.tokenizer.empty();
  return settings;
}

ClientLimits limits_of(const RunSpec& spec, const ClientSettings& settings, std::size_t servers) {
  const Timeouts& timeouts = settings.timeouts;
  return {seconds(timeouts.connect), seconds(timeouts.first_byte),   seconds(timeouts.idle), seconds(timeouts.total),
          settings.retries,          servers > 1 ? spec.balance : ""};
}

std::uint32_t client_threads_of(const RunSpec& spec) {
  if (spec.client_threads) {
    if (*spec.client_threads == 0 || *spec.client_threads > most_threads) {
      throw Error(fmt::format("--client-threads: must be 1 to {}", most_threads));
    }
    return static_cast<std::uint32_t>(*spec.client_threads);
  }
  if (spec.url.empty()) return 1;  // the embedded engine wants the other cores
  return std::clamp(std::thread::hardware_concurrency(), 2U, most_threads_by_default + 1) - 1;
}

ClientMaker client_maker(const RunSpec& spec, const ClientSettings& settings, const Target& target, const Input& input,
                         const std::string& salt, Nanos monotonic_start) {
  ClientMaker maker;
  maker.destinations = destinations_of(spec, target);
  maker.settings = settings;
  const std::vector<PromptText>* const texts = spec.content == "log" ? &input.trace->texts : nullptr;
  maker.body_writer = [&target, number = salt_number(salt), texts] { return body_writer(target, number, texts); };
  maker.time = [speed = spec.engine_speed, monotonic_start] {
    return std::make_unique<SystemTime>(speed, monotonic_start);
  };
  return maker;
}

}  // namespace loadline
