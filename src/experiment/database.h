// SQLite as the results store needs it: one connection, statements, transactions. One source knows
// the library. Every Error names the file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "ordeal/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace ordeal::experiment {

// A row at a time. It must not outlive its Database.
class Statement {
 public:
  // For the next `?`. Texts are copied.
  Statement& with(int64_t value);
  Statement& with(uint64_t value);  // the same 64 bits: from 2^63 on SQLite shows it below 0
  Statement& with(double value);
  Statement& with(std::string_view text);

  // Whether there is a (next) row. An Error: the file cannot be read or written, or a constraint.
  Result<bool> step();
  // Steps to the end.
  Result<void> run();

  int64_t number(int column) const;
  double real(int column) const;
  std::string text(int column) const;

 private:
  friend class Database;
  struct Finalise {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(sqlite3* connection, sqlite3_stmt* statement, std::string path)
      : connection_(connection), statement_(statement), path_(std::move(path)) {}

  sqlite3* connection_;
  std::unique_ptr<sqlite3_stmt, Finalise> statement_;
  std::string path_;
  int next_ = 1;
};

class Database {
 public:
  enum class Access { kRead, kWrite, kCreate };
  static Result<Database> open(const std::string& path, Access access);

  Result<Statement> prepare(std::string_view sql) const;
  // Several statements, none with results.
  Result<void> run(const std::string& sql) const;
  int64_t last_id() const;  // of the row that was inserted last
  const std::string& path() const { return path_; }

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  Database(sqlite3* connection, std::string path)
      : connection_(connection), path_(std::move(path)) {}

  std::unique_ptr<sqlite3, Close> connection_;
  std::string path_;
};

// All or nothing: what is not committed is undone, by the destructor or, after a kill, by whoever
// opens the file next.
class Transaction {
 public:
  static Result<Transaction> begin(const Database& database);
  Result<void> commit();

  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

 private:
  explicit Transaction(const Database* database) : database_(database) {}

  const Database* database_;  // null: over
};

}  // namespace ordeal::experiment
