// What the operators of the standard modules and the Community modules say:
// tests/data/tla/modules.txt, made by TLC (2026) from the modules themselves.
//
// A section is [modules that are extended]; a row has an expression, its value or "! " and the
// words of the error, and, where TLC says something else, why. Values are expressions, too: TLC has
// another order of strings.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "language/tla/library/library.h"
#include "language/tla/syntax/parse.h"
#include "tests/oracle/tla_modules/evaluation.h"

namespace ordeal::tla {
namespace {

struct TableRow {
  std::string modules;
  std::string expression;
  std::string value;
  std::string reason;
};

std::vector<TableRow> table_rows() {
  std::ifstream in(ORDEAL_SOURCE_DIR "/tests/data/tla/modules.txt");
  std::vector<TableRow> out;
  std::string modules;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t tab = line.find('\t');
    if (tab == std::string::npos) {
      modules = line.substr(1, line.size() - 2);
      continue;
    }
    TableRow& row = out.emplace_back();
    const size_t next = std::min(line.find('\t', tab + 1), line.size());
    row = {modules, line.substr(0, tab), line.substr(tab + 1, next - tab - 1),
           line.substr(std::min(next + 1, line.size()))};
  }
  return out;
}

TEST(TlaModules, OperatorsHaveTheValuesOfTlcAndErrorsTheirWords) {
  const std::vector<TableRow> rows = table_rows();
  ASSERT_GT(rows.size(), 450U);
  Evaluation values("Integers, Sequences, TLC");
  std::unique_ptr<Evaluation> table;
  std::string modules;
  for (const TableRow& row : rows) {
    if (row.modules != modules) table = std::make_unique<Evaluation>(row.modules);
    modules = row.modules;
    const bool fails = row.value.starts_with("! ");
    std::string value = (*table)(row.expression);
    const std::string folder = table->folder().path("");
    if (const size_t at = value.find(folder); at != value.npos) value.erase(at, folder.size());
    EXPECT_EQ(value, fails ? row.value : values(row.value))
        << "[" << modules << "] " << row.expression;
  }
}

std::set<std::string> words_of(const std::string& text) {
  std::set<std::string> out;
  std::string word;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += c;
    } else if (!word.empty()) {
      out.insert(std::exchange(word, ""));
    }
  }
  return out;
}

// Everything that a module defines itself, by the name that is written.
std::set<std::string> operators_of(const LibraryModule& module) {
  static const std::map<std::string_view, std::string> kWritten = {
      {"-.", "-"}, {"\\oplus", "(+)"}, {"\\ominus", "(-)"}};
  std::set<std::string> out;
  for (const Builtin& builtin : module.builtins) {
    const auto written = kWritten.find(builtin.name);
    if (builtin.name.front() == '_') continue;  // for the text of the module
    out.insert(written == kWritten.end() ? std::string(builtin.name) : written->second);
  }
  if (module.text.empty()) return out;
  Sources sources;
  const uint32_t file = sources.add(std::string(module.name), std::string(module.text));
  const Result<Module> parsed = parse_module(sources, file);
  EXPECT_TRUE(parsed) << parsed.error().message;
  if (!parsed) return out;
  for (const Unit& unit : parsed->units) {
    const bool defines = unit.kind == UnitKind::kOperator || unit.kind == UnitKind::kFunction;
    if (defines && !unit.local) out.insert(unit.name);
  }
  return out;
}

TEST(TlaModules, EveryOperatorOfEveryModuleIsInTheTable) {
  // Formulas about whole behaviours have no values.
  const std::set<std::string_view> temporal = {"RealTime"};
  // Their operators need the trace of an error.
  const std::set<std::string_view> traced = {"ShiViz"};
  std::map<std::string, std::string> said;  // by module
  for (const TableRow& row : table_rows()) {
    for (const std::string& module : words_of(row.modules)) said[module] += row.expression + "\n";
  }
  size_t count = 0;
  for (const std::string_view name : library_modules()) {
    if (temporal.contains(name) || traced.contains(name)) continue;
    const LibraryModule* const module = library_module(name);
    ASSERT_NE(module, nullptr);
    const std::string& rows = said[std::string(name)];
    const std::set<std::string> words = words_of(rows);
    for (const std::string& op : operators_of(*module)) {
      ++count;
      const bool word = std::isalpha(static_cast<unsigned char>(op[0])) != 0 || op[0] == '_';
      const bool is_there = word ? words.contains(op) : rows.find(op) != std::string::npos;
      EXPECT_TRUE(is_there) << name << ": " << op;
    }
  }
  EXPECT_GT(count, 350U);
}

TEST(TlaModules, EveryOperatorIsInTheDocument) {
  std::ifstream in(ORDEAL_SOURCE_DIR "/docs/reference/tla-modules.md");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::set<std::string> words = words_of(text);
  // Told as a whole.
  const std::set<std::string_view> summed_up = {"TLAPS", "HTML"};
  for (const std::string_view name : library_modules()) {
    EXPECT_TRUE(words.contains(std::string(name))) << name;
    if (summed_up.contains(name)) continue;
    for (std::string op : operators_of(*library_module(name))) {
      const bool word = std::isalpha(static_cast<unsigned char>(op[0])) != 0 || op[0] == '_';
      if (word && op.ends_with("Under")) op.erase(op.size() - 5);  // "each also with `Under`"
      const bool is_there =
          word ? words.contains(op) : text.find("`" + op) != std::string::npos || op == "|";
      EXPECT_TRUE(is_there) << name << ": " << op;
    }
  }
}

TEST(TlaModules, EveryModuleOfTheLibraryLoads) {
  for (const std::string_view name : library_modules()) {
    Evaluation module((std::string(name)));
    EXPECT_EQ(module("1 = 1"), "TRUE") << name;
  }
}

TEST(TlaModules, ModulesForBehavioursAndTracesLoad) {
  Evaluation timed("RealTime",
                   "VARIABLE x\nSpec == x = 0 /\\ RTnow(x) /\\ RTBound(x' = 1, x, 0, 5)");
  EXPECT_EQ(timed("now = now").substr(0, 2), "! ");
  Evaluation drawn("ShiViz");
  EXPECT_EQ(drawn("Clock"),
            "! Trace is not known here: a search does not remember how it came to a state");
  EXPECT_EQ(drawn("Host"), drawn("Clock"));
}

}  // namespace
}  // namespace ordeal::tla
