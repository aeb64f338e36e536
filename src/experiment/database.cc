#include "experiment/database.h"

#include <sqlite3.h>

#include <bit>
#include <utility>

namespace ordeal::experiment {
namespace {

constexpr int kPatience = 10'000;  // milliseconds, for another process that writes

Error said_by(sqlite3* connection, const std::string& path) {
  const int code = connection == nullptr ? SQLITE_NOMEM : sqlite3_extended_errcode(connection);
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Error{path + ": another process is writing to it"};
    case SQLITE_FULL:
      return Error{path + ": there is no room left on the disk"};
    case SQLITE_READONLY:
      return Error{path + ": cannot be written to"};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return Error{path + ": is damaged (" + sqlite3_errmsg(connection) + ")"};
    default:
      break;
  }
  return Error{path + ": " + (connection == nullptr ? "no memory" : sqlite3_errmsg(connection))};
}

}  // namespace

// --- Statements ----------------------------------------------------------------------------------

void Statement::Finalise::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement& Statement::with(int64_t value) {
  sqlite3_bind_int64(statement_.get(), next_++, value);
  return *this;
}
Statement& Statement::with(uint64_t value) { return with(std::bit_cast<int64_t>(value)); }
Statement& Statement::with(double value) {
  sqlite3_bind_double(statement_.get(), next_++, value);
  return *this;
}
Statement& Statement::with(std::string_view text) {
  sqlite3_bind_text64(statement_.get(), next_++, text.data() == nullptr ? "" : text.data(),
                      text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  next_ = 1;
  const Error error = code == SQLITE_DONE ? Error{} : said_by(connection_, path_);
  sqlite3_reset(statement_.get());
  if (code != SQLITE_DONE) return error;
  return false;
}

Result<void> Statement::run() {
  for (;;) {
    const Result<bool> more = step();
    if (!more) return more.error();
    if (!*more) return {};
  }
}

int64_t Statement::number(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}
double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }
std::string Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  const int bytes = sqlite3_column_bytes(statement_.get(), column);
  return text == nullptr ? std::string() : std::string(text, static_cast<size_t>(bytes));
}

// --- Connections ---------------------------------------------------------------------------------

void Database::Close::operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }

Result<Database> Database::open(const std::string& path, Access access) {
  const int how = access == Access::kRead    ? SQLITE_OPEN_READONLY
                  : access == Access::kWrite ? SQLITE_OPEN_READWRITE
                                             : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &connection, how, nullptr);
  Database database(connection, path);
  if (code != SQLITE_OK) return said_by(connection, path);
  sqlite3_busy_timeout(connection, kPatience);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  // A commit is on the disk when it returns.
  const auto set = database.run(
      "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON;");
  if (!set) return set.error();
  return database;
}

Result<Statement> Database::prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(connection_.get(), sql.data(), static_cast<int>(sql.size()),
                                      &statement, nullptr);
  if (code != SQLITE_OK) return said_by(connection_.get(), path_);
  return Statement(connection_.get(), statement, path_);
}

Result<void> Database::run(const std::string& sql) const {
  const int code = sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return said_by(connection_.get(), path_);
  return {};
}

int64_t Database::last_id() const { return sqlite3_last_insert_rowid(connection_.get()); }

// --- Transactions --------------------------------------------------------------------------------

Result<Transaction> Transaction::begin(const Database& database) {
  if (const auto begun = database.run("BEGIN IMMEDIATE"); !begun) return begun.error();
  return Transaction(&database);
}

Result<void> Transaction::commit() {
  const auto committed = database_->run("COMMIT");
  if (!committed) return committed.error();
  database_ = nullptr;
  return {};
}

Transaction::Transaction(Transaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)) {}

Transaction::~Transaction() {
  if (database_ == nullptr) return;
  const auto ignored = database_->run("ROLLBACK");
  (void)ignored;
}

}  // namespace ordeal::experiment
