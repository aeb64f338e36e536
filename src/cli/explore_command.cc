#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>

#include "base/rng.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/line_reader.h"
#include "cli/output.h"
#include "cli/subject.h"
#include "explore/explain/walk.h"
#include "ordeal/report.h"
#include "report/words.h"

namespace ordeal::cli {
namespace {

constexpr size_t kMostActions = 30;
constexpr size_t kWidth = 110;

// A tree over several lines where one would be too long.
void show_tree(const value::Tree& tree, size_t indent, std::string& out) {
  const std::string line = one_line(value::show(tree));
  const bool splits = tree.kind == value::Tree::Kind::kRecord ||
                      tree.kind == value::Tree::Kind::kList || tree.kind == value::Tree::Kind::kMap;
  if (!splits || tree.items.empty() || indent > 40 || columns_of(line) + indent <= kWidth) {
    out += line + "\n";
    return;
  }
  const std::string margin(indent + 2, ' ');
  const bool is_map = tree.kind == value::Tree::Kind::kMap;
  const bool is_record = tree.kind == value::Tree::Kind::kRecord;
  out += (is_record ? one_line(tree.text) : "") + "\n";
  for (size_t i = 0; i < tree.items.size(); i += is_map ? 2 : 1) {
    const std::string name = is_record ? (i < tree.names.size() ? one_line(tree.names[i]) : "?")
                             : is_map  ? one_line(value::show(tree.items[i]))
                                       : fmt::format("[{}]", i);
    out += margin + name + ": ";
    const size_t at = is_map ? i + 1 : i;
    if (at < tree.items.size()) show_tree(tree.items[at], indent + 2, out);
  }
}

class Repl {
 public:
  Repl(const Program& program, const Chosen& chosen, uint64_t seed, bool colour, bool echo)
      : program_(program),
        chosen_(chosen),
        walk_(chosen.explored(), options_for(chosen)),
        rng_(seed),
        colour_(colour),
        echo_(echo) {}

  Result<void> start(const ShortForm& form) { return walk_.go(form); }

  // Until 'q' or the end of the input. An Error: standard output is gone, or the input has no
  // lines.
  Result<void> run(LineReader& in) {
    const std::string under =
        chosen_.scenario.empty() ? "" : " under " + one_line(chosen_.scenario);
    say(fmt::format("{}{}: {}\n", chosen_.command_words, under, one_line(chosen_.subject->what)));
    if (walk_.initial_count() > 1) {
      say(fmt::format("There are {} initial states; 'g 1:' goes to number 1.\n",
                      walk_.initial_count()));
    }
    overview();
    while (!quit_ && !output_is_closed()) {
      say(fmt::format("{}> ", walk_.way().choices.size()));
      if (Result<void> printed = flush(); !printed) return printed;
      std::optional<LineReader::Line> line;
      while (!line && !in.over()) line = in.next(-1);
      if (!line) break;
      if (line->too_long) return Error{"standard input: " + refusal_of(*line)};
      if (echo_) say(one_line(line->text) + "\n");
      obey(line->text);
    }
    say(echo_ || quit_ ? "" : "\n");
    return flush();
  }

 private:
  static Options options_for(const Chosen& chosen) {
    Options options;
    chosen.label(options);
    options.strategy = "explore";
    return options;
  }

  struct Verb {
    std::vector<std::string> names;
    const char* form;
    const char* what;
    std::function<void(Repl&, const std::string&)> run;
  };

