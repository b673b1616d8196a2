// SQLite in write-ahead mode, one transaction a batch, prepared statements. A kill between two transactions
// loses only the batch that was not yet given; a kill inside one leaves the state before it.
// Request ids are level * 2^32 + serial: unique by construction, and a level's requests lie together in order
// of release.

#include "report/run_store.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "core/error.h"
#include "report/request_row.h"
#include "report/run_client.h"
#include "report/run_reader.h"
#include "report/sqlite_file.h"

namespace loadline {
namespace {

constexpr const char* run_file_schema = R"sql(
CREATE TABLE run(key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE fact(key TEXT PRIMARY KEY, value TEXT, source TEXT);
CREATE TABLE level(id INTEGER PRIMARY KEY, kind TEXT, target REAL, started_ns INTEGER, window_start_ns INTEGER,
  window_end_ns INTEGER, ended_ns INTEGER, state TEXT);
CREATE TABLE request(id INTEGER PRIMARY KEY, level INTEGER, serial INTEGER, session INTEGER, turn INTEGER,
  planned_prompt_tokens INTEGER, planned_completion_tokens INTEGER, warmup INTEGER,
  due_ns INTEGER, sent_ns INTEGER, first_byte_ns INTEGER, first_token_ns INTEGER, first_answer_ns INTEGER,
  last_token_ns INTEGER, closed_ns INTEGER, stamp TEXT,
  prompt_tokens INTEGER, completion_tokens INTEGER, reasoning_tokens INTEGER, cached_tokens INTEGER, token_source TEXT,
  events INTEGER, first_event_tokens INTEGER, coalesced INTEGER, http_status INTEGER, outcome TEXT, message TEXT,
  attempts INTEGER, single_token_events INTEGER, client INTEGER);
CREATE TABLE gap(request INTEGER PRIMARY KEY, data BLOB);
CREATE TABLE doubt(id TEXT, level INTEGER, invalidates INTEGER, text TEXT);
PRAGMA user_version = 1;
)sql";

constexpr std::string_view insert_request_sql =
    "INSERT INTO request VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";

/// The new folder's run file; the folder must not exist.
std::string new_run_file(const std::string& folder) {
  namespace fs = std::filesystem;
  const fs::path place = fs::absolute(folder).lexically_normal();
  const fs::path trimmed = place.has_filename() ? place : place.parent_path();
  std::error_code trouble;
  fs::create_directories(trimmed.parent_path(), trouble);
  if (!trouble && fs::create_directory(trimmed, trouble)) return (trimmed / "run.sqlite").string();
  if (fs::exists(fs::symlink_status(trimmed))) {
    throw Error(
        fmt::format("{}: this folder exists and nothing is overwritten; name another with --output-dir", folder));
  }
  throw Error(fmt::format("{}: the run folder cannot be made ({})", folder, trouble.message()));
}

void bind_instant(Statement& statement, int parameter, std::optional<RunTime> instant) {
  if (instant)
    statement.bind(parameter, nanos_since_start(*instant));
  else
    statement.bind_null(parameter);
}

void bind_tokens(Statement& statement, int parameter, std::optional<Tokens> tokens) {
  if (tokens)
    statement.bind(parameter, tokens->value());
  else
    statement.bind_null(parameter);
}

/// A length that nobody knew beforehand is absent.
void bind_planned(Statement& statement, int parameter, Tokens length) {
  bind_tokens(statement, parameter, length.value() > 0 ? std::optional(length) : std::nullopt);
}

std::string_view stored_name(Stamp stamp) { return stamp == Stamp::kernel ? "kernel" : "user"; }
std::string_view stored_name(TokenSource source) {
  if (source == TokenSource::server) return "server";
  return source == TokenSource::tokenizer ? "tokenizer" : "none";
}

}  // namespace

struct RunWriter::Store {
  explicit Store(const std::string& path, FileMode mode) : database(path, mode) {
    database.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    if (mode == FileMode::create) database.run(fmt::format("BEGIN IMMEDIATE; {} COMMIT", run_file_schema).c_str());
    for (const char* later : later_request_columns) {
      if (!has_request_column(database, later))
        database.run(fmt::format("ALTER TABLE request ADD COLUMN {} INTEGER", later).c_str());
    }
    put_value.emplace(database, "INSERT OR REPLACE INTO run VALUES(?, ?)");
    insert_request.emplace(database, insert_request_sql);
    insert_gap.emplace(database, "INSERT INTO gap VALUES(?, ?)");
  }
  void put(std::string_view key, std::string_view value) { put_value->bind(0, key).bind(1, value).execute(); }
  void insert(std::uint32_t ordinal, const RequestRecord& record, std::span<const std::uint32_t> gaps);
  void bind_request(std::int64_t id, std::uint32_t ordinal, const RequestRecord& r);

