#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "ordeal/compare.h"
#include "report/compare_words.h"
#include "report/text/text_table.h"

namespace ordeal {
namespace {

using report::kTableWidth;
using report::Row;

constexpr size_t kWidth = 100;

std::string one_in_full(const ContestResult& result, const Comparison& comparison) {
  std::vector<Row> rows = {{"strategy", "found", "median", "", "least", "most", "steps",
                            "against " + comparison.options.baseline}};
  std::string notes;
  for (const Score& score : result.scores) {
    const bool any = score.found > 0;
    const std::string unit = score.who.by_runs || score.trials.empty() ? "" : "states";
    rows.push_back({score.who.name, report::found_text(score), report::median_text(score),
                    unit + report::mark_of(score),
                    any && score.who.seeded ? grouped(score.least) : "",
                    any && score.who.seeded ? grouped(score.most) : "", report::steps_text(score),
                    report::against_text(score)});
    if (const std::string note = report::note_of(score); !note.empty()) {
      for (const std::string& line : wrapped(score.who.name + " " + note, kWidth - 2)) {
        notes += "  " + one_line(line) + "\n";
      }
    }
  }
  return report::text_table(rows, {3, 7}) + (notes.empty() ? "" : "\n" + notes);
}

std::string all_in_lines(const Comparison& comparison) {
  Row head = {""};
  for (const Contestant& who : comparison.contestants) {
    head.push_back(who.name);
  }
  std::vector<Row> rows = {head};
  for (const ContestResult& result : comparison.results) {
    Row row = {cut_to(one_line(result.contest.name), kTableWidth / 2)};
    for (const Score& score : result.scores) {
      row.push_back(report::median_text(score) + report::mark_of(score));
    }
    rows.push_back(std::move(row));
  }
  return report::text_table(rows, {});
}

}  // namespace

std::string to_text(const Comparison& comparison) {
  const bool one = comparison.results.size() == 1;
  std::string out;
  if (one) {
    const Contest& contest = comparison.results[0].contest;
    out = one_line(contest.name) + (contest.command.empty() ? "" : ": " + contest.command) + "\n";
  } else {
    out = counted(comparison.results.size(), "bug") + "\n";
  }
  out += "  " + report::trials_text(comparison) + "\n";
  if (const std::string partial = report::partial_text(comparison); !partial.empty()) {
    out += "  " + partial + "\n";
  }
  out += "\n" + (one ? one_in_full(comparison.results[0], comparison) : all_in_lines(comparison));
  out += "\n";
  for (const std::string& entry : report::legend(comparison)) {
    bool first = true;
    for (const std::string& line : wrapped(entry, kWidth - 4)) {
      out += (first ? "  - " : "    ") + line + "\n";
      first = false;
    }
  }
  return out + fmt::format("  {} in {}\n", counted(comparison.trials_done, "trial"),
                           seconds_text(comparison.seconds));
}

}  // namespace ordeal