  static const std::vector<Verb>& verbs() {
    static const std::vector<Verb> all = {
        {{"NUMBER"}, "NUMBER", "take that action", {}},
        {{"b", "back"}, "b", "one step back", [](Repl& r, const std::string&) { r.back(); }},
        {{"e", "enabled"},
         "e",
         "all enabled actions",
         [](Repl& r, const std::string&) { r.actions(SIZE_MAX); }},
        {{"s", "state"},
         "s [NODE]",
         "the state, or that of one node",
         [](Repl& r, const std::string& word) { r.state(word); }},
        {{"d", "diff"},
         "d",
         "what the last step changed",
         [](Repl& r, const std::string&) { r.diff(); }},
        {{"p", "properties"},
         "p",
         "every property, here",
         [](Repl& r, const std::string&) { r.properties(); }},
        {{"t", "trace"}, "t", "the run so far", [](Repl& r, const std::string&) { r.trace(); }},
        {{"g", "go"},
         "g RUN",
         "go to the end of a run: a short form or a trace file",
         [](Repl& r, const std::string& word) { r.go(word); }},
        {{"r", "random"},
         "r [N]",
         "N random steps, until a violation",
         [](Repl& r, const std::string& word) { r.random(word); }},
        {{"short"},
         "short",
         "the short form of the run so far",
         [](Repl& r, const std::string&) { r.say(short_form(r.walk_.trace()) + "\n"); }},
        {{"save"},
         "save FILE",
         "write the run so far as a trace",
         [](Repl& r, const std::string& word) { r.save(word); }},
        {{"h", "help", "?"}, "h", "this list", [](Repl& r, const std::string&) { r.help(); }},
        {{"q", "quit", "exit"}, "q", "leave", [](Repl& r, const std::string&) { r.quit_ = true; }},
    };
    return all;
  }

  void obey(const std::string& line) {
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin == line.npos) return;
    const size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
    const std::string name = line.substr(begin, end - begin);
    const size_t rest = line.find_first_not_of(" \t\r", end);
    std::string word = rest == line.npos ? "" : line.substr(rest);
    word.erase(word.find_last_not_of(" \t\r") + 1);
    if (name.find_first_not_of("0123456789") == name.npos) {
      take(name);
      return;
    }
    std::vector<std::string> names;
    for (const Verb& verb : verbs()) {
      if (!verb.run) continue;
      if (std::find(verb.names.begin(), verb.names.end(), name) != verb.names.end()) {
        verb.run(*this, word);
        return;
      }
      names.insert(names.end(), verb.names.begin(), verb.names.end());
    }
    say(fmt::format("There is no command '{}'{}; 'h' lists them.\n", one_line(name),
                    did_you_mean(name, names)));
  }

  void take(const std::string& text) {
    const Result<uint64_t> index = parse_number("action", text, 0, UINT32_MAX);
    if (!index) return complain(index.error());
    if (const Result<void> taken = walk_.take(static_cast<uint32_t>(*index)); !taken) {
      return complain(taken.error());
    }
    step_taken();
  }

  void back() {
    if (const Result<void> gone = walk_.back(); !gone) return complain(gone.error());
    overview();
  }

  void go(const std::string& word) {
    if (word.empty()) return say("Where to? A short form such as 0.2.1, or a trace file.\n");
    const Result<ShortForm> form = find_run("g", word, chosen_.explored());
    if (!form) return complain(form.error());
    const ShortForm before = walk_.way();
    if (const Result<void> gone = walk_.go(*form); !gone) {
      complain(gone.error());
      if (!walk_.go(before)) say("The way back is gone too: the subject is not deterministic.\n");
    }
    overview();
  }

  void random(const std::string& word) {
    const Result<uint64_t> count = parse_number("r", word.empty() ? "1" : word, 1, 1'000'000);
    if (!count) return complain(count.error());
    for (uint64_t i = 0; i < *count && !walk_.enabled().empty() && !is_violated(); ++i) {
      const auto index = static_cast<uint32_t>(rng_.below(walk_.enabled().size()));
      const std::string action = one_line(show(walk_.enabled()[index]));
      if (!walk_.take(index)) break;
      say(fmt::format("  {:>4}  {}\n", walk_.way().choices.size(), action));
    }
    overview();
  }

  void save(const std::string& path) {
    if (path.empty()) return say("Where to? save FILE\n");
    if (const Result<void> written = write_trace(recorded(), path); !written) {
      return complain(written.error());
    }
    say(fmt::format("Written to {}; run it again with: {} replay {}\n", one_line(path),
                    shell_word(program_.path), shell_word(path)));
  }

