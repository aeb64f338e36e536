// ordeal tla eval: expressions of TLA+, from the command line or line by line.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <span>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/line_reader.h"
#include "cli/output.h"
#include "cli/tla_subject.h"
#include "language/tla/model/json_value.h"
#include "language/tla/model/prompt.h"
#include "suite/specifications.h"
#include "trace/short_form.h"

namespace ordeal::cli {
namespace {

// What a value is shown as.
std::string shown(tla::Value value, bool as_json) {
  if (!as_json) return tla::to_text(value) + "\n";
  return tla::json_of(value).dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

// Whether more must come before this can be read: a bracket is open, LET waits for IN, or the end
// is an operator between two sides.
bool is_unfinished(const std::string& text) {
  int open = 0;
  int lets = 0;
  bool quoted = false;
  std::string word;
  std::string last;
  const auto end_word = [&] {
    if (word == "LET") ++lets;
    if (word == "IN") --lets;
    if (!word.empty()) last = word;
    word.clear();
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
      continue;
    }
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_') {
      word += c;
      continue;
    }
    end_word();
    if (c == ' ' || c == '\t' || c == '\n') continue;
    last = std::string(1, c);
    if (c == '"') quoted = true;
    const std::string_view two = std::string_view(text).substr(i, 2);
    if (two == "/\\" || two == "\\/" || two == "<<" || two == ">>" || two == "==" || two == "|->") {
      open += two == "<<" ? 1 : two == ">>" ? -1 : 0;
      last = two;
      ++i;
      continue;
    }
    if (std::string_view("([{").find(c) != std::string_view::npos) ++open;
    if (std::string_view(")]}").find(c) != std::string_view::npos) --open;
  }
  end_word();
  static constexpr std::string_view kGoOn[] = {"/\\", "\\/", "==",   "=",    "+",  "-",   ",",
                                               ":",   "IN",  "THEN", "ELSE", "IF", "LET", "@@"};
  return quoted || open > 0 || lets > 0 ||
         std::find(std::begin(kGoOn), std::end(kGoOn), last) != std::end(kGoOn);
}

bool is_definition(const std::string& text) {
  const size_t at = text.find("==");
  if (at == text.npos) return false;
  // "Name ==" or "Name(…) ==" or "Name[…] ==", at the beginning.
  size_t i = text.find_first_not_of(" \t\n");
  const size_t begin = i;
  while (i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_'))
    ++i;
  if (i == begin) return false;
  int open = 0;
  for (; i < at; ++i) {
    if (text[i] == '(' || text[i] == '[') ++open;
    if (text[i] == ')' || text[i] == ']') --open;
    if (open == 0 && text[i] != ')' && text[i] != ']' && text[i] != ' ' && text[i] != '\n')
      return false;
  }
  return open == 0;
}

class Lines {
 public:
  Lines(tla::Prompt& prompt, bool as_json, bool at_terminal)
      : prompt_(prompt), as_json_(as_json), at_terminal_(at_terminal) {}

  // An Error: standard output is gone.
  Result<void> run(LineReader& in) {
    if (at_terminal_) {
      out_ += fmt::format("{}: an expression, or a command; ':help' lists them.\n",
                          prompt_.specification().name());
      if (prompt_.has_state()) out_ += prompt_.state_text();
    }
    std::string text;
    while (!quit_ && !output_is_closed()) {
      if (at_terminal_) out_ += text.empty() ? "> " : "… ";
      if (Result<void> printed = flush(); !printed) return printed;
      std::optional<LineReader::Line> line;
      while (!line && !in.over()) line = in.next(-1);
      if (!line) break;
      if (line->too_long) return Error{"standard input: " + refusal_of(*line)};
      const bool is_empty = line->text.find_first_not_of(" \t\r") == line->text.npos;
      if (is_empty && text.empty()) continue;
      if (text.empty() && line->text.find_first_not_of(" \t") == line->text.find(':')) {
        obey(line->text);
        continue;
      }
      text += (text.empty() ? "" : "\n") + line->text;
      constexpr size_t kLongest = 64 << 10;
      if (!is_empty && text.size() < kLongest && is_unfinished(text)) continue;
      evaluate(text);
      text.clear();
    }
    if (!text.empty()) evaluate(text);
    if (at_terminal_ && !quit_) out_ += "\n";
    return flush();
  }
  bool failed() const { return failed_; }

 private:
  struct Verb {
    const char* name;
    const char* form;
    const char* what;
    std::function<void(Lines&, const std::string&)> run;
  };

  static const std::vector<Verb>& verbs() {
    static const std::vector<Verb> all = {
        {":state", ":state", "the state that expressions are about",
         [](Lines& l, const std::string&) { l.out_ += l.prompt_.state_text(); }},
        {":next", ":next", "the actions that are possible here",
         [](Lines& l, const std::string&) { l.next(); }},
        {":do", ":do N", "take one of them",
         [](Lines& l, const std::string& word) { l.move(word, &tla::Prompt::take); }},
        {":back", ":back", "one step back",
         [](Lines& l, const std::string&) { l.tell(l.prompt_.back()); }},
        {":reset", ":reset [N]", "to the initial state, or to initial state number N",
         [](Lines& l, const std::string& word) {
           l.move(word.empty() ? "0" : word, &tla::Prompt::reset);
         }},
        {":help", ":help", "this list", [](Lines& l, const std::string&) { l.help(); }},
        {":quit", ":quit", "leave", [](Lines& l, const std::string&) { l.quit_ = true; }},
    };
    return all;
  }

  void obey(const std::string& line) {
    const size_t begin = line.find(':');
    const size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
    const std::string name = line.substr(begin, end - begin);
    const size_t rest = line.find_first_not_of(" \t\r", end);
    std::string word = rest == line.npos ? "" : line.substr(rest);
    word.erase(word.find_last_not_of(" \t\r") + 1);
    std::vector<std::string> names;
    for (const Verb& verb : verbs()) {
      names.emplace_back(verb.name);
      if (name != verb.name && !(name == ":q" && names.back() == ":quit")) continue;
      const bool about_states = names.back() != ":help" && names.back() != ":quit";
      if (about_states && !prompt_.has_state()) {
        return refuse({"there are no states here: no behaviours were named"});
      }
      return verb.run(*this, word);
    }
    refuse({fmt::format("there is no command '{}'{}; ':help' lists them", one_line(name),
                        did_you_mean(name, names))});
  }

  void evaluate(const std::string& text) {
    if (is_definition(text)) {
      const Result<std::vector<std::string>> names = prompt_.define(text);
      return names ? void() : refuse(names.error());
    }
    const Result<tla::Value> value = prompt_.evaluate(text);
    if (!value) return refuse(value.error());
    out_ += shown(*value, as_json_);
  }

  void next() {
    const Result<std::vector<std::string>> steps = prompt_.next();
    if (!steps) return refuse(steps.error());
    for (size_t i = 0; i < steps->size(); ++i) {
      out_ += fmt::format("  {:>4}  {}\n", i, one_line((*steps)[i]));
    }
    if (steps->empty()) out_ += "No action is possible here.\n";
  }

  void move(const std::string& word, Result<void> (tla::Prompt::*where)(size_t)) {
    const Result<uint64_t> number = parse_number("N", word, 0, UINT32_MAX);
    tell(number ? (prompt_.*where)(*number) : Result<void>(number.error()));
  }
  void tell(const Result<void>& moved) {
    if (!moved) return refuse(moved.error());
    out_ += prompt_.state_text();
  }

  void help() {
    for (const Verb& verb : verbs()) out_ += fmt::format("  {:<12}{}\n", verb.form, verb.what);
    out_ +=
        "  Anything else is an expression, or a definition such as Twice(x) == 2 * x. What is not\n"
        "  finished at the end of a line goes on in the next; an empty line ends it.\n";
  }

  void refuse(const Error& error) {
    failed_ = true;
    if (!flush()) return;
    print_error(error.message + "\n");
  }
  Result<void> flush() {
    return print(std::exchange(out_, ""), as_json_ && !at_terminal_ ? Ink::kDocument : Ink::kPlain);
  }

  tla::Prompt& prompt_;
  const bool as_json_;
  const bool at_terminal_;
  bool quit_ = false;
  bool failed_ = false;
  std::string out_;
};

// Whether the first word is a specification, and no expression.
bool names_file(const std::string& word) {
  std::error_code ignored;
  return names_specification(word) || std::filesystem::is_regular_file(word + ".tla", ignored);
}

// The prompt, in the state that the options say.
Result<std::unique_ptr<tla::Prompt>> open_prompt(const Program& program, Parsed& parsed) {
  std::optional<Trace> trace;
  if (parsed.has("trace")) {
    Result<Trace> read = read_trace(parsed.get("trace"));
    if (!read) return read.error();
    trace = *std::move(read);
    if (parsed.has("initial")) return Error{"--trace and --initial each say where to begin"};
  } else if (parsed.has("step")) {
    return Error{"--step is for --trace: which of its states"};
  }
  if (parsed.words.empty() || !names_file(parsed.words[0])) {
    if (!trace) {
      for (const Parameter& parameter : specification_parameters()) {
        if (parsed.has(parameter.name)) {
          return Error{
              fmt::format("--{} is for a specification, and none is named", parameter.name)};
        }
      }
      if (parsed.has("initial"))
        return Error{"--initial is for a specification, and none is named"};
      return tla::Prompt::without_specification();
    }
    // The one that the trace is of, as it was.
    if (!names_specification(trace->system)) {
      return Error{fmt::format("{} is a run of {}, which is no specification",
                               one_line(parsed.get("trace")), one_line(trace->system))};
    }
    parsed.words.insert(parsed.words.begin(), trace->system);
    for (const Parameter& parameter : specification_parameters()) {
      const auto given = trace->parameters.find(parameter.name);
      if (given == trace->parameters.end() || given->second.empty()) continue;
      if (parameter.kind == ParameterKind::kFlag && given->second != "yes") continue;
      parsed.values.try_emplace(parameter.name, given->second);
    }
  }
  auto specification = specification_in(program, parsed);
  if (!specification) return specification.error();
  Result<std::unique_ptr<tla::Prompt>> prompt = tla::Prompt::make(*std::move(specification));
  if (!prompt) return prompt.error();
  if (trace) {
    if (!(*prompt)->has_state()) return Error{"there are no behaviours that the trace could be of"};
    const ShortForm way = trace::way_of(*trace);
    const Result<uint64_t> step = parse_number(
        "--step", parsed.get("step", std::to_string(way.choices.size())), 0, way.choices.size());
    if (!step) return step.error();
    if (Result<void> gone = (*prompt)->go(way.initial, std::span(way.choices).first(*step)); !gone)
      return gone.error();
  } else if (parsed.has("initial")) {
    const Result<uint64_t> initial =
        parse_number("--initial", parsed.get("initial"), 0, UINT32_MAX);
    if (!initial) return initial.error();
    if (!(*prompt)->has_state()) return Error{"--initial: there are no behaviours"};
    if (Result<void> gone = (*prompt)->reset(*initial); !gone) return gone.error();
  }
  return prompt;
}

}  // namespace

int run_tla_eval(const Program& program, const Words& words) {
  const std::string name = "tla eval";
  Parsing parsing = parse(program, name, words);
  if (parsing.exit >= 0) return parsing.exit;
  Parsed& parsed = parsing.parsed;
  const bool has_file = !parsed.words.empty() && names_file(parsed.words[0]);
  Result<std::unique_ptr<tla::Prompt>> prompt = open_prompt(program, parsed);
  if (!prompt) return complain(program, name, prompt.error());
  const bool as_json = parsed.has("json");
  const size_t first = has_file || parsed.has("trace") ? 1 : 0;
  if (parsed.words.size() > first) {
    bool failed = false;
    for (size_t i = first; i < parsed.words.size(); ++i) {
      const Result<tla::Value> value = (*prompt)->evaluate(parsed.words[i]);
      if (!value) {
        complain(program, name, value.error());
        failed = true;
        continue;
      }
      const Result<void> printed =
          print(shown(*value, as_json), as_json ? Ink::kDocument : Ink::kPlain);
      if (!printed) return trouble(program, name, printed.error().message);
    }
    return failed ? kExitTrouble : kExitHolds;
  }
  const bool at_terminal = isatty(STDIN_FILENO) == 1;
  Lines lines(**prompt, as_json, at_terminal);
  LineReader in(STDIN_FILENO);
  const Result<void> done = lines.run(in);
  if (!done) return trouble(program, name, done.error().message);
  return lines.failed() && !at_terminal ? kExitTrouble : kExitHolds;
}

}  // namespace ordeal::cli
