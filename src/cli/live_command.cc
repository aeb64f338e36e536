#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/line_reader.h"
#include "cli/live_script.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "cli/subject.h"
#include "ordeal/live.h"
#include "trace/event_log.h"

namespace ordeal::cli {
namespace {

constexpr size_t kLiveWidth = 110;
constexpr double kAlone = 10;  // seconds, where nobody sits at a terminal
constexpr double kTick = 0.02;

// Stops the run when its time is up, whatever its terminal waits for: a line that does not come, a
// reader of its output who sleeps.
class Alarm {
 public:
  Alarm(LiveRun& run, double seconds) {
    if (seconds <= 0) return;
    thread_ = std::jthread([&run, seconds](const std::stop_token& stop) {
      std::mutex mutex;
      std::condition_variable_any never;
      std::unique_lock lock(mutex);
      never.wait_for(lock, stop, std::chrono::duration<double>(seconds), [] { return false; });
      if (!stop.stop_requested()) run.stop("the time is up");
    });
  }

 private:
  std::jthread thread_;
};

// One line, cut where it is too long; between which nodes it happens stays.
std::string line_of(size_t number, const Action& action) {
  const std::string line = fmt::format("  {:>4}  {}", number, one_line(show(action)));
  if (columns_of(line) <= kLiveWidth || action.node < 0) return cut_to(line, kLiveWidth);
  const std::string place = action.from >= 0 ? fmt::format(" {}→{}", action.from, action.node)
                                             : fmt::format(" at {}", action.node);
  return cut_to(line, kLiveWidth - columns_of(place)) + place;
}

// Drives one run: shows what happens, gives it the commands, says when it is over.
class Terminal {
 public:
  Terminal(LiveRun& run, std::vector<ScriptLine> script, std::string script_path, bool quiet,
           bool colour, const std::atomic<bool>& interrupted)
      : run_(run),
        script_(std::move(script)),
        script_path_(std::move(script_path)),
        quiet_(quiet),
        colour_(colour),
        prompt_(!quiet && is_typed() && isatty(STDOUT_FILENO) != 0),
        interrupted_(interrupted) {}

  // Somebody sits there.
  static bool is_typed() { return isatty(STDIN_FILENO) != 0; }

  // Until the run is over. An Error: a line of the script made no sense, or output is gone.
  Result<void> follow() {
    if (prompt_) {
      say("'help' lists the commands, an empty line holds what scrolls by, 'stop' ends the run\n");
    }
    while (!over_) {
      if (auto obeyed = obey_script(); !obeyed) return obeyed;
      obey_lines();
      if (is_alone() && run_.status().quiet) run_.stop("nothing can happen by itself any more");
      if (interrupted_ || (is_typed() && input_.over())) run_.stop();
      if (output_is_closed()) run_.stop("nobody reads its output any more");
      show_news();
      if (auto printed = flush(); !printed) return printed;
    }
    return {};
  }

 private:
  // Nobody will say anything any more.
  bool is_alone() const { return !is_typed() && input_.over() && next_ == script_.size(); }

  Result<void> obey_script() {
    const double now = run_.status().seconds;
    for (; next_ < script_.size() && script_[next_].seconds <= now; ++next_) {
      const ScriptLine& line = script_[next_];
      const Result<std::string> said = run_.command(line.command);
      if (!said) {
        // A run that is over hears no more, and that is not the script's fault.
        if (!run_.status().running) continue;
        return Error{fmt::format("{}:{}: {}", script_path_, line.line, said.error().message)};
      }
      say(fmt::format("at {:g} s: {}\n", line.seconds, *said));
    }
    return {};
  }

  // Those that are there; but there may be no end of them.
  void obey_lines() {
    constexpr int kMost = 100;
    for (int i = 0; i < kMost; ++i) {
      const auto line = input_.next(0);
      if (!line) return;
      if (line->too_long) {
        say(refusal_of(*line) + "\n");
      } else {
        obey(line->text);
      }
    }
  }

  void obey(const std::string& line) {
    const bool empty = line.find_first_not_of(" \t\r") == line.npos;
    held_ = empty && !held_;
    if (empty) return;
    const Result<std::string> said = run_.command(line);
    say((said ? *said : one_line(said.error().message)) + "\n");
  }

