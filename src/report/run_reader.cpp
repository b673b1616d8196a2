#include "report/run_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "core/error.h"
#include "report/run_client.h"
#include "report/sqlite_file.h"

namespace loadline {
namespace {

// Wide enough for every run, narrow enough that differences and sums of them cannot overflow.
constexpr std::int64_t latest_instant_ns = 1'000'000'000'000'000'000;
constexpr std::int64_t most_tokens = 1'000'000'000'000;
constexpr std::int64_t largest_u32 = std::numeric_limits<std::uint32_t>::max();
constexpr double largest_target = 1e9;

constexpr std::string_view select_level_sql =
    "SELECT kind AS \"level.kind\", target AS \"level.target\", started_ns AS \"level.started_ns\", window_start_ns AS "
    "\"level.window_start_ns\", window_end_ns AS \"level.window_end_ns\", ended_ns AS \"level.ended_ns\", state AS "
    "\"level.state\" FROM level WHERE id = ?";
constexpr std::string_view select_requests_sql =
    "SELECT r.id, level, serial, session, turn, planned_prompt_tokens, planned_completion_tokens, warmup, due_ns, sent_ns, "
    "first_byte_ns, first_token_ns, first_answer_ns, last_token_ns, closed_ns, stamp, prompt_tokens, completion_tokens, "
    "reasoning_tokens, cached_tokens, token_source, events, first_event_tokens, coalesced, http_status, outcome, message, "
    "attempts, g.data FROM request r LEFT JOIN gap g ON g.request = r.id WHERE r.id >= ? AND r.id < ? ORDER BY r.id";

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

/// One row of request, as it stands in the statement. The order is that of select_requests_sql.
class RequestRow {
 public:
  explicit RequestRow(Statement& row) : row_(row) {}
  RequestRecord record(std::int64_t ordinal) {
    RequestRecord r;
    identity(r, ordinal);
    instants(r);
    counts(r);
    ending(r);
    return r;
  }
  std::vector<std::uint32_t> gaps() {
    const auto bytes = row_.blob(28);
    if (!bytes) return {};
    if (bytes->size() % 4 != 0) row_.fail_value(28);
    std::vector<std::uint32_t> gaps(bytes->size() / 4);
    for (std::size_t i = 0; i < gaps.size(); ++i) {
      for (std::size_t b = 4; b-- > 0;) gaps[i] = (gaps[i] << 8) | (*bytes)[4 * i + b];
    }
    return gaps;
  }

 private:
  std::int64_t needed(int column, std::int64_t high) {
    const auto value = row_.integer(column, 0, high);
    if (!value) row_.fail_value(column);
    return *value;
  }
  std::string needed_text(int column) {
    auto text = row_.text(column);
    if (!text) row_.fail_value(column);
    return std::move(*text);
  }
  std::optional<RunTime> instant(int column) {
    const auto value = row_.integer(column, -latest_instant_ns, latest_instant_ns);
    if (!value) return std::nullopt;
    return run_time(*value);
  }
  std::optional<Tokens> tokens(int column) {
    const auto value = row_.integer(column, 0, most_tokens);
    if (!value) return std::nullopt;
    return Tokens(*value);
  }

