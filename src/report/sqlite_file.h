#pragma once
// The few calls of SQLite that the run file needs, owned and checked. Included by run_store.cpp and run_reader.cpp
// alone.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace loadline {

/// The version that this program writes and the newest that it reads.
inline constexpr std::int64_t run_file_version = 1;

enum class FileMode { create, modify, read };

/// One open database file. Every failure throws Error naming the file; a broken constraint is a Bug.
class Database {
 public:
  Database(const std::string& path, FileMode mode);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  /// Runs statements that give no rows or whose rows do not matter.
  void run(const char* sql);
  /// The same where failing is acceptable.
  bool try_run(const char* sql);
  [[noreturn]] void fail(int code);
  [[noreturn]] void fail_value(std::string_view place);
  sqlite3* handle() { return handle_; }
  const std::string& path() const { return path_; }

 private:
  void open_to_read();
  std::string path_;
  bool reading_ = false;
  sqlite3* handle_ = nullptr;
};

/// A prepared statement. Parameters and columns count from 0. bind() copies.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

  Statement& bind(int parameter, std::int64_t value);
  Statement& bind(int parameter, double value);
  Statement& bind(int parameter, std::string_view text);
  Statement& bind_null(int parameter);
  Statement& bind_blob(int parameter, std::span<const std::uint8_t> bytes);
  /// The next row; false at the end, the statement being ready again.
  bool next();
  /// Runs to the end.
  void execute();

  // A value of the current row. A wrong type or a value outside [low, high] is an Error; NULL is absent.
  std::optional<std::int64_t> integer(int column, std::int64_t low, std::int64_t high);
  std::optional<double> real(int column);
  std::optional<std::string> text(int column);
  std::optional<std::span<const std::uint8_t>> blob(int column);  ///< valid until the next row
  /// Where the value is, "request.sent_ns" say: for what is wrong in another way.
  [[noreturn]] void fail_value(int column);

 private:
  Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

/// Rolls back unless committed.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database) { database_.run("BEGIN IMMEDIATE"); }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() {
    if (!committed_) database_.try_run("ROLLBACK");
  }
  void commit() {
    database_.run("COMMIT");
    committed_ = true;
  }

 private:
  Database& database_;
  bool committed_ = false;
};

}  // namespace loadline