  void show_news() {
    if (held_) {
      over_ = run_.poll(SIZE_MAX, SIZE_MAX, kTick).over;
      if (!over_) return;
    }
    const LiveNews news = run_.poll(steps_, notes_, kTick);
    for (const TraceStep& step : news.steps) {
      say(line_of(++steps_, step.detail.action) + "\n");
    }
    for (const std::string& note : news.notes) say(coloured(note) + "\n");
    notes_ += news.notes.size();
    over_ = news.over;
  }

  std::string coloured(const std::string& note) const {
    return colour_ && note.starts_with("✗") ? "\x1b[1;31m" + note + "\x1b[0m" : note;
  }

  void say(const std::string& text) {
    if (!quiet_) text_ += text;
  }
  Result<void> flush() {
    if (text_.empty()) return {};
    const std::string text = std::exchange(text_, "");
    const Ink ink = colour_ ? Ink::kColours : Ink::kPlain;
    return prompt_ ? print_over(text + (over_ ? "" : "> "), ink) : print(text, ink);
  }

  LiveRun& run_;
  LineReader input_{STDIN_FILENO};
  const std::vector<ScriptLine> script_;
  const std::string script_path_;
  size_t next_ = 0;  // line of the script
  const bool quiet_;
  const bool colour_;
  const bool prompt_;
  const std::atomic<bool>& interrupted_;
  size_t steps_ = 0;
  size_t notes_ = 0;
  bool held_ = false;
  bool over_ = false;
  std::string text_;
};

Result<double> parse_ms(const std::string& name, const std::string& text, double least) {
  constexpr double kMost = 1e6;
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end && value >= least && value <= kMost) return value;
  return Error{fmt::format("{} {}: give milliseconds from {:g} to {:g}", name, one_line(text),
                           least, kMost)};
}

Result<LiveOptions> live_options(const Parsed& parsed) {
  constexpr double kLeastUnit = 0.1;
  LiveOptions options;
  if (parsed.has("unit")) {
    const Result<double> unit = parse_ms("--unit", parsed.get("unit"), kLeastUnit);
    if (!unit) return unit.error();
    options.unit_ms = *unit;
  }
  if (parsed.has("grace")) {
    const Result<double> grace = parse_ms("--grace", parsed.get("grace"), 0);
    if (!grace) return grace.error();
    options.grace_ms = *grace;
  }
  if (parsed.has("latency")) {
    const std::string text = parsed.get("latency");
    const size_t dots = text.find("..");
    const Result<double> low = parse_ms("--latency", text.substr(0, dots), 0);
    if (!low) return low.error();
    const Result<double> high =
        dots == text.npos ? low : parse_ms("--latency", text.substr(dots + 2), 0);
    if (!high) return high.error();
    if (*high < *low) {
      return Error{
          fmt::format("--latency {}: give the lower bound first, as in 20..60", one_line(text))};
    }
    options.latency_low_ms = *low;
    options.latency_high_ms = *high;
  }
  if (parsed.has("seed")) {
    const Result<uint64_t> seed = parse_number("--seed", parsed.get("seed"), 0, UINT64_MAX);
    if (!seed) return seed.error();
    options.seed = *seed;
  }
  if (parsed.has("max-steps")) {
    const Result<uint64_t> most =
        parse_number("--max-steps", parsed.get("max-steps"), 1, 10'000'000);
    if (!most) return most.error();
    options.max_steps = static_cast<uint32_t>(*most);
  }
  options.hold_requests = parsed.has("hold-requests");
  options.keep_going = parsed.has("keep-going");
  return options;
}

Result<std::vector<ScriptLine>> script_of(const Parsed& parsed) {
  if (!parsed.has("script")) return std::vector<ScriptLine>();
  const std::string path = parsed.get("script");
  const Result<std::string> text = read_file(path, kLongestScript);
  if (!text) return text.error();
  return parse_live_script(*text, path);
}

// `wanted`: the recording was to be written; if it could not be, an error says so.
std::string summary_of(const LiveStatus& status, bool wanted, const TextOptions& text) {
  std::string out = fmt::format("{}: {}\n", counted(status.steps, "step"), one_line(status.why));
  for (const LiveStatus::Verdict& verdict : status.verdicts) {
    // The reason for the end tells the one that ended it.
    if (verdict.violated && status.why.find(verdict.property) == std::string::npos) {
      out += fmt::format("  violated    {} (step {})\n", one_line(verdict.property), verdict.step);
    }
  }
  if (!text.trace_path.empty()) {
    const std::string path = shell_word(text.trace_path);
    out += fmt::format("  replay      {} replay {}\n", text.program, path);
  } else if (!wanted) {
    out += "  keep it     --trace FILE writes the recording, for replay\n";
  }
  return out;
}

}  // namespace

