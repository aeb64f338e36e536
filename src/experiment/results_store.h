// ResultsStore: what experiments have found, in one SQLite file that grows over time.
//
//   Result<ResultsStore> store = ResultsStore::open("results.sqlite",
//   ResultsStore::Access::kCreate); Result<int64_t> experiment = store->begin({.name = "coverage",
//   .definition = toml}); Result<int64_t> cell = store->cell(*experiment, {.subject = "raft",
//   .strategy = "bonusmax"}); store->append(*cell, {.seed = 7, .outcome = "capped", .steps =
//   250'000});
//
// An experiment has cells, a cell has trials by seed, a trial has measures and curves. A trial is
// appended whole, in one transaction: after a kill, whatever was appended is there, and nothing by
// halves. Several processes may use one file; an object is for one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiment/database.h"
#include "ordeal/result.h"

namespace ordeal::experiment {

struct NewExperiment {
  std::string name = {};
  std::string definition = {};  // whatever it follows from: the text of its file
  std::string program = {};     // the version that runs it
  std::string created = {};     // when, in words of the caller
};

struct CellKey {
  std::string subject = {};
  std::string settings = {};
  std::string strategy = {};
  std::string measure = {};
  friend bool operator==(const CellKey&, const CellKey&) = default;
};

struct CurvePoint {
  uint64_t step = 0;
  double value = 0;
  friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

struct TrialRecord {
  uint64_t seed = 0;
  std::string outcome = {};
  uint64_t steps = 0;
  std::map<std::string, double> measures = {};
  std::map<std::string, std::vector<CurvePoint>> curves = {};  // by ascending steps
  friend bool operator==(const TrialRecord&, const TrialRecord&) = default;
};

struct StoredExperiment {
  int64_t id = 0;
  NewExperiment about;
  uint64_t cells = 0;
  uint64_t trials = 0;
};

struct StoredCell {
  int64_t id = 0;
  int64_t experiment = 0;
  std::string experiment_name;
  CellKey key;
  uint64_t trials = 0;
};

// What is not given is not asked for.
struct ResultsFilter {
  std::optional<int64_t> experiment = {};
  std::optional<std::string> name = {};  // of the experiment
  std::optional<std::string> subject = {};
  std::optional<std::string> settings = {};
  std::optional<std::string> strategy = {};
  std::optional<std::string> measure = {};
};

class ResultsStore {
 public:
  enum class Access {
    kRead,    // what is there; nothing is changed, except that what a killed process had begun is
              // undone
    kWrite,   // what is there
    kCreate,  // made where there is none
  };
  // An Error, and the file stays as it is: it is no results store, one of a newer version, damaged
  // or cut off.
  static Result<ResultsStore> open(const std::string& path, Access access);

  const std::string& path() const { return database_.path(); }

  Result<int64_t> begin(const NewExperiment& experiment);
  // The last one begun with this name and definition: to be gone on with.
  Result<std::optional<int64_t>> find(const std::string& name, const std::string& definition) const;
  // The cell with this key; made where there is none. An Error: there is no such experiment.
  Result<int64_t> cell(int64_t experiment, const CellKey& key);
  // An Error: there is no such cell, it has a trial with this seed, a number is not finite, a
  // curve goes back, or the disk is full. Then nothing of it is there.
  Result<void> append(int64_t cell, const TrialRecord& trial);
  // The seeds of the trials that a cell has, in order.
  Result<std::vector<uint64_t>> finished(int64_t cell) const;

  // In the order in which they were begun.
  Result<std::vector<StoredExperiment>> experiments(const ResultsFilter& filter = {}) const;
  Result<std::vector<StoredCell>> cells(const ResultsFilter& filter = {}) const;
  // By seed.
  Result<std::vector<TrialRecord>> trials(int64_t cell, bool with_curves = true) const;

 private:
  explicit ResultsStore(Database database) : database_(std::move(database)) {}

  Database database_;
};

// Rows for trials, with a column for every measure that one of them has.
Result<std::string> trials_csv(const ResultsStore& store, const ResultsFilter& filter = {});
// Rows for points of curves.
Result<std::string> curves_csv(const ResultsStore& store, const ResultsFilter& filter = {});
// Everything: experiments, cells, trials, curves.
Result<std::string> results_json(const ResultsStore& store, const ResultsFilter& filter = {});

}  // namespace ordeal::experiment
