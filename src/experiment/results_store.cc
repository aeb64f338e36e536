#include "experiment/results_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/text.h"

namespace ordeal::experiment {
namespace {

using Json = nlohmann::json;

constexpr uint32_t kApplication = 0x4F726465;  // "Orde", where SQLite keeps whose file it is
constexpr uint32_t kFormat = 1;

constexpr const char* kSchema = R"sql(
CREATE TABLE experiments(id INTEGER PRIMARY KEY, name TEXT NOT NULL, definition TEXT NOT NULL,
  program TEXT NOT NULL, created TEXT NOT NULL);
CREATE TABLE cells(id INTEGER PRIMARY KEY, experiment INTEGER NOT NULL REFERENCES experiments,
  subject TEXT NOT NULL, settings TEXT NOT NULL, strategy TEXT NOT NULL, measure TEXT NOT NULL,
  UNIQUE(experiment, subject, settings, strategy, measure));
CREATE TABLE trials(id INTEGER PRIMARY KEY, cell INTEGER NOT NULL REFERENCES cells,
  seed INTEGER NOT NULL, outcome TEXT NOT NULL, steps INTEGER NOT NULL, measures TEXT NOT NULL,
  UNIQUE(cell, seed));
CREATE TABLE curves(trial INTEGER NOT NULL REFERENCES trials, name TEXT NOT NULL,
  step INTEGER NOT NULL, value REAL NOT NULL, PRIMARY KEY(trial, name, step)) WITHOUT ROWID;
)sql";

uint32_t big_endian(const unsigned char* bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 |
         uint32_t{bytes[3]};
}

bool has_journal(const std::string& path) {
  struct stat there;
  return stat((path + "-journal").c_str(), &there) == 0 && there.st_size > 0;
}

// From the first bytes, as SQLite's file format has them, before SQLite gets hold of the file: what
// is not ours is not touched. Sets `cut` where it is shorter than it says.
Result<void> check_head_once(const std::string& path, bool& cut) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return Error{path + ": cannot be opened: " + std::strerror(errno)};
  std::array<unsigned char, 100> head = {};
  struct stat there = {};
  const bool known = fstat(descriptor, &there) == 0;
  const bool regular = known && S_ISREG(there.st_mode);
  const ssize_t bytes = regular ? pread(descriptor, head.data(), head.size(), 0) : 0;
  close(descriptor);
  if (!regular) return Error{path + ": is no file"};
  if (bytes == 0) return Error{path + ": is empty, and no results store"};
  constexpr char kMagic[16] = "SQLite format 3";
  const size_t compared = std::min<size_t>(static_cast<size_t>(std::max<ssize_t>(0, bytes)), 16);
  if (std::memcmp(head.data(), kMagic, compared) != 0) {
    return Error{path + ": is no results store (and no SQLite file at all)"};
  }
  if (bytes < static_cast<ssize_t>(head.size())) {
    return Error{path + fmt::format(": is cut off after {} bytes", bytes)};
  }
  if (big_endian(&head[68]) != kApplication) {
    return Error{path + ": is an SQLite file of another program, and no results store"};
  }
  if (const uint32_t format = big_endian(&head[60]); format != kFormat) {
    return Error{path + fmt::format(": is a results store of format {}, and this version of ordeal "
                                    "knows format {}",
                                    format, kFormat)};
  }
  // With a journal beside it, somebody is writing, or was killed while he did: SQLite sees to it.
  const uint64_t page = uint64_t{head[16]} << 8 | head[17];
  const uint64_t whole = (page == 1 ? 65536 : page) * big_endian(&head[28]);
  const auto size = static_cast<uint64_t>(there.st_size);
  cut = size < whole && !has_journal(path);
  if (cut) {
    return Error{path + fmt::format(": is cut off: it has {} of {} bytes", size, whole)};
  }
  return {};
}