  Database database;
  std::optional<Statement> put_value, insert_request, insert_gap;
  std::vector<std::uint8_t> gap_bytes;
};

RunWriter::RunWriter(const std::string& folder)
    : store_(std::make_unique<Store>(new_run_file(folder), FileMode::create)) {
  put("schema", std::to_string(run_file_version));
}

RunWriter::RunWriter(std::unique_ptr<Store> store) : store_(std::move(store)) {}
RunWriter::RunWriter(RunWriter&&) noexcept = default;
RunWriter& RunWriter::operator=(RunWriter&&) noexcept = default;
RunWriter::~RunWriter() = default;

RunWriter RunWriter::resume(const std::string& folder) {
  const RunReader readable(folder);  // the same checks and sentences as for reading
  auto store = std::make_unique<Store>((std::filesystem::path(folder) / "run.sqlite").string(), FileMode::modify);
  store->database.run("UPDATE level SET state = 'interrupted' WHERE state = 'running'");
  return RunWriter(std::move(store));
}

void RunWriter::put(std::string_view key, std::string_view value) { store_->put(key, value); }

void RunWriter::put_facts(const std::vector<Fact>& facts) {
  Transaction all(store_->database);
  store_->database.run("DELETE FROM fact");
  Statement insert(store_->database, "INSERT OR IGNORE INTO fact VALUES(?, ?, ?)");
  for (const Fact& fact : facts) {
    insert.bind(0, fact.key).bind(2, name(fact.source));
    if (fact.source == FactSource::unknown)
      insert.bind_null(1);
    else
      insert.bind(1, fact.value);
    insert.execute();
  }
  all.commit();
}

void RunWriter::put_doubts(const std::vector<Doubt>& doubts) {
  Transaction all(store_->database);
  store_->database.run("DELETE FROM doubt");
  Statement insert(store_->database, "INSERT INTO doubt VALUES(?, ?, ?, ?)");
  for (const Doubt& doubt : doubts) {
    insert.bind(0, doubt.id).bind(2, std::int64_t{doubt.invalidates}).bind(3, doubt.text);
    if (doubt.level)
      insert.bind(1, std::int64_t{*doubt.level});
    else
      insert.bind_null(1);
    insert.execute();
  }
  all.commit();
}

void RunWriter::begin_level(std::uint32_t ordinal, const Level& level, RunTime started) {
  check(ordinal <= 0x7fffffff, "a level's ordinal fits the ids of its requests");
  for (const double number : {level.target, level.burstiness, level.arrival_scale}) {
    check(std::isfinite(number) && number > 0, "a level's numbers are positive");
  }
  Transaction both(store_->database);
  Statement insert(store_->database, "INSERT INTO level VALUES(?, ?, ?, ?, NULL, NULL, NULL, 'running')");
  insert.bind(0, std::int64_t{ordinal})
      .bind(1, name(level.kind))
      .bind(2, level.target)
      .bind(3, nanos_since_start(started));
  insert.execute();
  const auto put_of_level = [&](std::string_view key, std::string_view value) {
    store_->put(fmt::format("level/{}/{}", ordinal, key), value);
  };
  put_of_level("arrivals", name(level.arrivals));
  if (level.arrivals == Arrivals::gamma) put_of_level("burstiness", fmt::format("{}", level.burstiness));
  if (level.arrivals == Arrivals::trace) put_of_level("arrival_scale", fmt::format("{}", level.arrival_scale));
  if (level.ramp > Nanos(0)) put_of_level("ramp_s", fmt::format("{}", seconds(level.ramp)));
  if (level.max_in_flight > 0) put_of_level("max_in_flight", fmt::format("{}", level.max_in_flight));
  put_of_level("purpose", name(level.purpose));
  if (level.pass > 0) put_of_level("pass", fmt::format("{}", level.pass));
  if (level.requests > 0) put_of_level("requests", fmt::format("{}", level.requests));
  both.commit();
}

void RunWriter::append(std::uint32_t ordinal, std::span<const StoredRequest> batch) {
  if (batch.empty()) return;
  Transaction all(store_->database);
  for (const StoredRequest& request : batch) store_->insert(ordinal, request.record, request.gaps);
  all.commit();
}

void RunWriter::append(const LevelRecords& records, std::span<const std::uint32_t> positions) {
  if (positions.empty()) return;
  Transaction all(store_->database);
  for (const std::uint32_t position : positions) {
    const RequestRecord& record = records.requests.at(position);
    store_->insert(records.ordinal, record, records.gaps.at(record.gaps));
  }
  all.commit();
}

void RunWriter::window(std::uint32_t ordinal, std::optional<RunTime> start, std::optional<RunTime> end) {
  Statement update(store_->database, "UPDATE level SET window_start_ns = ?, window_end_ns = ? WHERE id = ?");
  bind_instant(update, 0, start);
  bind_instant(update, 1, end);
  update.bind(2, std::int64_t{ordinal}).execute();
}

void RunWriter::put_client(std::uint32_t ordinal, const ClientSelf& client) {
  put(fmt::format("level/{}/client", ordinal), write_client(client));
}

void RunWriter::end_level(std::uint32_t ordinal, RunTime ended, std::string_view state) {
  check(state == "complete" || state == "interrupted", "a level ends complete or interrupted");
  Statement update(store_->database, "UPDATE level SET ended_ns = ?, state = ? WHERE id = ?");
  update.bind(0, nanos_since_start(ended)).bind(1, state).bind(2, std::int64_t{ordinal}).execute();
}

void RunWriter::finish() {
  store_->put_value.reset();
  store_->insert_request.reset();
  store_->insert_gap.reset();
  // Somebody who reads meanwhile holds the log: then it stays beside the file, and nothing is lost.
  store_->database.try_run("PRAGMA wal_checkpoint(TRUNCATE)");
  store_->database.try_run("PRAGMA journal_mode = DELETE");
  store_.reset();
}

void RunWriter::Store::insert(std::uint32_t ordinal, const RequestRecord& record, std::span<const std::uint32_t> gaps) {
  check(!unsound_column(record, gaps.size()), "what is written of a request can be read again");
  const std::int64_t id = (std::int64_t{ordinal} << 32) | std::int64_t{record.serial};
  bind_request(id, ordinal, record);
  insert_request->execute();
  if (gaps.empty()) return;
  gap_bytes.resize(gaps.size() * 4);
  std::uint8_t* byte = gap_bytes.data();
  for (const std::uint32_t gap : gaps) {
    for (int shift = 0; shift < 32; shift += 8) *byte++ = static_cast<std::uint8_t>(gap >> shift);
  }
  insert_gap->bind(0, id).bind_blob(1, gap_bytes).execute();
}

void RunWriter::Store::bind_request(std::int64_t id, std::uint32_t ordinal, const RequestRecord& r) {
  Statement& row = *insert_request;
  row.bind(0, id).bind(1, std::int64_t{ordinal}).bind(2, std::int64_t{r.serial});
  if (r.session == no_session)
    row.bind_null(3);
  else
    row.bind(3, std::int64_t{r.session});
  row.bind(4, std::int64_t{r.turn});
  bind_planned(row, 5, r.planned_prompt);
  bind_planned(row, 6, r.planned_completion);
  row.bind(7, std::int64_t{r.warmup});
  int column = 8;
  for (const auto& instant : {r.due, r.sent, r.first_byte, r.first_token, r.first_answer, r.last_token, r.closed}) {
    bind_instant(row, column++, instant);
  }
  row.bind(15, stored_name(r.stamp));
  bind_tokens(row, 16, r.prompt_tokens);
  bind_tokens(row, 17, r.completion_tokens);
  bind_tokens(row, 18, r.reasoning_tokens);
  bind_tokens(row, 19, r.cached_tokens);
  row.bind(20, stored_name(r.token_source)).bind(21, std::int64_t{r.events});
  bind_tokens(row, 22, r.first_event_tokens);
  row.bind(23, std::int64_t{r.coalesced});
  if (r.http_status == 0)
    row.bind_null(24);
  else
    row.bind(24, std::int64_t{r.http_status});
  row.bind(25, name(r.outcome));
  if (r.message.empty())
    row.bind_null(26);
  else
    row.bind(26, r.message);
  row.bind(27, std::int64_t{r.attempts});
  if (r.single_token_events)
    row.bind(28, std::int64_t{*r.single_token_events});
  else
    row.bind_null(28);
  if (r.client == no_client)
    row.bind_null(29);
  else
    row.bind(29, std::int64_t{r.client});
}

}  // namespace loadline
