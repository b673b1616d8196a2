#include "trace/log_facts.h"

#include <algorithm>

#include "trace/choose_format.h"
#include "trace/refused_books.h"

namespace loadline {
namespace {

/// Files without a request may well be alike, as those of quiet days that hold a header alone.
bool has_rows(const Trace& trace) {
  std::uint64_t unused = 0;
  for (const auto& [reason, refused] : trace.refused) unused += refused.count;
  for (const auto& [reason, count] : trace.filtered) unused += count;
  return trace.read > unused;
}

void join_formats(LogFacts& facts, const LogFacts& more) {
  if (facts.format.empty()) facts.format = more.format;
  if (!more.format.empty() && facts.format != more.format)
    refuse_two_formats(facts.source, facts.format, more.source, more.format);
}

/// The first source of all is named only when another one comes: a single log's lines need no name.
void join_refused(LogFacts& facts, const LogFacts& more) {
  RefusedByReason refused = more.refused;
  if (!facts.source.empty()) {
    name_file(facts.refused, facts.source);
    name_file(refused, more.source);
  }
  add_refused(facts.refused, refused);
  for (const auto& [reason, count] : more.filtered) facts.filtered[reason] += count;
}

void say_once(std::vector<std::string>& remarks, const std::string& sentence) {
  if (std::ranges::find(remarks, sentence) == remarks.end()) remarks.push_back(sentence);
}

/// UTC and times with their offset are the same clock; the others are not.
void join_time_zones(LogFacts& facts, const LogFacts& more) {
  if (facts.time_zone == more.time_zone) return;
  if (facts.time_zone.empty() || more.time_zone.empty()) {
    say_once(
        facts.remarks,
        "Some files have dates and some count from a start of their own, so the order of their requests means nothing.");
    facts.time_zone.clear();
  } else if (facts.time_zone == "local" || more.time_zone == "local") {
    say_once(
        facts.remarks,
        "Some files are stamped in UTC and some in an unnamed local time, so the order of their requests is uncertain.");
    facts.time_zone = "local";
  } else {
    facts.time_zone = "offset";
  }
}

void join_clocks(LogFacts& facts, const LogFacts& more) {
  if (!more.has_times) return;
  if (facts.has_times) {
    join_time_zones(facts, more);
  } else {
    facts.time_zone = more.time_zone;
  }
  facts.has_times = true;
  if (more.time_resolution_ms) {
    facts.time_resolution_ms =
        std::min(facts.time_resolution_ms.value_or(*more.time_resolution_ms), *more.time_resolution_ms);
  }
  if (more.started) facts.started = std::min(facts.started.value_or(*more.started), *more.started);
  if (facts.time_zone.empty()) facts.started.reset();
}

void join_estimates(LogFacts& facts, const LogFacts& more) {
  if (!more.tokens_estimated) return;
  if (!facts.tokens_estimated) facts.tokens_per_character = more.tokens_per_character;
  if (facts.tokens_per_character != more.tokens_per_character) facts.tokens_per_character.reset();
  facts.tokens_estimated = true;
}

void write_optional(PartWriter& part, const std::optional<double>& value) {
  part.number(value ? 1 : 0);
  if (value) part.real(*value);
}

std::optional<double> read_optional(PartReader& part) {
  if (part.number_up_to(1) == 0) return std::nullopt;
  return part.real();
}

}  // namespace

LogFacts facts_of(const Trace& trace) {
  LogFacts facts;
  facts.source = trace.source;
  if (trace.fingerprint && has_rows(trace)) facts.files.add(*trace.fingerprint, trace.source);
  facts.format = trace.format;
  facts.read = trace.read;
  facts.refused = trace.refused;
  facts.filtered = trace.filtered;
  facts.remarks = trace.remarks;
  facts.has_times = trace.has_times;
  if (trace.has_times) facts.time_resolution_ms = trace.time_resolution_ms;
  facts.time_zone = trace.time_zone;
  facts.started = trace.started;
  facts.tokens_estimated = trace.tokens_estimated;
  facts.tokens_per_character = trace.tokens_per_character;
  return facts;
}

void join_facts(LogFacts& facts, const LogFacts& more) {
  facts.files.add_all(more.files);
  join_formats(facts, more);
  join_refused(facts, more);
  if (!more.source.empty()) facts.source += facts.source.empty() ? more.source : ", " + more.source;
  facts.read += more.read;
  for (const std::string& sentence : more.remarks) say_once(facts.remarks, sentence);
  join_clocks(facts, more);
  join_estimates(facts, more);
}

void add_remark(LogFacts& facts, const std::string& sentence) { say_once(facts.remarks, sentence); }

void put_facts(const LogFacts& facts, TraceStats& stats) {
  stats.source = facts.source;
  stats.format = facts.format;
  stats.read = facts.read;
  stats.refused = facts.refused;
  stats.filtered = facts.filtered;
  stats.remarks = facts.remarks;
  stats.time_zone = facts.time_zone;
  stats.started = facts.started;
  stats.tokens_estimated = facts.tokens_estimated;
  stats.tokens_per_character = facts.tokens_per_character;
}

void write_facts(PartWriter& part, const LogFacts& facts) {
  part.text(facts.source);
  facts.files.write(part);
  part.text(facts.format);
  part.number(facts.read);
  part.number(facts.refused.size());
  for (const auto& [reason, refused] : facts.refused) {
    part.text(reason);
    part.number(refused.count);
    part.number(refused.first_lines.size());
    for (const std::uint64_t line : refused.first_lines) part.number(line);
    part.number(refused.first_files.size());
    for (const std::string& file : refused.first_files) part.text(file);
  }
  part.number(facts.filtered.size());
  for (const auto& [reason, count] : facts.filtered) {
    part.text(reason);
    part.number(count);
  }
  part.number(facts.remarks.size());
  for (const std::string& sentence : facts.remarks) part.text(sentence);
  part.number(facts.has_times ? 1 : 0);
  write_optional(part, facts.time_resolution_ms);
  part.text(facts.time_zone);
  part.number(facts.started ? 1 : 0);
  if (facts.started) part.signed_number(facts.started->count());
  part.number(facts.tokens_estimated ? 1 : 0);
  write_optional(part, facts.tokens_per_character);
}

LogFacts read_facts(PartReader& part) {
  LogFacts facts;
  facts.source = part.text();
  facts.files.read(part);
  facts.format = part.text();
  facts.read = part.number();
  for (std::uint64_t left = part.number(); left > 0; --left) {
    Refused& refused = facts.refused[part.text()];
    refused.count = part.number();
    for (std::uint64_t lines = part.number_up_to(refused_lines_kept); lines > 0; --lines) {
      refused.first_lines.push_back(part.number());
    }
    const std::uint64_t files = part.number_up_to(refused.first_lines.size());
    if (files != 0 && files != refused.first_lines.size()) part.refuse_damaged();
    for (std::uint64_t left_files = files; left_files > 0; --left_files) refused.first_files.push_back(part.text());
  }
  for (std::uint64_t left = part.number(); left > 0; --left) {
    const std::string reason = part.text();
    facts.filtered[reason] = part.number();
  }
  for (std::uint64_t left = part.number(); left > 0; --left) facts.remarks.push_back(part.text());
  facts.has_times = part.number_up_to(1) == 1;
  facts.time_resolution_ms = read_optional(part);
  facts.time_zone = part.text();
  if (part.number_up_to(1) == 1) facts.started = Nanos(part.signed_number());
  facts.tokens_estimated = part.number_up_to(1) == 1;
  facts.tokens_per_character = read_optional(part);
  return facts;
}

}  // namespace loadline