  void identity(RequestRecord& r, std::int64_t ordinal) {
    const std::int64_t id = needed(0, std::numeric_limits<std::int64_t>::max());
    const std::int64_t serial = needed(2, largest_u32);
    if (needed(1, largest_u32) != ordinal || id != ((ordinal << 32) | serial)) row_.fail_value(0);
    r.serial = static_cast<std::uint32_t>(serial);
    if (const auto session = row_.integer(3, 0, largest_u32)) r.session = static_cast<SessionIndex>(*session);
    r.turn = static_cast<std::uint32_t>(needed(4, largest_u32));
    r.planned_prompt = Tokens(needed(5, most_tokens));
    r.planned_completion = Tokens(needed(6, most_tokens));
    r.warmup = needed(7, 1) == 1;
  }
  void instants(RequestRecord& r) {
    int column = 8;
    for (auto* instant_of : {&r.due, &r.sent, &r.first_byte, &r.first_token, &r.first_answer, &r.last_token, &r.closed}) {
      *instant_of = instant(column++);
    }
    const std::string stamp = needed_text(15);
    if (stamp != "kernel" && stamp != "user") row_.fail_value(15);
    r.stamp = stamp == "kernel" ? Stamp::kernel : Stamp::user;
  }
  void counts(RequestRecord& r) {
    r.prompt_tokens = tokens(16);
    r.completion_tokens = tokens(17);
    r.reasoning_tokens = tokens(18);
    r.cached_tokens = tokens(19);
    constexpr std::array<std::string_view, 3> sources = {"none", "server", "tokenizer"};
    const auto source = std::ranges::find(sources, needed_text(20));
    if (source == sources.end()) row_.fail_value(20);
    r.token_source = static_cast<TokenSource>(source - sources.begin());
    r.events = static_cast<std::uint32_t>(needed(21, largest_u32));
    r.first_event_tokens = tokens(22);
    r.coalesced = needed(23, 1) == 1;
  }
  void ending(RequestRecord& r) {
    r.http_status = static_cast<std::uint16_t>(row_.integer(24, 0, 65535).value_or(0));
    const auto outcome = outcome_named(needed_text(25));
    if (!outcome) row_.fail_value(25);
    r.outcome = *outcome;
    r.message = row_.text(26).value_or("");
    r.attempts = static_cast<std::uint8_t>(needed(27, 255));
  }

  Statement& row_;
};

}  // namespace

struct RunReader::File {
  explicit File(const std::string& folder) : database(run_file_in(folder), FileMode::read) {
    Statement version(database, "PRAGMA user_version");
    version.next();
    const std::int64_t found = version.integer(0, 0, std::numeric_limits<std::int32_t>::max()).value_or(0);
    if (found > run_file_version) {
      throw Error(fmt::format("{}: the run file has version {}, this program reads up to {}; use the loadline that wrote it, or a newer one",
                              database.path(), found, run_file_version));
    }
    for (const std::string_view table : {"run", "fact", "level", "request", "gap", "doubt"}) need_table(table);
    if (found < 1) throw Error(fmt::format("{}: the run file has no version, so it was not written by loadline", database.path()));
    database.run("BEGIN");   // one view for the reader's whole life, also while the run goes on
  }

  /// A plain table: a view or a virtual table of that name could run anything.
  void need_table(std::string_view table) {
    Statement found(database, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? AND sql NOT LIKE 'CREATE VIRTUAL%'");
    found.bind(0, table);
    if (!found.next()) {
      throw Error(fmt::format("{}: the table \"{}\" is missing, so this is no run of loadline or its writing never began", database.path(),
                              table));
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
    if (said == name(Arrivals::constant)) return Arrivals::constant;
    if (said != name(Arrivals::poisson)) database.fail_value("run.value");
    return Arrivals::poisson;
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
  if (!(level.level.target > 0 && level.level.target <= largest_target)) row.fail_value(1);
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
  if (const auto client = value(fmt::format("level/{}/client", ordinal))) level.client = read_client(*client);
  return level;
}

void RunReader::File::requests(LevelRecords& level) {
  Statement rows(database, select_requests_sql);
  const std::int64_t ordinal = level.ordinal;
  rows.bind(0, ordinal << 32).bind(1, ordinal == 0x7fffffff ? std::numeric_limits<std::int64_t>::max() : (ordinal + 1) << 32);
  while (rows.next()) {
    RequestRow row(rows);
    RequestRecord record = row.record(ordinal);
    if (!level.requests.empty() && record.serial <= level.requests.back().serial) rows.fail_value(0);
    record.gaps = level.gaps.append(row.gaps());
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
  Statement rows(file_->database, "SELECT key AS \"fact.key\", value AS \"fact.value\", source AS \"fact.source\" FROM fact ORDER BY rowid");
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
  Statement rows(file_->database,
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
