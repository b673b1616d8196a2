#include "report/sqlite_file.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <filesystem>

#include "core/error.h"

namespace loadline {
namespace {

constexpr int busy_wait_ms = 5000;
constexpr int longest_value_bytes = 64 << 20;

/// The file as an address that SQLite opens without side files; for places where nothing can be written.
std::string immutable_address(const std::string& path) {
  std::string address = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#')
      address += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      address += c;
  }
  return address + "?immutable=1";
}

int open_flags(FileMode mode) {
  if (mode == FileMode::create) return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (mode == FileMode::modify) return SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
  return SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX;
}

/// A file from anybody: its own schema may call nothing, and no value may be larger than we could mean.
void distrust(sqlite3* handle) {
  sqlite3_busy_timeout(handle, busy_wait_ms);
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longest_value_bytes);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
}

}  // namespace

Database::Database(const std::string& path, FileMode mode)
    : path_(std::filesystem::absolute(path).string()), reading_(mode == FileMode::read) {
  if (reading_) {
    open_to_read();
    return;
  }
  const int code = sqlite3_open_v2(path_.c_str(), &handle_, open_flags(mode), nullptr);
  distrust(handle_);
  if (code != SQLITE_OK) {
    const std::string words = sqlite3_errmsg(handle_);
    sqlite3_close(handle_);
    throw Error(fmt::format("{}: the run file cannot be opened for writing ({})", path_, words));
  }
}

void Database::open_to_read() {
  int code = sqlite3_open_v2(path_.c_str(), &handle_, open_flags(FileMode::read), nullptr);
  distrust(handle_);
  if (code == SQLITE_OK) code = sqlite3_exec(handle_, "SELECT count(*) FROM sqlite_master", nullptr, nullptr, nullptr);
  const bool unwritable = code == SQLITE_CANTOPEN || code == SQLITE_READONLY || code == SQLITE_IOERR;
  const std::filesystem::path log = path_ + "-wal";
  std::error_code ignored;
  const bool log_is_empty = !std::filesystem::exists(log, ignored) || std::filesystem::file_size(log, ignored) == 0;
  if (unwritable && log_is_empty) {
    // A closed write-ahead file in a folder that we may not write: without a log nothing can change under us.
    sqlite3_close(handle_);
    code = sqlite3_open_v2(immutable_address(path_).c_str(), &handle_, open_flags(FileMode::read) | SQLITE_OPEN_URI,
                           nullptr);
    distrust(handle_);
    if (code == SQLITE_OK)
      code = sqlite3_exec(handle_, "SELECT count(*) FROM sqlite_master", nullptr, nullptr, nullptr);
  }
  if (code == SQLITE_OK) return;
  const std::string words = sqlite3_errmsg(handle_);
  sqlite3_close(handle_);
  if (code == SQLITE_NOTADB)
    throw Error(fmt::format("{}: this file is not a SQLite database, so it is no run of loadline", path_));
  if (unwritable) {
    throw Error(fmt::format(
        "{}: the run was not finished and its folder cannot be written ({}): copy the folder elsewhere and read that",
        path_, words));
  }
  throw Error(fmt::format("{}: the run file cannot be read ({})", path_, words));
}

Database::~Database() { sqlite3_close(handle_); }

void Database::run(const char* sql) {
  const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

bool Database::try_run(const char* sql) { return sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) == SQLITE_OK; }

void Database::fail(int code) {
  const std::string words = sqlite3_errmsg(handle_);
  check(reading_ || code != SQLITE_CONSTRAINT, "what is written to the run file is new: " + words);
  if (code == SQLITE_NOTADB)
    throw Error(fmt::format("{}: this file is not a SQLite database, so it is no run of loadline", path_));
  throw Error(fmt::format("{}: the run file cannot be {} ({})", path_, reading_ ? "read" : "written", words));
}

void Database::fail_value(std::string_view place) {
  throw Error(
      fmt::format("{}: {} holds a value that cannot be right; the run file is damaged or was not written by loadline",
                  path_, place));
}

Statement::Statement(Database& database, std::string_view sql) : database_(database) {
  const int code = sqlite3_prepare_v3(database_.handle(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &handle_, nullptr);
  if (code != SQLITE_OK) database_.fail(code);
}

Statement::~Statement() { sqlite3_finalize(handle_); }

Statement& Statement::bind(int parameter, std::int64_t value) {
  sqlite3_bind_int64(handle_, parameter + 1, value);
  return *this;
}
Statement& Statement::bind(int parameter, double value) {
  sqlite3_bind_double(handle_, parameter + 1, value);
  return *this;
}
Statement& Statement::bind(int parameter, std::string_view text) {
  // A view of nothing may point nowhere, which SQLite would take for NULL.
  const char* first = text.empty() ? "" : text.data();
  const int code = sqlite3_bind_text64(handle_, parameter + 1, first, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  if (code != SQLITE_OK) database_.fail(code);
  return *this;
}
Statement& Statement::bind_null(int parameter) {
  sqlite3_bind_null(handle_, parameter + 1);
  return *this;
}
Statement& Statement::bind_blob(int parameter, std::span<const std::uint8_t> bytes) {
  const int code = sqlite3_bind_blob64(handle_, parameter + 1, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
  if (code != SQLITE_OK) database_.fail(code);
  return *this;
}

bool Statement::next() {
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  sqlite3_reset(handle_);
  if (code != SQLITE_DONE) database_.fail(code);
  return false;
}

void Statement::execute() {
  while (next()) {
  }
}

std::optional<std::int64_t> Statement::integer(int column, std::int64_t low, std::int64_t high) {
  const int type = sqlite3_column_type(handle_, column);
  if (type == SQLITE_NULL) return std::nullopt;
  const std::int64_t value = sqlite3_column_int64(handle_, column);
  if (type != SQLITE_INTEGER || value < low || value > high) fail_value(column);
  return value;
}

std::optional<double> Statement::real(int column) {
  const int type = sqlite3_column_type(handle_, column);
  if (type == SQLITE_NULL) return std::nullopt;
  if (type != SQLITE_FLOAT && type != SQLITE_INTEGER) fail_value(column);
  return sqlite3_column_double(handle_, column);
}

std::optional<std::string> Statement::text(int column) {
  const int type = sqlite3_column_type(handle_, column);
  if (type == SQLITE_NULL) return std::nullopt;
  if (type != SQLITE_TEXT) fail_value(column);
  const unsigned char* first = sqlite3_column_text(handle_, column);
  const int size = sqlite3_column_bytes(handle_, column);
  if (first == nullptr) fail_value(column);
  return std::string(reinterpret_cast<const char*>(first), static_cast<std::size_t>(size));
}

std::optional<std::span<const std::uint8_t>> Statement::blob(int column) {
  const int type = sqlite3_column_type(handle_, column);
  if (type == SQLITE_NULL) return std::nullopt;
  if (type != SQLITE_BLOB) fail_value(column);
  const void* first = sqlite3_column_blob(handle_, column);
  const int size = sqlite3_column_bytes(handle_, column);
  if (size == 0) return std::span<const std::uint8_t>();
  return std::span(static_cast<const std::uint8_t*>(first), static_cast<std::size_t>(size));
}

void Statement::fail_value(int column) {
  const char* name = sqlite3_column_name(handle_, column);
  database_.fail_value(name == nullptr ? "a column" : name);
}

}  // namespace loadline
