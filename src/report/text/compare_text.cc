#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "ordeal/compare.h"
#include "report/compare_words.h"

namespace ordeal {
namespace {

using Row = std::vector<std::string>;

constexpr size_t kWidth = 100;
constexpr size_t kTableWidth = 120;  // what a terminal shows side by side

std::string pad(const std::string& text, size_t columns, bool right) {
  const size_t width = columns_of(text);
  const std::string space(columns > width ? columns - width : 0, ' ');
  return right ? space + text : text + space;
}

// The columns in `left` to the left, the others to the right. Where they are too wide together, the
// rest comes below, each time with the first column.
std::string table(const std::vector<Row>& rows, const std::vector<size_t>& left) {
  std::vector<size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns_of(row[i]));
  }
  std::string out;
  for (size_t begin = 1, end = 1; begin < widths.size(); begin = end) {
    size_t width = 2 + widths[0];
    while (end < widths.size() && (end == begin || width + 2 + widths[end] <= kTableWidth)) {
      width += 2 + widths[end++];
    }
    if (begin > 1) out += "\n";
    for (const Row& row : rows) {
      std::string line = "  " + pad(row[0], widths[0], false);
      for (size_t i = begin; i < std::min(end, row.size()); ++i) {
        const bool right = std::find(left.begin(), left.end(), i) == left.end();
        line += "  " + pad(row[i], widths[i], right);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
  }
  return out;
}

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
  return table(rows, {3, 7}) + (notes.empty() ? "" : "\n" + notes);
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
  return table(rows, {});
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
