#pragma once
// What happened to a request: instants in, durations derived. Every latency has one definition, here
// (docs/method.md section 1).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/gap_pool.h"
#include "core/level.h"
#include "core/outcome.h"
#include "core/trace.h"
#include "core/units.h"

namespace loadline {

enum class Stamp : std::uint8_t { user, kernel };  ///< who stamped the first token
enum class TokenSource : std::uint8_t { none, server, tokenizer };

struct RequestRecord {
  std::uint32_t serial = 0;      ///< in order of release: its place in LevelRecords::requests
  std::uint32_t plan_index = 0;  ///< in Plan::requests; differs from serial where turns wait for one another
  SessionIndex session = no_session;
  std::uint32_t turn = 0;
  ClientIndex client = no_client;
  Tokens planned_prompt{}, planned_completion{};
  bool warmup = false;

  std::optional<RunTime> due, sent, first_byte;
  std::optional<RunTime> first_token;   ///< arrival of the first chunk with output of any channel
  std::optional<RunTime> first_answer;  ///< arrival of the first chunk with answer text (not reasoning)
  std::optional<RunTime> last_token;
  std::optional<RunTime> closed;  ///< the client saw its end or gave it up
  Stamp stamp = Stamp::user;

  std::optional<Tokens> prompt_tokens, completion_tokens, reasoning_tokens, cached_tokens;
  TokenSource token_source = TokenSource::none;
  std::uint32_t events = 0;  ///< chunks that carried output
  std::optional<Tokens> first_event_tokens;
  /// Of `events`, those that carried one token; absent where not every one told how many it carried.
  std::optional<std::uint32_t> single_token_events;
  bool coalesced = false;  ///< output chunks arrived together: no per-token latency
  GapSpan gaps;            ///< arrivals of consecutive output chunks, events - 1 of them

  std::uint16_t http_status = 0;  ///< 0: no head came
  Outcome outcome = Outcome::unsent;
  std::uint8_t attempts = 0;
  std::optional<Nanos> retry_after;  ///< wall time, as the server asked for in Retry-After
  std::string message;               ///< the server's or the system's words on a failure, at most 500 bytes
};

/// TTFT from due, not from sent: waiting inside the client counts.
inline std::optional<Nanos> ttft(const RequestRecord& r) {
  if (!r.first_token || !r.due) return std::nullopt;
  return *r.first_token - *r.due;
}
inline std::optional<Nanos> service_ttft(const RequestRecord& r) {
  if (!r.first_token || !r.sent) return std::nullopt;
  return *r.first_token - *r.sent;
}
inline std::optional<Nanos> first_answer_latency(const RequestRecord& r) {
  if (!r.first_answer || !r.due) return std::nullopt;
  return *r.first_answer - *r.due;
}
inline std::optional<Nanos> e2e(const RequestRecord& r) {
  if (!r.last_token || !r.due) return std::nullopt;
  return *r.last_token - *r.due;
}
/// First to last token per token after the first chunk's f. Absent where no token came after that chunk, all came at
/// one instant, or n_out is unknown.
std::optional<Seconds> tpot(const RequestRecord& r);
/// 1 / TPOT, tokens/s one user sees while text flows.
std::optional<double> user_rate(const RequestRecord& r);
/// n_out / E2E, tokens/s.
std::optional<double> end_to_end_rate(const RequestRecord& r);

/// Whether the request is of that class. Where nobody knew its prompt's length beforehand the server's count serves; a
/// request of which neither is known belongs to no class of prompts.
bool belongs_to(const RequestRecord& r, const RequestClass& of);

/// How far the client itself was late and busy while a level ran. Of several threads the lateness is that of the worst.
struct ClientSelf {
  std::uint32_t threads = 1;                ///< I/O threads that carried the level, on all machines
  std::uint32_t machines = 1;               ///< processes that carried the level, one on each machine
  std::optional<double> clock_residual_us;  ///< how far apart two machines' clocks may be; absent for one machine
  std::optional<double> send_lateness_p50_ms, send_lateness_p99_ms, send_lateness_max_ms;
  std::optional<double> read_lateness_p50_ms, read_lateness_p99_ms, read_lateness_max_ms;  ///< seen - arrived
  std::optional<double> loop_turn_p99_ms, loop_turn_max_ms;  ///< one round of the loop, without its sleep
  std::optional<double> cpu_share;                           ///< of the busiest I/O thread, 0 to 1
  std::vector<double> thread_cpu_shares;                     ///< of each I/O thread, 0 to 1
  std::uint64_t reads = 0, stamped_reads = 0;                ///< of sockets; with the kernel's receive stamp
  std::uint64_t coalesced_reads = 0;                         ///< that brought more than one output event
  std::uint64_t output_events = 0;
  std::uint32_t reconnects = 0;  ///< reused connections that died before a byte and were sent again
  std::uint32_t retries = 0;     ///< requests sent again because the user asked for it
  std::uint32_t held_back = 0;   ///< open loop: requests that waited because as many were in flight as may be
  bool clock_stepped = false;    ///< someone set a machine's clock while the level ran, as one of its threads saw it
  /// Share of the reads that the kernel stamped; absent without reads.
  std::optional<double> kernel_stamped_share() const { return share_of_reads(stamped_reads); }
  /// Share of the reads that brought more than one output event; absent without reads.
  std::optional<double> coalesced_share() const { return share_of_reads(coalesced_reads); }

 private:
  std::optional<double> share_of_reads(std::uint64_t count) const {
    return reads > 0 ? std::optional(static_cast<double>(count) / static_cast<double>(reads)) : std::nullopt;
  }
};

/// `a` and `b` together: the worst lateness, the sum of counts.
ClientSelf together(const ClientSelf& a, const ClientSelf& b);

/// Everything that happened at one level: one record per released request, in order of release.
struct LevelRecords {
  Level level;
  std::uint32_t ordinal = 0;
  RunTime started{};
  std::optional<RunTime> window_start, window_end;  ///< [t0, t1): R = requests due inside
  RunTime ended{};
  std::string state = "running";  ///< running | complete | interrupted
  std::vector<RequestRecord> requests;
  GapPool gaps;
  std::vector<std::string> texts{};  ///< by serial: what was answered, of every channel; empty where nobody wants it
  ClientSelf client;
};

}  // namespace loadline