  void trace() {
    TextOptions options;
    options.colour = colour_;
    say(to_text(recorded(), options));
  }

  Trace recorded() const {
    Trace trace = walk_.trace();
    trace.scenario = chosen_.scenario;
    return trace;
  }

  // --- What is to be seen ------------------------------------------------------------------------

  void step_taken() {
    diff();
    overview();
  }

  void overview() {
    for (const Snapshot::Part& part : walk_.state().parts) {
      if (part.node >= 0 || walk_.state().parts.size() == 1) show_part(part, true);
    }
    announce();
    if (!walk_.failure().empty()) return;
    if (!walk_.trouble().empty()) return;  // announced
    if (!walk_.within()) say("(outside of the declared constraint: a check stops here)\n");
    if (walk_.enabled().empty()) return say("No action is enabled: the run ends here.\n");
    if (walk_.terminal()) say("Terminal: only faults are enabled.\n");
    actions(kMostActions);
  }

  void actions(size_t most) {
    const std::vector<Action>& enabled = walk_.enabled();
    for (size_t i = 0; i < enabled.size() && i < most; ++i) {
      say(fmt::format("  {:>4}  {}\n", i, cut_to(one_line(show(enabled[i])), kWidth)));
    }
    if (enabled.size() > most) {
      say(fmt::format("        … and {} more; 'e' lists all\n", enabled.size() - most));
    }
  }

  void show_part(const Snapshot::Part& part, bool cut) {
    const std::string name = one_line(part.name) + (part.up ? ": " : " (down): ");
    if (cut) {
      say(cut_to(name + one_line(value::show(part.tree)), kWidth) + "\n");
      return;
    }
    std::string text;
    show_tree(part.tree, columns_of(name), text);
    say(name + text);
  }

  void state(const std::string& word) {
    bool found = false;
    for (const Snapshot::Part& part : walk_.state().parts) {
      if (!word.empty() && word != std::to_string(part.node) && word != part.name) continue;
      show_part(part, false);
      found = true;
    }
    if (!found) say(fmt::format("There is no part '{}' of the state.\n", one_line(word)));
  }

  void diff() {
    if (!walk_.before()) return say("Nothing was changed yet.\n");
    size_t changes = 0;
    for (const Snapshot::Part& part : walk_.state().parts) {
      const auto old =
          std::find_if(walk_.before()->parts.begin(), walk_.before()->parts.end(),
                       [&](const Snapshot::Part& other) { return other.name == part.name; });
      if (old == walk_.before()->parts.end()) continue;
      if (old->up != part.up) {
        say(fmt::format("  {}: is {}\n", one_line(part.name), part.up ? "up again" : "down"));
        ++changes;
      }
      if (part.node < 0 && part.tree.kind == value::Tree::Kind::kList) {
        changes += bag_diff(part.name, old->tree, part.tree);
        continue;
      }
      for (const value::Change& change : value::diff(old->tree, part.tree)) {
        if (change.path == "(up)") continue;  // said above
        say(cut_to(fmt::format("  {}: {}{}{} → {}", one_line(part.name), one_line(change.path),
                               change.path.empty() ? "" : ": ", one_line(change.before),
                               one_line(change.after)),
                   kWidth * 2) +
            "\n");
        ++changes;
      }
    }
    if (changes == 0) say("  (the state is as before)\n");
  }

  // What came and went in a list whose order means nothing: messages in flight.
  size_t bag_diff(const std::string& name, const value::Tree& before, const value::Tree& after) {
    std::map<std::string, int> counts;
    for (const value::Tree& item : before.items) --counts[value::show(item)];
    for (const value::Tree& item : after.items) ++counts[value::show(item)];
    size_t changes = 0;
    for (const auto& [item, count] : counts) {
      if (count == 0) continue;
      const std::string times =
          std::abs(count) == 1 ? "" : fmt::format(" ({} times)", std::abs(count));
      say(cut_to(fmt::format("  {}: {} {}{}", one_line(name), count > 0 ? "+" : "−", one_line(item),
                             times),
                 kWidth * 2) +
          "\n");
      ++changes;
    }
    return changes;
  }

