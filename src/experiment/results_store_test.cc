// The results store: what it keeps, what it refuses, and what a killed process leaves in it.
#include "experiment/results_store.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/rng.h"
#include "tests/tools/cli/folder.h"

namespace ordeal::experiment {
namespace {

using Access = ResultsStore::Access;
using e2e::has;

TrialRecord a_trial(uint64_t seed, size_t points = 3) {
  TrialRecord trial{seed, "found", 1000 + seed, {{"coverage", 17.25}, {"target", 0.1}}, {}};
  for (size_t i = 0; i < points; ++i) {
    trial.curves["coverage"].push_back({100 * i, std::sqrt(static_cast<double>(i))});
  }
  return trial;
}

class Store : public testing::Test {
 protected:
  std::string file() const { return folder_.path() + "/results.sqlite"; }
  ResultsStore open(Access access = Access::kCreate) const {
    Result<ResultsStore> store = ResultsStore::open(file(), access);
    if (!store) ADD_FAILURE() << store.error().message;
    return std::move(*store);
  }
  // A store with two experiments of three cells, of which the first has two trials.
  void fill() const {
    ResultsStore store = open();
    const int64_t first = *store.begin({"coverage", "trials = 2", "0.1.0", "on a Monday"});
    const int64_t second = *store.begin({"bugs", "trials = 1", "0.1.0", ""});
    const int64_t cell = *store.cell(first, {"raft", "nodes 3", "random", "coverage"});
    ASSERT_TRUE(store.cell(first, {"raft", "nodes 3", "bonusmax", "coverage"}));
    ASSERT_TRUE(store.cell(second, {"rsl, \"odd\"", "", "random", "bug"}));
    ASSERT_TRUE(store.append(cell, a_trial(8)));
    ASSERT_TRUE(store.append(cell, a_trial(7)));
  }
  // The reason, and that the file is as it was.
  std::string refused(const std::string& bytes, Access access = Access::kCreate) const {
    std::ofstream(file(), std::ios::binary | std::ios::trunc) << bytes;
    const Result<ResultsStore> store = ResultsStore::open(file(), access);
    EXPECT_EQ(*read_file(file()), bytes);
    if (store) return "opened";
    EXPECT_TRUE(has(store.error().message, file())) << store.error().message;
    return store.error().message;
  }

