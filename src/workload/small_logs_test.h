#pragma once
// Logs of a few rows, for tests.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "core/trace.h"
#include "workload/draw.h"

namespace loadline {

inline TraceRow row_of(std::int64_t prompt, std::int64_t completion) {
  TraceRow row;
  row.prompt = Tokens(prompt);
  row.completion = Tokens(completion);
  return row;
}

/// Prompts 10, 20, ..., each with a completion a tenth as long.
inline Trace plain_trace(int rows) {
  Trace trace;
  trace.source = "plain.csv";
  for (int i = 1; i <= rows; ++i) trace.rows.push_back(row_of(10 * i, i));
  return trace;
}

inline void add_hashed_row(Trace& trace, std::int64_t prompt, std::vector<std::uint64_t> ids) {
  TraceRow row = row_of(prompt, 5);
  row.first_block = trace.blocks.size();
  row.block_count = static_cast<std::uint32_t>(ids.size());
  trace.blocks.insert(trace.blocks.end(), ids.begin(), ids.end());
  trace.rows.push_back(row);
}

/// Blocks of 4 tokens. A and B share 8 tokens, C is A again, with its partly filled last block.
inline Trace hashed_trace() {
  Trace trace;
  trace.source = "hashed.jsonl";
  trace.block_size = 4;
  trace.sharing = SharingOrigin::hashed;
  add_hashed_row(trace, 10, {1, 2, 3});
  add_hashed_row(trace, 12, {1, 2, 4});
  add_hashed_row(trace, 10, {1, 2, 3});
  return trace;
}

/// `sessions` of `turns` each, a second between rows: turn t of all sessions, then turn t + 1. A prompt repeats the one
/// before and adds 100 tokens; its completion names the session, counted from 1.
inline Trace session_trace(std::uint32_t sessions, std::uint32_t turns) {
  Trace trace;
  trace.source = "sessions.jsonl";
  trace.sharing = SharingOrigin::sessions;
  trace.has_times = true;
  for (std::uint32_t i = 0; i < sessions; ++i) trace.sessions.push_back("s" + std::to_string(i));
  for (std::uint32_t turn = 0; turn < turns; ++turn) {
    for (std::uint32_t session = 0; session < sessions; ++session) {
      TraceRow row = row_of(100 * (turn + std::int64_t{1}), session + std::int64_t{1});
      row.session = session;
      row.turn = turn;
      row.arrival = std::chrono::seconds(trace.rows.size());
      trace.rows.push_back(row);
    }
  }
  return trace;
}

inline DrawSettings settings_of(std::uint64_t seed, std::size_t count, std::uint32_t ordinal = 0) {
  DrawSettings settings;
  settings.seed = seed;
  settings.count = count;
  settings.ordinal = ordinal;
  return settings;
}

inline DrawSettings replay_of(std::uint64_t seed, std::size_t count, std::uint32_t ordinal = 0) {
  DrawSettings settings = settings_of(seed, count, ordinal);
  settings.sampler = Sampler::replay;
  return settings;
}

/// The whole log, in its order: the only window of that many rows.
inline Workload replay_from_first(const Trace& trace, DrawSettings settings) {
  settings.sampler = Sampler::replay;
  settings.window = trace.rows.size();
  return draw_workload(trace, settings);
}

}  // namespace loadline
