// The tables of an experiment in words, which pages and documents then set in their own form.
#pragma once

#include <string>
#include <vector>

#include "experiment/stored_comparison.h"
#include "experiment/tables.h"

namespace ordeal::report {

struct WordTable {
  std::string title;
  std::vector<std::string> before = {};  // sentences
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> after = {};
};

// Nothing is escaped: names are as the file has them.
std::vector<WordTable> word_tables(const experiment::Plan& plan,
                                   const experiment::ExperimentResults& results);
// Two experiments of a store side by side.
WordTable comparison_words(const experiment::StoredComparison& comparison);
// What was run, a sentence each.
std::vector<std::string> plan_words(const experiment::Plan& plan);

std::string real_words(double number);    // "1,234.5"
std::string p_words(double probability);  // "0.0123", "5.41e-06"

}  // namespace ordeal::report