  const e2e::Folder folder_;
};

// --- Keeping -------------------------------------------------------------------------------------

TEST_F(Store, HasWhatWasAppendedWhenItIsOpenedAgain) {
  fill();
  const ResultsStore store = open(Access::kRead);
  const auto experiments = *store.experiments();
  ASSERT_EQ(experiments.size(), 2U);
  EXPECT_EQ(experiments[0].about.name, "coverage");
  EXPECT_EQ(experiments[0].about.definition, "trials = 2");
  EXPECT_EQ(experiments[0].about.created, "on a Monday");
  EXPECT_EQ(experiments[0].cells, 2U);
  EXPECT_EQ(experiments[0].trials, 2U);
  EXPECT_EQ(experiments[1].trials, 0U);
  const auto cells = *store.cells();
  ASSERT_EQ(cells.size(), 3U);
  EXPECT_EQ(cells[0].key, (CellKey{"raft", "nodes 3", "random", "coverage"}));
  EXPECT_EQ(cells[0].trials, 2U);
  EXPECT_EQ(*store.trials(cells[0].id), (std::vector<TrialRecord>{a_trial(7), a_trial(8)}));
  EXPECT_TRUE(store.trials(cells[1].id)->empty());
}

TEST_F(Store, KnowsWhichTrialsAreFinishedAndWhichExperimentToGoOnWith) {
  fill();
  ResultsStore store = open(Access::kWrite);
  const int64_t found = **store.find("coverage", "trials = 2");
  const int64_t cell = *store.cell(found, {"raft", "nodes 3", "random", "coverage"});
  EXPECT_EQ(*store.finished(cell), (std::vector<uint64_t>{7, 8}));
  EXPECT_EQ(store.cells()->size(), 3U);  // the cell was there
  EXPECT_FALSE(store.find("coverage", "trials = 3")->has_value());
  const int64_t later = *store.begin({"coverage", "trials = 2", "", ""});
  EXPECT_EQ(**store.find("coverage", "trials = 2"), later);
}

TEST_F(Store, KeepsNumbersToTheirLastBit) {
  ResultsStore store = open();
  const int64_t cell = *store.cell(*store.begin({}), {});
  TrialRecord trial;
  trial.seed = std::numeric_limits<uint64_t>::max();
  trial.steps = uint64_t{1} << 63;
  trial.outcome = "quote ' and \"both\" and é";
  trial.measures = {{"least", std::numeric_limits<double>::denorm_min()},
                    {"most", std::numeric_limits<double>::max()},
                    {"third", 1.0 / 3},
                    {"whole", 4}};
  trial.curves["c"] = {{0, 1.0 / 3}, {std::numeric_limits<uint64_t>::max(), -0.1}};
  ASSERT_TRUE(store.append(cell, trial));
  ASSERT_TRUE(store.append(cell, a_trial(3)));
  EXPECT_EQ(*store.trials(cell), (std::vector<TrialRecord>{a_trial(3), trial}));
}

TEST_F(Store, FiltersByWhatIsAskedFor) {
  fill();
  const ResultsStore store = open(Access::kRead);
  const auto count = [&](const ResultsFilter& filter) { return store.cells(filter)->size(); };
  EXPECT_EQ(count({.strategy = "random"}), 2U);
  EXPECT_EQ(count({.subject = "raft", .strategy = "random"}), 1U);
  EXPECT_EQ(count({.name = "bugs"}), 1U);
  EXPECT_EQ(count({.experiment = 1}), 2U);
  EXPECT_EQ(count({.settings = "nodes 3", .measure = "coverage"}), 2U);
  EXPECT_EQ(count({.subject = "raft' OR 1 --"}), 0U);
  EXPECT_EQ(store.experiments({.subject = "raft"})->size(), 1U);
}

TEST_F(Store, RefusesWhatWouldNotComeBack) {
  ResultsStore store = open();
  const int64_t cell = *store.cell(*store.begin({.name = "e"}), {.subject = "raft"});
  ASSERT_TRUE(store.append(cell, a_trial(1)));
  const auto why = [&](int64_t where, const TrialRecord& trial) {
    const Result<void> done = store.append(where, trial);
    return done ? "appended" : done.error().message;
  };
  EXPECT_EQ(why(cell, a_trial(1)), file() + ": cell 1 has a trial with seed 1 already");
  EXPECT_EQ(why(99, a_trial(2)), file() + ": there is no cell 99");
  TrialRecord wrong = a_trial(2);
  wrong.measures["coverage"] = std::nan("");
  EXPECT_EQ(why(cell, wrong),
            "the trial with seed 2 has a measure \"coverage\" that is not finite");
  wrong = a_trial(2);
  wrong.curves["coverage"][2].step = 100;
  EXPECT_EQ(why(cell, wrong),
            "the curve \"coverage\" of the trial with seed 2 goes from step 100 to step 100");
  EXPECT_EQ(store.cell(7, {}).error().message, file() + ": there is no experiment 7");
  EXPECT_EQ(*store.finished(cell), (std::vector<uint64_t>{1}));
  ASSERT_TRUE(store.append(cell, a_trial(2)));  // nothing is left open
}

TEST_F(Store, OpenedForReadingIsNotWritten) {
  fill();
  const std::string before = *read_file(file());
  ResultsStore store = open(Access::kRead);
  EXPECT_FALSE(store.begin({.name = "more"}));
  EXPECT_FALSE(store.append(1, a_trial(99)));
  EXPECT_EQ(*read_file(file()), before);
}

TEST_F(Store, IsSharedByTwoWriters) {
  ResultsStore one = open();
  ResultsStore two = open();
  const int64_t cell = *one.cell(*one.begin({}), {});
  ASSERT_TRUE(one.append(cell, a_trial(1)));
  ASSERT_TRUE(two.append(cell, a_trial(2)));
  EXPECT_FALSE(two.append(cell, a_trial(1)));
  EXPECT_EQ(*one.finished(cell), (std::vector<uint64_t>{1, 2}));
}

// --- Exporting -----------------------------------------------------------------------------------

TEST_F(Store, ExportsARowForEveryTrialWithAColumnForEveryMeasure) {
  fill();
  ResultsStore store = open();
  TrialRecord other{1, "cut, by time", 5, {{"bugs", 2}}, {}};
  ASSERT_TRUE(store.append(3, other));
  EXPECT_EQ(*trials_csv(store),
            "experiment,name,subject,settings,strategy,measure,seed,outcome,steps,bugs,coverage,"
            "target\n"
            "1,coverage,raft,nodes 3,random,coverage,7,found,1007,,17.25,0.1\n"
            "1,coverage,raft,nodes 3,random,coverage,8,found,1008,,17.25,0.1\n"
            "2,bugs,\"rsl, \"\"odd\"\"\",,random,bug,1,\"cut, by time\",5,2,,\n");
  EXPECT_EQ(*trials_csv(store, {.subject = "nothing"}),
            "experiment,name,subject,settings,strategy,measure,seed,outcome,steps\n");
}

TEST_F(Store, ExportsARowForEveryPoint) {
  fill();
  const std::string csv = *curves_csv(open(Access::kRead));
  EXPECT_TRUE(
      csv.starts_with("experiment,name,subject,settings,strategy,measure,seed,curve,step,"
                      "value\n1,coverage,raft,nodes 3,random,coverage,7,coverage,0,0\n"
                      "1,coverage,raft,nodes 3,random,coverage,7,coverage,100,1\n"))
      << csv;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 7);
}

TEST_F(Store, ExportsEverythingAsJson) {
  fill();
  const ResultsStore store = open(Access::kRead);
  const auto json = nlohmann::json::parse(*results_json(store));
  EXPECT_EQ(json["format"], "ordeal-results");
  ASSERT_EQ(json["experiments"].size(), 2U);
  const auto& cells = json["experiments"][0]["cells"];
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0]["strategy"], "random");
  EXPECT_EQ(cells[0]["trials"][1]["seed"], 8);
  EXPECT_EQ(cells[0]["trials"][1]["measures"]["coverage"], 17.25);
  EXPECT_EQ(cells[0]["trials"][1]["curves"]["coverage"][1], nlohmann::json({100, 1.0}));
  const auto part = nlohmann::json::parse(*results_json(store, {.strategy = "bonusmax"}));
  ASSERT_EQ(part["experiments"].size(), 1U);
  EXPECT_EQ(part["experiments"][0]["cells"].size(), 1U);
}

