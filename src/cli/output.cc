#include "cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <system_error>

#include "base/file.h"
#include "base/text.h"

namespace ordeal::cli {

namespace {

constexpr const char* kClearLine = "\r\x1b[K";

bool is_closed = false;

std::string prepared(const std::string& text, Ink ink) {
  return ink == Ink::kDocument ? text : for_terminal(text, ink == Ink::kColours);
}

Result<void> put(const std::string& text) {
  if (is_closed) return {};
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return {};
  is_closed = errno == EPIPE;
  if (is_closed) return {};
  return Error{
      fmt::format("cannot write to standard output: {}", std::generic_category().message(errno))};
}

void put_error(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

Result<void> print(const std::string& text, Ink ink) { return put(prepared(text, ink)); }
Result<void> print_over(const std::string& text, Ink ink) {
  return put(kClearLine + prepared(text, ink));
}
void print_error(const std::string& text, Ink ink) { put_error(prepared(text, ink)); }
void print_error_over(const std::string& text) {
  put_error(kClearLine + prepared(text, Ink::kPlain));
}
bool output_is_closed() { return is_closed; }

bool use_colour(const std::string& mode, bool to_standard_error) {
  if (mode == "always") return true;
  if (mode == "never") return false;
  const char* no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  const char* terminal = std::getenv("TERM");
  if (terminal == nullptr || std::string(terminal) == "dumb") return false;
  return isatty(to_standard_error ? STDERR_FILENO : STDOUT_FILENO) != 0;
}

Results results_of(const Report& report) {
  Results results;
  results.json = [&report] { return to_json(report); };
  results.junit = [&report] { return to_junit(report); };
  const auto at = std::find_if(report.violations.begin(), report.violations.end(),
                               [](const Violation& v) { return v.trace.has_value(); });
  if (at != report.violations.end()) results.trace = &*at->trace;
  results.text = [&report](const TextOptions& options) { return to_text(report, options); };
  results.html = [&report](const TextOptions& options) { return to_html(report, options); };
  return results;
}

Result<Outputs> Outputs::from(const Parsed& parsed) {
  Outputs outputs;
  outputs.trace_ = parsed.get("trace");
  outputs.json_ = parsed.get("json");
  outputs.junit_ = parsed.get("junit");
  outputs.html_ = parsed.get("html");
  outputs.colour_ = parsed.get("colour", "auto");
  outputs.quiet_ = parsed.has("quiet");
  std::map<std::string, std::string> taken;
  for (const char* name : {"trace", "json", "junit", "html"}) {
    if (!parsed.has(name)) continue;
    const std::string path = parsed.get(name);
    if (path.empty()) return Error{fmt::format("--{} needs a path", name)};
    if (path == "-" && (std::string(name) == "trace" || std::string(name) == "html")) {
      return Error{
          fmt::format("--{} needs a file; only --json and --junit go to standard output "
                      "('-')",
                      name)};
    }
    if (const auto [other, is_new] = taken.emplace(path, name); !is_new) {
      return Error{fmt::format("--{} and --{} would both write to {}", other->second, name,
                               path == "-" ? "standard output" : path)};
    }
  }
  return outputs;
}

Result<void> Outputs::check() const {
  for (const std::string* path : {&trace_, &json_, &junit_, &html_}) {
    if (path->empty() || *path == "-") continue;
    if (const Result<void> writable = check_writable(*path); !writable) return writable;
  }
  return {};
}

Result<void> Outputs::write(const Results& results, TextOptions text) const {
  std::string failures;
  const auto note = [&](const Result<void>& result) {
    if (!result) failures += (failures.empty() ? "" : "; ") + result.error().message;
    return result.ok();
  };
  const bool has_trace = results.trace != nullptr;
  if (!trace_.empty() && has_trace && note(write_trace(without_states(*results.trace), trace_))) {
    text.trace_path = trace_;
  }
  const auto put = [&](const std::string& path, const std::string& content) {
    if (path == "-") note(print(content, Ink::kDocument));
    if (!path.empty() && path != "-") note(write_file_atomically(path, content));
  };
  if (!json_.empty()) put(json_, results.json());
  if (!junit_.empty()) put(junit_, results.junit());
  if (!html_.empty()) put(html_, results.html(text));
  if (!quiet_) {
    text.colour = use_colour(colour_, standard_output_taken());
    std::string content = results.text(text);
    if (!trace_.empty() && !has_trace) {
      content += fmt::format("  there is no run to show, so no trace was written to {}\n",
                             one_line(trace_));
    }
    const Ink ink = text.colour ? Ink::kColours : Ink::kPlain;
    if (standard_output_taken()) {
      print_error(content, ink);
    } else {
      note(print(content, ink));
    }
  }
  if (!failures.empty()) return Error{failures};
  return {};
}

}  // namespace ordeal::cli
