#include "cli/experiment_table.h"

namespace ordeal::cli {
namespace {

const char* const kStoreWords =
    "STORE is a file that 'experiment' made, or the folder that it lies in; results.sqlite here "
    "unless told.";

std::vector<OptionSpec> filter_options() {
  return {{"name", "NAME", "only experiments of this name"},
          {"subject", "LABEL", "only trials on the subject with this label"},
          {"strategy", "LABEL", "only trials of the strategy with this label"}};
}

CommandSpec results_spec(const std::string& name, const std::string& arguments,
                         const std::string& what, const std::string& text, size_t least,
                         std::vector<OptionSpec> more) {
  std::vector<OptionSpec> options = filter_options();
  for (OptionSpec& option : more) options.push_back(std::move(option));
  return {"results " + name, arguments, what, text + "\n" + kStoreWords, least,
          least + 1,         options,   {}};
}

}  // namespace

std::vector<CommandSpec> experiment_specs() {
  std::vector<CommandSpec> all;
  all.push_back(
      {"experiment",
       "FILE [OPTIONS]",
       "run subjects × strategies × trials, and tell what the numbers say",
       "Runs the experiment that FILE describes, in TOML: every subject with every strategy, as "
       "often as there\nare trials. Every finished trial is in DIR/results.sqlite at once; a run "
       "that was stopped or killed\ngoes on with --resume. In the end DIR has the tables "
       "(results.md, .csv, .json), plots, and a page with\nboth (results.html). They depend on "
       "FILE and the seed alone.\n\nExit code: 0 all trials are there, 2 interrupted: those that "
       "were finished are in the store, 3 usage or\ntool error.",
       1,
       1,
       {{"out", "DIR", "where results go; default: the name of FILE with '-results', here"},
        {"resume", "", "go on with the trials that the store does not have"},
        {"trials", "N", "so many trials, whatever FILE says"},
        {"seed", "N", "the seed of the first trial, whatever FILE says"},
        {"threads", "N", "so many trials side by side; default: all cores"},
        {"quiet", "", "print no tables"},
        {"progress",
         "WHEN",
         "progress on standard error: auto, always or never",
         {"auto", "always", "never"}}},
       {{"experiment experiments/cube-world.toml --out out/cube-world", "all of it"},
        {"experiment experiments/cube-world.toml --out out/cube-world --resume",
         "… after it was stopped"},
        {"experiment experiments/raft-bugs.toml --trials 2", "a first look"}}});
  all.push_back(results_spec("list", "[STORE] [OPTIONS]", "list the experiments of a store",
                             "Lists the experiments of a store, with how many trials each has.", 0,
                             {}));
  all.back().examples = {{"results list out/cube-world", "what is there"}};
  all.push_back(results_spec("show", "NAME [STORE] [OPTIONS]",
                             "show what the trials of an experiment came to",
                             "Shows the last experiment of that name: mean and deviation of every "
                             "measure of every cell.",
                             1, {}));
  all.back().examples = {{"results show cube-world out/cube-world", "in few numbers"}};
  all.push_back(results_spec(
      "compare", "A B [STORE] [OPTIONS]", "compare two experiments of a store, with tests",
      "Compares what the same strategies reached on the same subjects in two experiments, before "
      "and after a\nchange: mean and deviation of every measure, Mann and Whitney's test, and how "
      "likely A does better. A and B\nare numbers that 'results list' tells.",
      2, {}));
  all.back().examples = {{"results compare 1 2 out/cube-world", "the first beside the second"}};
  all.push_back(results_spec(
      "export", "[STORE] [OPTIONS]", "write the trials of a store for other programs",
      "Writes the trials of a store.", 0,
      {{"csv", "FILE", "a line for every trial; '-' is standard output, and the default"},
       {"curves", "FILE", "a line for every point of a curve; '-' is standard output"},
       {"json", "FILE", "everything; '-' is standard output"}}));
  all.back().examples = {
      {"results export out/cube-world --strategy bonusmax --csv trials.csv", "of one strategy"}};
  return all;
}

}  // namespace ordeal::cli