int run_live(const Program& program, const Words& words) {
  const auto fail = [&](const std::string& message) { return trouble(program, "live", message); };
  const Result<const Subject*> named = subject_in(program, "live", words);
  if (!named) return fail(named.error().message);
  const Subject* const subject = *named;
  const std::vector<OptionSpec> extra =
      subject == nullptr ? std::vector<OptionSpec>() : parameter_options(*subject);
  const Parsing parsing = parse(program, "live", words, extra, subject);
  if (parsing.exit >= 0) return parsing.exit;
  const Parsed& parsed = parsing.parsed;
  if (subject == nullptr) return fail(which_subject(program));
  Result<LiveOptions> options = live_options(parsed);
  if (!options) return fail(options.error().message);
  double seconds = 0;
  if (parsed.has("seconds")) {
    const Result<double> given = parse_seconds("--seconds", parsed.get("seconds"));
    if (!given) return fail(given.error().message);
    seconds = *given;
  }
  Result<std::vector<ScriptLine>> script = script_of(parsed);
  if (!script) return fail(script.error().message);
  const Result<Outputs> outputs = Outputs::from(parsed);
  if (!outputs) return fail(outputs.error().message);
  const Result<Chosen> chosen = choose(program.suite, address_in(*subject, parsed));
  if (!chosen) return fail(chosen.error().message);
  if (const auto writable = outputs->check(); !writable) return fail(writable.error().message);
  const std::string log = parsed.get("log");
  if (parsed.has("log")) {
    if (log.empty()) return fail("--log needs a path");
    if (log != "-") {
      if (const auto writable = check_writable(log); !writable) {
        return fail(writable.error().message);
      }
    }
  }

  chosen->label(*options);
  const StopOnSignal signals;
  Result<std::unique_ptr<LiveRun>> run = LiveRun::start(*chosen->checkable, *options);
  if (!run) return fail(run.error().message);
  Terminal terminal(**run, *std::move(script), parsed.get("script"), outputs->quiet(),
                    use_colour(parsed.get("colour", "auto"), false), signals.flag());
  if (seconds == 0 && !Terminal::is_typed()) seconds = kAlone;
  std::optional<Alarm> alarm(std::in_place, **run, seconds);
  const Result<void> followed = terminal.follow();
  alarm.reset();
  (*run)->stop();
  // What was recorded is kept, whatever else went wrong.
  const Trace trace = (*run)->trace();
  const LiveStatus status = (*run)->status();
  Results results;
  results.trace = &trace;
  results.text = [&](const TextOptions& text) {
    return summary_of(status, !outputs->trace().empty(), text);
  };
  results.html = [&](const TextOptions& text) { return to_html(trace, text); };
  TextOptions text;
  text.program = shell_word(program.path);
  text.subject = chosen->command_words;
  Result<void> written = outputs->write(results, text);
  if (!log.empty() && written) {
    const Result<std::string> lines = trace::to_event_log(trace);
    if (!lines) return fail(lines.error().message);
    written = log == "-" ? print(*lines, Ink::kDocument) : write_file_atomically(log, *lines);
  }
  if (!followed) return fail(followed.error().message);
  if (!written) return fail(written.error().message);
  const bool violated =
      std::any_of(status.verdicts.begin(), status.verdicts.end(),
                  [](const LiveStatus::Verdict& verdict) { return verdict.violated; });
  return violated ? kExitViolated : kExitHolds;
}

}  // namespace ordeal::cli