// A process that commits in this moment may have let a file be seen that is cut off.
Result<void> check_head(const std::string& path) {
  for (int again = 5;; --again) {
    bool cut = false;
    auto head = check_head_once(path, cut);
    if (!cut || again == 0) return head;
    usleep(20'000);
  }
}

Result<std::vector<std::string>> texts_of(const Database& database, const char* sql) {
  Result<Statement> statement = database.prepare(sql);
  if (!statement) return statement.error();
  std::vector<std::string> out;
  for (;;) {
    const Result<bool> more = statement->step();
    if (!more) return more.error();
    if (!*more) return out;
    out.push_back(statement->text(0));
  }
}

// Every page, and the tables, which must be ours to the letter: no triggers, no views.
Result<void> check_whole(const Database& database) {
  const auto checked = texts_of(database, "PRAGMA quick_check(1)");
  if (!checked) return checked.error();
  if (*checked != std::vector<std::string>{"ok"}) {
    return Error{database.path() + ": is damaged: " +
                 one_line(checked->empty() ? "it cannot be read" : checked->front())};
  }
  const Result<Database> fresh = Database::open(":memory:", Database::Access::kCreate);
  if (!fresh) return fresh.error();
  if (const auto made = fresh->run(kSchema); !made) return made.error();
  constexpr const char* kTables =
      "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY 1";
  const auto expected = texts_of(*fresh, kTables);
  const auto found = texts_of(database, kTables);
  if (!expected) return expected.error();
  if (!found) return found.error();
  if (*expected == *found) return {};
  return Error{database.path() + ": has other tables than a results store has"};
}

// Made beside, and put there whole: a store that is there is never half made.
Result<void> make_store(const std::string& path) {
  if (const auto writable = check_writable(path); !writable) return writable.error();
  const std::string beside = path + fmt::format(".{}.new", getpid());
  unlink(beside.c_str());
  {
    const Result<Database> database = Database::open(beside, Database::Access::kCreate);
    if (!database) return database.error();
    const auto made =
        database->run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}; BEGIN; {} "
                                  "COMMIT;",
                                  kApplication, kFormat, kSchema));
    if (!made) {
      unlink(beside.c_str());
      return made.error();
    }
  }
  // As a link: it never replaces what another process has made in between.
  int failure = link(beside.c_str(), path.c_str()) == 0 ? 0 : errno;
  if (failure == EPERM || failure == EOPNOTSUPP) {  // a file system without links
    failure = rename(beside.c_str(), path.c_str()) == 0 ? 0 : errno;
  }
  unlink(beside.c_str());
  if (failure == 0 || failure == EEXIST) return {};
  return Error{path + ": cannot be made: " + std::strerror(failure)};
}

Result<void> check_trial(const TrialRecord& trial) {
  const auto not_finite = [&](const std::string& what) {
    return Error{fmt::format("the trial with seed {} has {} that is not finite", trial.seed, what)};
  };
  for (const auto& [name, value] : trial.measures) {
    if (!std::isfinite(value)) return not_finite("a measure " + quoted_for_message(name));
  }
  for (const auto& [name, points] : trial.curves) {
    for (size_t i = 0; i < points.size(); ++i) {
      if (!std::isfinite(points[i].value)) {
        return not_finite("a point of the curve " + quoted_for_message(name));
      }
      if (i == 0 || points[i - 1].step < points[i].step) continue;
      return Error{
          fmt::format("the curve {} of the trial with seed {} goes from step {} to step {}",
                      quoted_for_message(name), trial.seed, points[i - 1].step, points[i].step)};
    }
  }
  return {};
}

// The first number of the first row.
Result<std::optional<int64_t>> number_of(Statement& statement) {
  const Result<bool> found = statement.step();
  if (!found) return found.error();
  if (!*found) return std::optional<int64_t>();
  return std::optional<int64_t>(statement.number(0));
}

// A condition for SQL, and what it is about, in order.
struct Where {
  std::string sql = " WHERE 1";
  std::vector<std::string> texts = {};
};
Where where_of(const ResultsFilter& filter) {
  Where where;
  if (filter.experiment) where.sql += fmt::format(" AND e.id = {}", *filter.experiment);
  const auto add = [&](const char* column, const std::optional<std::string>& text) {
    if (!text) return;
    where.sql += fmt::format(" AND {} = ?", column);
    where.texts.push_back(*text);
  };
  add("e.name", filter.name);
  add("c.subject", filter.subject);
  add("c.settings", filter.settings);
  add("c.strategy", filter.strategy);
  add("c.measure", filter.measure);
  return where;
}

Result<std::map<std::string, double>> measures_of(const std::string& path,
                                                  const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  std::map<std::string, double> out;
  bool right = json.is_object();
  if (right) {
    for (const auto& [name, value] : json.items()) {
      right = right && value.is_number();
      if (value.is_number()) out[name] = value.get<double>();
    }
  }
  if (!right) return Error{path + ": has measures of a trial that are no numbers"};
  return out;
}

}  // namespace

