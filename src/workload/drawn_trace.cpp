#include "workload/drawn_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/error.h"
#include "core/random.h"

namespace loadline {
namespace {

class DrawnTrace {
 public:
  DrawnTrace(const Workload& workload, const Trace& log) : workload_(workload), log_(log) {}

  Trace make() {
    describe_drawn();
    for (const Request& request : workload_.requests) add(request);
    trace_.read = trace_.rows.size();
    return std::move(trace_);
  }

 private:
  void describe_drawn() {
    const auto timed = [](const Request& request) { return request.arrival.has_value(); };
    trace_.source = fmt::format("sample:{}, {}", workload_.requests.size(), log_.source);
    trace_.format = "canonical";
    // Sessions are drawn from all over the log: what lies between them was left out, so their times are no arrivals.
    trace_.has_times = workload_.sampler == Sampler::replay && std::ranges::all_of(workload_.requests, timed);
    trace_.time_resolution_ms = trace_.has_times ? log_.time_resolution_ms : 0;
    trace_.block_size = log_.block_size > 0 ? workload_.block_size : 0;
    trace_.partial_tail = log_.partial_tail;
    trace_.sharing = log_.sharing;
    trace_.tokens_estimated = log_.tokens_estimated;
    trace_.tokenizer = log_.tokenizer;
    trace_.clients = log_.clients;
    trace_.remarks = log_.remarks;
  }

  void add(const Request& request) {
    check(request.row < log_.rows.size(), "a drawn request has its row in the log");
    TraceRow row;
    row.arrival = trace_.has_times ? *request.arrival : Nanos(0);
    row.prompt = request.prompt.length;
    row.completion = request.completion;
    row.cached = log_.rows[request.row].cached;
    if (row.cached) row.cached = std::min(*row.cached, row.prompt);
    row.turn = request.turn;
    if (request.session != no_session) row.session = session_of(request);
    add_blocks(request.prompt, row);
    trace_.rows.push_back(row);
    if (!log_.details.empty()) trace_.details.push_back(log_.details[request.row]);
  }

  SessionIndex session_of(const Request& request) {
    const auto [entry, is_new] = sessions_.try_emplace(request.session, trace_.sessions.size());
    if (is_new) {
      const SessionIndex logged = log_.rows[request.row].session;
      const std::uint32_t pass = ++passes_[logged];
      trace_.sessions.push_back(pass == 1 ? log_.sessions[logged] : fmt::format("{}#{}", log_.sessions[logged], pass));
    }
    return static_cast<SessionIndex>(entry->second);
  }

  void add_blocks(const Prompt& prompt, TraceRow& row) {
    row.first_block = trace_.blocks.size();
    if (trace_.block_size == 0) return;
    const std::int64_t size = trace_.block_size;
    row.block_count = static_cast<std::uint32_t>((prompt.length.value() + (trace_.partial_tail ? size - 1 : 0)) / size);
    for (std::uint32_t k = 0; k < row.block_count; ++k) {
      trace_.blocks.push_back(k < prompt.block_count ? id_of(prompt, k) : next_id_++);
    }
  }

  std::uint64_t id_of(const Prompt& prompt, std::uint32_t k) {
    const std::uint64_t key = mix(prompt.sharing_namespace, workload_.blocks[prompt.first_block + k]);
    const auto [entry, is_new] = ids_.try_emplace(key, next_id_);
    if (is_new) ++next_id_;
    return entry->second;
  }

  const Workload& workload_;
  const Trace& log_;
  Trace trace_;
  std::unordered_map<std::uint64_t, std::uint64_t> ids_;
  std::unordered_map<SessionIndex, std::size_t> sessions_;
  std::unordered_map<SessionIndex, std::uint32_t> passes_;  ///< by session of the log: how often it was begun
  std::uint64_t next_id_ = 0;
};

}  // namespace

Trace drawn_trace(const Workload& workload, const Trace& log) { return DrawnTrace(workload, log).make(); }

}  // namespace loadline
