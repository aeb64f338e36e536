// Stores of results as commands meet them: where one lies, and what is said of an experiment that
// is begun in it.
#pragma once

#include <cstdint>
#include <string>

#include "experiment/results_store.h"

namespace ordeal::cli {

inline constexpr const char* kStoreFile = "results.sqlite";
// A store is named by its file, or by the folder in which it lies.
std::string store_path(const std::string& path);

// Begun now, by this build: trials of a subject that was changed meanwhile are others.
experiment::NewExperiment new_experiment(const std::string& name, const std::string& definition);

// Whom --resume does not go on with, though it has the name: an experiment with other settings, of
// which all trials are to be made. "": there is none.
Result<std::string> other_settings_words(const experiment::ResultsStore& store,
                                         const experiment::NewExperiment& about);

// Of an experiment that was stopped: where its trials are, and how it goes on.
std::string kept_words(uint64_t done, uint64_t all, const experiment::ResultsStore& store);

}  // namespace ordeal::cli