Result<ResultsStore> ResultsStore::open(const std::string& path, Access access) {
  struct stat there;
  if (stat(path.c_str(), &there) != 0) {
    if (errno != ENOENT) return Error{path + ": cannot be opened: " + std::strerror(errno)};
    if (access != Access::kCreate) return Error{path + ": there is no such results store"};
    if (const auto made = make_store(path); !made) return made.error();
  }
  if (const auto head = check_head(path); !head) return head.error();
  // What was begun when a process was killed has to be undone, for readers too.
  const bool write = access != Access::kRead || has_journal(path);
  Result<Database> database =
      Database::open(path, write ? Database::Access::kWrite : Database::Access::kRead);
  if (!database) return database.error();
  if (const auto whole = check_whole(*database); !whole) return whole.error();
  if (access == Access::kRead) {
    if (const auto set = database->run("PRAGMA query_only = ON"); !set) return set.error();
  }
  return ResultsStore(std::move(*database));
}

Result<int64_t> ResultsStore::begin(const NewExperiment& experiment) {
  Result<Statement> insert = database_.prepare(
      "INSERT INTO experiments(name, definition, program, created) VALUES(?, ?, ?, ?)");
  if (!insert) return insert.error();
  insert->with(experiment.name).with(experiment.definition);
  insert->with(experiment.program).with(experiment.created);
  if (const auto done = insert->run(); !done) return done.error();
  return database_.last_id();
}

Result<std::optional<int64_t>> ResultsStore::find(const std::string& name,
                                                  const std::string& definition) const {
  Result<Statement> select = database_.prepare(
      "SELECT id FROM experiments WHERE name = ? AND definition = ? ORDER BY id DESC LIMIT 1");
  if (!select) return select.error();
  select->with(name).with(definition);
  return number_of(*select);
}

Result<int64_t> ResultsStore::cell(int64_t experiment, const CellKey& key) {
  Result<Transaction> transaction = Transaction::begin(database_);
  if (!transaction) return transaction.error();
  Result<Statement> known = database_.prepare("SELECT id FROM experiments WHERE id = ?");
  if (!known) return known.error();
  const auto there = number_of(known->with(experiment));
  if (!there) return there.error();
  if (!*there) return Error{path() + fmt::format(": there is no experiment {}", experiment)};
  Result<Statement> select = database_.prepare(
      "SELECT id FROM cells WHERE experiment = ? AND subject = ? AND settings = ? AND "
      "strategy = ? AND measure = ?");
  if (!select) return select.error();
  select->with(experiment).with(key.subject).with(key.settings);
  select->with(key.strategy).with(key.measure);
  const auto found = number_of(*select);
  if (!found) return found.error();
  if (*found) return **found;
  Result<Statement> insert = database_.prepare(
      "INSERT INTO cells(experiment, subject, settings, strategy, measure) VALUES(?, ?, ?, ?, ?)");
  if (!insert) return insert.error();
  insert->with(experiment).with(key.subject).with(key.settings);
  insert->with(key.strategy).with(key.measure);
  if (const auto done = insert->run(); !done) return done.error();
  const int64_t id = database_.last_id();
  if (const auto done = transaction->commit(); !done) return done.error();
  return id;
}

Result<void> ResultsStore::append(int64_t cell, const TrialRecord& trial) {
  if (const auto valid = check_trial(trial); !valid) return valid.error();
  Result<Transaction> transaction = Transaction::begin(database_);
  if (!transaction) return transaction.error();
  Result<Statement> known = database_.prepare(
      "SELECT (SELECT count(*) FROM cells WHERE id = ?) + "
      "2 * (SELECT count(*) FROM trials WHERE cell = ? AND seed = ?)");
  if (!known) return known.error();
  const auto there = number_of(known->with(cell).with(cell).with(trial.seed));
  if (!there) return there.error();
  if (**there == 0) return Error{path() + fmt::format(": there is no cell {}", cell)};
  if (**there > 1) {
    return Error{path() +
                 fmt::format(": cell {} has a trial with seed {} already", cell, trial.seed)};
  }
  Result<Statement> insert = database_.prepare(
      "INSERT INTO trials(cell, seed, outcome, steps, measures) VALUES(?, ?, ?, ?, ?)");
  if (!insert) return insert.error();
  insert->with(cell).with(trial.seed).with(trial.outcome).with(trial.steps);
  insert->with(Json(trial.measures).dump(-1, ' ', false, Json::error_handler_t::replace));
  if (const auto done = insert->run(); !done) return done.error();
  const int64_t id = database_.last_id();
  Result<Statement> point =
      database_.prepare("INSERT INTO curves(trial, name, step, value) VALUES(?, ?, ?, ?)");
  if (!point) return point.error();
  for (const auto& [name, points] : trial.curves) {
    for (const CurvePoint& one : points) {
      const auto done = point->with(id).with(name).with(one.step).with(one.value).run();
      if (!done) return done.error();
    }
  }
  return transaction->commit();
}