  bool is_violated() const {
    return std::any_of(walk_.verdicts().begin(), walk_.verdicts().end(),
                       [](const explore::Walk::Verdict& verdict) { return verdict.violated; });
  }

  void announce() {
    if (!walk_.trouble().empty()) {
      say(colour_ ? "\x1b[1;31m✗ error: what comes next cannot be said\x1b[0m\n"
                  : "✗ error: what comes next cannot be said\n");
      say("  " + one_line(walk_.trouble()) + "\n");
    }
    for (const explore::Walk::Verdict& verdict : walk_.verdicts()) {
      if (!verdict.violated) continue;
      const std::string line = fmt::format("✗ violated: {} ({})", one_line(verdict.property.name),
                                           report::kind_words(verdict.property));
      say(colour_ ? fmt::format("\x1b[1;31m{}\x1b[0m\n", line) : line + "\n");
      if (!verdict.outcome.why().empty()) say("  " + one_line(verdict.outcome.why()) + "\n");
    }
  }

  void properties() {
    for (const explore::Walk::Verdict& verdict : walk_.verdicts()) {
      const PropertyKind kind = verdict.property.kind;
      const bool waits = kind == PropertyKind::kEventually && !walk_.terminal();
      const char* here = verdict.violated ? "✗ violated here"
                         : kind == PropertyKind::kSometimes
                             ? verdict.reached ? "✓ true here" : "- not true here"
                         : waits ? "- judged when the run ends"
                                 : "✓ holds here";
      say(fmt::format("  {:<28}{} {}\n", here, to_string(kind), one_line(verdict.property.name)));
    }
  }

  void help() {
    for (const Verb& verb : verbs()) say(fmt::format("  {:<12}{}\n", verb.form, verb.what));
  }

  void complain(const Error& error) { say(one_line(error.message) + "\n"); }
  void say(const std::string& text) { text_ += text; }
  Result<void> flush() {
    const std::string text = std::exchange(text_, "");
    return print(text, colour_ ? Ink::kColours : Ink::kPlain);
  }

  const Program& program_;
  const Chosen& chosen_;
  explore::Walk walk_;
  Rng rng_;
  bool colour_;
  bool echo_;
  bool quit_ = false;
  std::string text_;
};

}  // namespace

int run_explore(const Program& program, const Words& words) {
  const auto fail = [&](const std::string& message) {
    return trouble(program, "explore", message);
  };
  const Result<const Subject*> named = subject_in(program, "explore", words);
  if (!named) return fail(named.error().message);
  const Subject* const subject = *named;
  const std::vector<OptionSpec> extra =
      subject == nullptr ? std::vector<OptionSpec>() : parameter_options(*subject);
  const Parsing parsing = parse(program, "explore", words, extra, subject);
  if (parsing.exit >= 0) return parsing.exit;
  const Parsed& parsed = parsing.parsed;
  if (subject == nullptr) return fail(which_subject(program));
  Result<Chosen> chosen = choose(program.suite, address_in(*subject, parsed));
  if (!chosen) return fail(chosen.error().message);
  const Result<uint64_t> seed = parse_number("--seed", parsed.get("seed", "0"), 0, UINT64_MAX);
  if (!seed) return fail(seed.error().message);
  ShortForm start;
  if (parsed.has("start")) {
    const Result<ShortForm> form = find_run("--start", parsed.get("start"), chosen->explored());
    if (!form) return fail(form.error().message);
    start = *form;
  }
  Repl repl(program, *chosen, *seed, use_colour(parsed.get("colour", "auto"), false),
            isatty(STDIN_FILENO) == 0);
  if (const Result<void> started = repl.start(start); !started) {
    return fail("--start: " + started.error().message);
  }
  LineReader in(STDIN_FILENO);
  const Result<void> done = repl.run(in);
  return done ? kExitHolds : fail(done.error().message);
}

}  // namespace ordeal::cli
