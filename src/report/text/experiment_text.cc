#include "report/text/experiment_text.h"

#include "base/text.h"
#include "report/experiment_words.h"
#include "report/text/text_table.h"

namespace ordeal::report {

namespace {

std::string table_text(const WordTable& table, const std::vector<size_t>& left) {
  std::string out = one_line(table.title) + "\n";
  std::vector<Row> rows = {table.head};
  rows.insert(rows.end(), table.rows.begin(), table.rows.end());
  for (Row& row : rows) {
    for (std::string& word : row) word = one_line(word);
  }
  out += text_table(rows, left);
  for (const std::string& sentence : table.after) out += "  " + one_line(sentence) + "\n";
  return out;
}

}  // namespace

std::string experiment_text(const experiment::Plan& plan,
                            const experiment::ExperimentResults& results) {
  std::string out;
  for (const WordTable& table : word_tables(plan, results)) {
    out += (out.empty() ? "" : "\n") + table_text(table, {});
  }
  return out;
}

std::string comparison_text(const experiment::StoredComparison& comparison) {
  return table_text(comparison_words(comparison), {1, 2});
}

}  // namespace ordeal::report