// --- Refusing ------------------------------------------------------------------------------------

TEST_F(Store, ThatIsMissingIsMadeOnlyWhenAsked) {
  for (const Access access : {Access::kRead, Access::kWrite}) {
    const Result<ResultsStore> store = ResultsStore::open(file(), access);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().message, file() + ": there is no such results store");
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  open(Access::kCreate);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
  EXPECT_FALSE(ResultsStore::open(folder_.path() + "/missing/r.sqlite", Access::kCreate));
  EXPECT_TRUE(has(ResultsStore::open(folder_.path(), Access::kCreate).error().message, "no file"));
}

TEST_F(Store, RefusesFilesOfOthersAndLeavesThemAlone) {
  EXPECT_TRUE(has(refused(""), "is empty, and no results store"));
  EXPECT_TRUE(has(refused("trials = 10\n"), "is no results store"));
  EXPECT_TRUE(has(refused(std::string(5000, '\0')), "is no results store"));
  std::filesystem::remove(file());
  {
    const Result<Database> other = Database::open(file(), Database::Access::kCreate);
    ASSERT_TRUE(other->run("CREATE TABLE t(x); INSERT INTO t VALUES(1);"));
  }
  EXPECT_TRUE(has(refused(*read_file(file())), "an SQLite file of another program"));
}

TEST_F(Store, RefusesAnotherFormatAndOtherTables) {
  fill();
  const std::string mine = *read_file(file());
  const auto changed_by = [&](const std::string& sql) {
    std::ofstream(file(), std::ios::binary | std::ios::trunc) << mine;
    {
      const Result<Database> database = Database::open(file(), Database::Access::kWrite);
      EXPECT_TRUE(database->run(sql));
    }
    return refused(*read_file(file()));
  };
  EXPECT_TRUE(has(changed_by("PRAGMA user_version = 2"),
                  "format 2, and this version of ordeal knows format 1"));
  const std::string other = "has other tables than a results store has";
  EXPECT_TRUE(has(changed_by("DROP TABLE curves"), other));
  EXPECT_TRUE(has(changed_by("CREATE TRIGGER t AFTER INSERT ON trials BEGIN DELETE FROM trials; "
                             "END"),
                  other));
  EXPECT_TRUE(has(changed_by("ALTER TABLE cells ADD COLUMN more"), other));
  EXPECT_EQ(refused(mine), "opened");
}