Result<std::vector<uint64_t>> ResultsStore::finished(int64_t cell) const {
  const Result<std::vector<TrialRecord>> all = trials(cell, false);
  if (!all) return all.error();
  std::vector<uint64_t> seeds;
  for (const TrialRecord& trial : *all) seeds.push_back(trial.seed);
  return seeds;
}

Result<std::vector<StoredExperiment>> ResultsStore::experiments(const ResultsFilter& filter) const {
  const Where where = where_of(filter);
  // Those without cells too, unless something is asked of cells.
  Result<Statement> select = database_.prepare(
      "SELECT e.id, e.name, e.definition, e.program, e.created, count(DISTINCT c.id), count(t.id) "
      "FROM experiments e LEFT JOIN cells c ON c.experiment = e.id "
      "LEFT JOIN trials t ON t.cell = c.id" +
      where.sql + " GROUP BY e.id ORDER BY e.id");
  if (!select) return select.error();
  for (const std::string& text : where.texts) select->with(text);
  std::vector<StoredExperiment> out;
  for (;;) {
    const Result<bool> more = select->step();
    if (!more) return more.error();
    if (!*more) return out;
    out.push_back({select->number(0),
                   {select->text(1), select->text(2), select->text(3), select->text(4)},
                   static_cast<uint64_t>(select->number(5)),
                   static_cast<uint64_t>(select->number(6))});
  }
}

Result<std::vector<StoredCell>> ResultsStore::cells(const ResultsFilter& filter) const {
  const Where where = where_of(filter);
  Result<Statement> select = database_.prepare(
      "SELECT c.id, e.id, e.name, c.subject, c.settings, c.strategy, c.measure, "
      "(SELECT count(*) FROM trials t WHERE t.cell = c.id) "
      "FROM cells c JOIN experiments e ON c.experiment = e.id" +
      where.sql + " ORDER BY e.id, c.id");
  if (!select) return select.error();
  for (const std::string& text : where.texts) select->with(text);
  std::vector<StoredCell> out;
  for (;;) {
    const Result<bool> more = select->step();
    if (!more) return more.error();
    if (!*more) return out;
    out.push_back({select->number(0),
                   select->number(1),
                   select->text(2),
                   {select->text(3), select->text(4), select->text(5), select->text(6)},
                   static_cast<uint64_t>(select->number(7))});
  }
}

Result<std::vector<TrialRecord>> ResultsStore::trials(int64_t cell, bool with_curves) const {
  // Seeds are unsigned: those that SQLite takes to be below 0 come last.
  Result<Statement> select = database_.prepare(
      "SELECT id, seed, outcome, steps, measures FROM trials WHERE cell = ? "
      "ORDER BY seed < 0, seed");
  if (!select) return select.error();
  Result<Statement> points = database_.prepare(
      "SELECT name, step, value FROM curves WHERE trial = ? ORDER BY name, step < 0, step");
  if (!points) return points.error();
  select->with(cell);
  std::vector<TrialRecord> out;
  for (;;) {
    const Result<bool> more = select->step();
    if (!more) return more.error();
    if (!*more) return out;
    TrialRecord& trial = out.emplace_back();
    trial.seed = std::bit_cast<uint64_t>(select->number(1));
    trial.outcome = select->text(2);
    trial.steps = std::bit_cast<uint64_t>(select->number(3));
    auto measures = measures_of(path(), select->text(4));
    if (!measures) return measures.error();
    trial.measures = std::move(*measures);
    if (!with_curves) continue;
    points->with(select->number(0));
    for (;;) {
      const Result<bool> point = points->step();
      if (!point) return point.error();
      if (!*point) break;
      trial.curves[points->text(0)].push_back(
          {std::bit_cast<uint64_t>(points->number(1)), points->real(2)});
    }
  }
}

}  // namespace ordeal::experiment
