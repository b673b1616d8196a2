#include "app/thread_waits.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>

namespace loadline {

ThreadWaits thread_waits() {
  ThreadWaits waits;
  std::error_code failure;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", failure)) {
    std::ifstream file(task.path() / "schedstat");
    std::int64_t ran_ns = 0, waited_ns = 0;
    if (file >> ran_ns >> waited_ns) waits[task.path().filename()] = Nanos(waited_ns);
  }
  return waits;
}

std::optional<double> waited_share(const ThreadWaits& from, const ThreadWaits& to, Nanos span) {
  std::optional<Nanos> most;
  for (const auto& [thread, before] : from) {
    const auto after = to.find(thread);
    if (after != to.end()) most = std::max(most.value_or(Nanos(0)), after->second - before);
  }
  if (!most || span <= Nanos(0)) return std::nullopt;
  return seconds(*most) / seconds(span);
}

}  // namespace loadline
