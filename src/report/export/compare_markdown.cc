#include <fmt/format.h>

#include <cctype>

#include "base/text.h"
#include "ordeal/compare.h"
#include "report/compare_words.h"

namespace ordeal {
namespace {

// In a cell of a table.
std::string cell(const std::string& text) {
  std::string out;
  for (char c : one_line(text)) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

void add_row(const std::vector<std::string>& cells, std::string& out) {
  for (const std::string& text : cells) out += "| " + (text.empty() ? "" : text + " ");
  out += "|\n";
}

std::string link_of(const Contest& contest) {
  std::string anchor;
  for (char c : contest.name) {
    if (c == ' ') anchor += '-';
    if (c == '-' || c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0) {
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return fmt::format("[{}](#{})", cell(contest.name), anchor);
}

void add_matrix(const Comparison& comparison, std::string& out) {
  std::vector<std::string> head = {"bug"};
  std::vector<std::string> line = {"---"};
  for (const Contestant& who : comparison.contestants) {
    head.push_back(who.name + (who.by_runs ? "" : " (states)"));
    line.emplace_back("--:");
  }
  add_row(head, out);
  add_row(line, out);
  for (const ContestResult& result : comparison.results) {
    std::vector<std::string> row = {link_of(result.contest)};
    for (const Score& score : result.scores) {
      std::string text = report::median_text(score);
      if (const std::string mark = report::mark_of(score); !mark.empty()) text += " " + mark;
      if (score.found > 0 && score.found < score.trials.size()) {
        text += fmt::format(" ({})", report::found_text(score));
      }
      row.push_back(text);
    }
    add_row(row, out);
  }
}

void add_contest(const ContestResult& result, const Comparison& comparison, std::string& out) {
  out += fmt::format("\n## {}\n\n", cell(result.contest.name));
  if (!result.contest.command.empty()) {
    out += fmt::format("    ordeal {}\n\n", one_line(result.contest.command));
  }
  add_row({"strategy", "found", "median", "least", "most", "steps",
           "against " + comparison.options.baseline},
          out);
  add_row({"---", "--:", "--:", "--:", "--:", "--:", "---"}, out);
  std::string notes;
  for (const Score& score : result.scores) {
    const bool range = score.found > 0 && score.who.seeded;
    const std::string unit = score.who.by_runs || score.trials.empty() ? "" : " states";
    add_row({score.who.name, report::found_text(score), report::median_text(score) + unit,
             range ? grouped(score.least) : "", range ? grouped(score.most) : "",
             report::steps_text(score), report::against_text(score)},
            out);
    const std::string note = report::note_of(score);
    if (!note.empty()) notes += fmt::format("- {} {}.\n", score.who.name, cell(note));
  }
  if (!notes.empty()) out += "\n" + notes;
}

}  // namespace

std::string to_markdown(const Comparison& comparison) {
  std::string out = "# Which strategy finds which bug\n\n";
  out += fmt::format("How many runs each strategy needs until it meets a violation: {}, {}.\n\n",
                     counted(comparison.results.size(), "planted bug"),
                     report::trials_text(comparison));
  if (const std::string partial = report::partial_text(comparison); !partial.empty()) {
    out += "**" + partial + ".**\n\n";
  }
  add_matrix(comparison, out);
  out += "\n";
  for (const std::string& entry : report::legend(comparison)) out += "- " + entry + ".\n";
  for (const ContestResult& result : comparison.results) add_contest(result, comparison, out);
  return out;
}

}  // namespace ordeal
