#include "report/run_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "core/error.h"
#include "report/request_row.h"
#include "report/run_client.h"
#include "report/sqlite_file.h"

namespace loadline {
namespace {

constexpr double largest_number = 1e9;  // of what a level is told to do

constexpr std::string_view select_level_sql =
    "SELECT kind AS \"level.kind\", target AS \"level.target\", started_ns AS \"level.started_ns\", window_start_ns AS "
    "\"level.window_start_ns\", window_end_ns AS \"level.window_end_ns\", ended_ns AS \"level.ended_ns\", state AS "
    "\"level.state\" FROM level WHERE id = ?";

std::string run_file_in(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code trouble;
  const fs::file_status status = fs::status(folder, trouble);
  if (!fs::exists(status)) throw Error(fmt::format("{}: there is no such run folder", folder));
  if (fs::is_regular_file(status)) return folder;
  const fs::path file = fs::path(folder) / "run.sqlite";
  if (!fs::is_regular_file(fs::status(file, trouble))) {
    throw Error(fmt::format("{}: there is no run.sqlite in this folder, so it is no run of loadline", folder));
  }
  return file.string();
}

}  // namespace

struct RunReader::File {
  explicit File(const std::string& folder) : database(run_file_in(folder), FileMode::read) {
    Statement version(database, "PRAGMA user_version");
    version.next();
    const std::int64_t found = version.integer(0, 0, std::numeric_limits<std::int32_t>::max()).value_or(0);
    if (found > run_file_version) {
      throw Error(fmt::format(
          "{}: the run file has version {}, this program reads up to {}; use the loadline that wrote it, or a newer one",
          database.path(), found, run_file_version));
    }
    for (const std::string_view table : {"run", "fact", "level", "request", "gap", "doubt"}) need_table(table);
    if (found < 1)
      throw Error(fmt::format("{}: the run file has no version, so it was not written by loadline", database.path()));
    database.run("BEGIN");  // one view for the reader's whole life, also while the run goes on
  }

  /// A plain table: a view or a virtual table of that name could run anything.
  void need_table(std::string_view table) {
    Statement found(database,
                    "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? AND sql NOT LIKE 'CREATE VIRTUAL%'");
    found.bind(0, table);
    if (!found.next()) {
      throw Error(
          fmt::format("{}: the table \"{}\" is missing, so this is no run of loadline or its writing never began",
                      database.path(), table));
    }
  }

  std::optional<std::string> value(const std::string& key) {
    Statement row(database, "SELECT value AS \"run.value\" FROM run WHERE key = ?");
    row.bind(0, key);
    if (!row.next()) return std::nullopt;
    return row.text(0);
  }

  Arrivals arrivals(std::uint32_t ordinal, LevelKind kind) {
    if (kind == LevelKind::concurrency) return Arrivals::closed;
    const std::string said = value(fmt::format("level/{}/arrivals", ordinal)).value_or("poisson");
    for (const Arrivals known : {Arrivals::constant, Arrivals::poisson, Arrivals::gamma, Arrivals::trace}) {
      if (said == name(known)) return known;
    }
    database.fail_value("run.value");
  }

  LevelPurpose purpose(std::uint32_t ordinal) {
    const std::optional<std::string> said = value(fmt::format("level/{}/purpose", ordinal));
    if (!said) return LevelPurpose::listed;
    const std::optional<LevelPurpose> purpose = level_purpose_named(*said);
    if (!purpose) database.fail_value("run.value");
    return *purpose;
  }

  /// A positive number among the values of a level; 1 where it is not told.
  double number(std::uint32_t ordinal, std::string_view key, double absent) {
    const std::optional<std::string> said = value(fmt::format("level/{}/{}", ordinal, key));
    if (!said) return absent;
    double number = 0;
    const auto [end, trouble] = std::from_chars(said->data(), said->data() + said->size(), number);
    const bool is_number = trouble == std::errc() && end == said->data() + said->size();
    if (!is_number || !(number > 0 && number <= largest_number)) database.fail_value("run.value");
    return number;
  }

  LevelRecords head(std::uint32_t ordinal);
  void requests(LevelRecords& level);

