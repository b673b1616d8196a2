#pragma once
// What is known of a log beside its rows: where it comes from, its books, its clock. Facts of several sources join.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/part_stream.h"
#include "core/trace.h"
#include "core/trace_stats.h"
#include "trace/known_sources.h"

namespace loadline {

struct LogFacts {
  std::string source;  ///< names, separated by commas
  KnownSources files;  ///< those that have rows
  std::string format;
  std::uint64_t read = 0;
  std::map<std::string, Refused> refused;
  std::map<std::string, std::uint64_t> filtered;
  std::vector<std::string> remarks;
  bool has_times = false;                    ///< of any source
  std::optional<double> time_resolution_ms;  ///< the finest that a source declares
  std::string time_zone;
  std::optional<Nanos> started;
  bool tokens_estimated = false;
  std::optional<double> tokens_per_character;  ///< absent also where sources were estimated with different ones
};

LogFacts facts_of(const Trace& trace);
/// `more` tells of a source that comes behind those of `facts`: books add up, remarks are said once. Where the clocks
/// of the two cannot be compared, a remark says so. Throws Error where both are of one file, and for two formats.
void join_facts(LogFacts& facts, const LogFacts& more);
/// A sentence for people, once, however often it is said.
void add_remark(LogFacts& facts, const std::string& sentence);
/// Puts all but the time resolution, which the arrivals may correct, into `stats`.
void put_facts(const LogFacts& facts, TraceStats& stats);

void write_facts(PartWriter& part, const LogFacts& facts);
LogFacts read_facts(PartReader& part);

}  // namespace loadline