TEST_F(Store, RefusesAFileThatIsCutOffAnywhere) {
  fill();
  const std::string whole = *read_file(file());
  Rng rng(5);
  for (int i = 0; i < 12; ++i) {
    const size_t size = i < 4    ? static_cast<size_t>(1 + 33 * i)
                        : i == 4 ? whole.size() - 1
                        : i == 5 ? whole.size() - 4096
                                 : 1 + rng.below(whole.size() - 1);
    const std::string why =
        refused(whole.substr(0, size), i % 2 == 0 ? Access::kCreate : Access::kRead);
    EXPECT_TRUE(has(why, "is cut off")) << size << " bytes: " << why;
  }
}

TEST_F(Store, RefusesAFileWhosePagesAreOverwritten) {
  fill();
  const std::string whole = *read_file(file());
  for (size_t page = 1; page < whole.size() / 4096; ++page) {
    std::string damaged = whole;
    damaged.replace(page * 4096, 4096, 4096, '\x5a');
    const std::string why = refused(damaged);
    EXPECT_TRUE(has(why, "is damaged")) << "page " << page << ": " << why;
  }
}

// --- Kills ---------------------------------------------------------------------------------------

TEST_F(Store, HasEveryFinishedTrialAndNoHalfOneAfterAKill) {
  constexpr size_t kPoints = 3000;
  int64_t cell = 0;
  {
    ResultsStore store = open();
    cell = *store.cell(*store.begin({.name = "killed"}), {.subject = "raft"});
  }
  Rng rng(9);
  uint64_t finished = 0;  // so many were told, with seeds 0, 1, …
  for (int round = 0; round < 12; ++round) {
    int told[2];
    ASSERT_EQ(pipe(told), 0);
    const pid_t child = fork();
    if (child == 0) {
      close(told[0]);
      Result<ResultsStore> store = ResultsStore::open(file(), Access::kWrite);
      if (!store) _exit(1);
      for (uint64_t seed = store->finished(cell)->size();; ++seed) {
        if (!store->append(cell, a_trial(seed, kPoints))) _exit(2);
        if (write(told[1], "x", 1) != 1) _exit(3);
      }
    }
    close(told[1]);
    char byte = 0;
    for (uint64_t wait = 1 + rng.below(4); wait > 0 && read(told[0], &byte, 1) == 1; --wait) {
      ++finished;
    }
    usleep(static_cast<useconds_t>(rng.below(15'000)));
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "round " << round << ": exit " << WEXITSTATUS(status);
    while (read(told[0], &byte, 1) == 1) ++finished;
    close(told[0]);

    const ResultsStore store = open(round % 2 == 0 ? Access::kRead : Access::kWrite);
    const std::vector<TrialRecord> trials = *store.trials(cell);
    ASSERT_GE(trials.size(), finished);
    ASSERT_LE(trials.size(), finished + 1);  // committed, and killed before it told
    for (uint64_t seed = 0; seed < trials.size(); ++seed) {
      ASSERT_EQ(trials[seed], a_trial(seed, kPoints)) << "round " << round;
    }
    finished = trials.size();
  }
}

TEST_F(Store, UndoesWhatAKilledProcessHadWrittenInPart) {
  fill();
  // As a kill leaves it: pages of the transaction in the file already, and the journal beside it.
  const std::string killed = folder_.path() + "/killed.sqlite";
  {
    const Result<Database> database = Database::open(file(), Database::Access::kWrite);
    ASSERT_TRUE(database->run("PRAGMA cache_size = 2; BEGIN IMMEDIATE; DELETE FROM curves;"));
    for (int i = 100; i < 400; ++i) {
      ASSERT_TRUE(
          database->run("INSERT INTO trials(cell, seed, outcome, steps, measures) VALUES(1, " +
                        std::to_string(i) + ", printf('%500s', 'x'), 0, '{}')"));
    }
    std::filesystem::copy_file(file(), killed);
    std::filesystem::copy_file(file() + "-journal", killed + "-journal");
  }
  ASSERT_NE(*read_file(killed), *read_file(file()));
  const Result<ResultsStore> store = ResultsStore::open(killed, Access::kRead);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(*store->trials(1), (std::vector<TrialRecord>{a_trial(7), a_trial(8)}));
  EXPECT_EQ(*read_file(killed), *read_file(file()));
}

}  // namespace
}  // namespace ordeal::experiment