  Database database;
};

LevelRecords RunReader::File::head(std::uint32_t ordinal) {
  Statement row(database, select_level_sql);
  row.bind(0, std::int64_t{ordinal});
  if (!row.next()) throw Error(fmt::format("{}: the run has no level {}", database.path(), ordinal));
  const auto instant = [&](int column) -> std::optional<RunTime> {
    const auto ns = row.integer(column, -latest_instant_ns, latest_instant_ns);
    return ns ? std::optional(run_time(*ns)) : std::nullopt;
  };
  LevelRecords level;
  level.ordinal = ordinal;
  const std::string kind = row.text(0).value_or("");
  if (kind != name(LevelKind::concurrency) && kind != name(LevelKind::request_rate)) row.fail_value(0);
  level.level.kind = kind == name(LevelKind::concurrency) ? LevelKind::concurrency : LevelKind::request_rate;
  level.level.target = row.real(1).value_or(0);
  if (!(level.level.target > 0 && level.level.target <= largest_number)) row.fail_value(1);
  const auto started = instant(2);
  if (!started) row.fail_value(2);
  level.started = *started;
  level.window_start = instant(3);
  level.window_end = instant(4);
  if (level.window_end && (!level.window_start || *level.window_end < *level.window_start)) row.fail_value(4);
  level.ended = instant(5).value_or(level.started);
  level.state = row.text(6).value_or("");
  if (level.state != "complete" && level.state != "interrupted" && level.state != "running") row.fail_value(6);
  if (level.state == "running" || !instant(5)) level.state = "interrupted";
  level.level.arrivals = arrivals(ordinal, level.level.kind);
  level.level.burstiness = number(ordinal, "burstiness", 1);
  level.level.arrival_scale = number(ordinal, "arrival_scale", 1);
  level.level.ramp = nanos(Seconds(number(ordinal, "ramp_s", 0)));
  level.level.max_in_flight = static_cast<std::uint32_t>(std::min(number(ordinal, "max_in_flight", 0), 4e9));
  level.level.purpose = purpose(ordinal);
  level.level.pass = static_cast<std::uint32_t>(std::min(number(ordinal, "pass", 0), 4e9));
  level.level.requests = static_cast<std::uint32_t>(std::min(number(ordinal, "requests", 0), 4e9));
  if (const auto client = value(fmt::format("level/{}/client", ordinal))) level.client = read_client(*client);
  return level;
}

void RunReader::File::requests(LevelRecords& level) {
  Statement rows(database, select_requests_sql(database));
  const std::int64_t ordinal = level.ordinal;
  rows.bind(0, ordinal << 32)
      .bind(1, ordinal == 0x7fffffff ? std::numeric_limits<std::int64_t>::max() : (ordinal + 1) << 32);
  while (rows.next()) {
    RequestRow row(rows);
    const std::vector<std::uint32_t> gaps = row.gaps();
    RequestRecord record = row.record(ordinal, gaps.size());
    if (!level.requests.empty() && record.serial <= level.requests.back().serial) rows.fail_value(0);
    record.gaps = level.gaps.append(gaps);
    for (const auto& instant : {record.due, record.sent, record.closed}) {
      if (level.state == "interrupted" && instant) level.ended = std::max(level.ended, *instant);
    }
    level.requests.push_back(std::move(record));
  }
}

RunReader::RunReader(const std::string& folder) : file_(std::make_unique<File>(folder)) {}
RunReader::RunReader(RunReader&&) noexcept = default;
RunReader::~RunReader() = default;

std::map<std::string, std::string> RunReader::values() const {
  Statement rows(file_->database, "SELECT key AS \"run.key\", value AS \"run.value\" FROM run");
  std::map<std::string, std::string> values;
  while (rows.next()) {
    const auto key = rows.text(0);
    if (!key) rows.fail_value(0);
    if (auto value = rows.text(1)) values[*key] = std::move(*value);
  }
  return values;
}

std::vector<Fact> RunReader::facts() const {
  Statement rows(
      file_->database,
      "SELECT key AS \"fact.key\", value AS \"fact.value\", source AS \"fact.source\" FROM fact ORDER BY rowid");
  std::vector<Fact> facts;
  while (rows.next()) {
    const auto key = rows.text(0);
    if (!key || key->empty()) rows.fail_value(0);
    Fact fact{*key, rows.text(1).value_or(""), FactSource::unknown};
    const std::string source = rows.text(2).value_or("");
    for (const FactSource s : {FactSource::server, FactSource::user, FactSource::file, FactSource::unknown}) {
      if (name(s) == source) fact.source = s;
    }
    if (name(fact.source) != source) rows.fail_value(2);
    facts.push_back(std::move(fact));
  }
  return facts;
}

std::vector<Doubt> RunReader::doubts() const {
  Statement rows(
      file_->database,
      "SELECT id AS \"doubt.id\", level AS \"doubt.level\", invalidates AS \"doubt.invalidates\", text AS \"doubt.text\" "
      "FROM doubt ORDER BY rowid");
  std::vector<Doubt> doubts;
  while (rows.next()) {
    Doubt doubt;
    doubt.id = rows.text(0).value_or("");
    if (doubt.id.empty()) rows.fail_value(0);
    if (const auto level = rows.integer(1, 0, 0x7fffffff)) doubt.level = static_cast<std::uint32_t>(*level);
    const auto invalidates = rows.integer(2, 0, 1);
    if (!invalidates) rows.fail_value(2);
    doubt.invalidates = *invalidates == 1;
    doubt.text = rows.text(3).value_or("");
    doubts.push_back(std::move(doubt));
  }
  return doubts;
}

std::vector<std::uint32_t> RunReader::ordinals() const {
  Statement rows(file_->database, "SELECT id AS \"level.id\" FROM level ORDER BY id");
  std::vector<std::uint32_t> ordinals;
  while (rows.next()) {
    const auto id = rows.integer(0, 0, 0x7fffffff);
    if (!id || (!ordinals.empty() && *id <= std::int64_t{ordinals.back()})) rows.fail_value(0);
    ordinals.push_back(static_cast<std::uint32_t>(*id));
  }
  return ordinals;
}

LevelRecords RunReader::level(std::uint32_t ordinal) const {
  LevelRecords level = file_->head(ordinal);
  file_->requests(level);
  return level;
}

StoredRun read_run(const std::string& folder) {
  const RunReader reader(folder);
  StoredRun run{reader.values(), reader.facts(), {}, reader.doubts()};
  for (const std::uint32_t ordinal : reader.ordinals()) run.levels.push_back(reader.level(ordinal));
  return run;
}

}  // namespace loadline
