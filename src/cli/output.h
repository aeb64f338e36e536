// Where a command's results go: standard output, and files that are tested before the work and
// written after it.
#pragma once

#include <functional>
#include <string>

#include "cli/options.h"
#include "ordeal/report.h"
#include "ordeal/result.h"

namespace ordeal::cli {

// What a text is, and so what of it reaches a terminal.
enum class Ink : uint8_t {
  kPlain,    // words for people: line breaks, and nothing else that a terminal would obey
  kColours,  // … and colours
  kDocument  // escaped by the rules of its own format (JSON, SVG, C++, …): as it is
};

// Prints to standard output and flushes. An Error where that fails (a full disk, say). Whoever has
// closed the other end of a pipe wants no more, which is no error.
Result<void> print(const std::string& text, Ink ink = Ink::kPlain);
void print_error(const std::string& text, Ink ink = Ink::kPlain);  // standard error
// In the place of the line in which the cursor stands. For terminals.
Result<void> print_over(const std::string& text, Ink ink = Ink::kPlain);
void print_error_over(const std::string& text);
// Nobody reads standard output any more.
bool output_is_closed();

// `mode`: auto, always, never. Auto heeds NO_COLOR and TERM=dumb.
bool use_colour(const std::string& mode, bool to_standard_error);

// What a command has to tell, in every form.
struct Results {
  const Trace* trace = nullptr;  // for --trace; null: there is none
  std::function<std::string()> json;
  std::function<std::string()> junit;
  std::function<std::string(const TextOptions&)> text;
  std::function<std::string(const TextOptions&)> html;
};
// Of a check: the trace is that of the first violation. REQUIRES: the report outlives it.
Results results_of(const Report& report);

class Outputs {
 public:
  // An Error if two results would go to standard output, or two to one file.
  static Result<Outputs> from(const Parsed& parsed);

  // Whether every file could be written, asked before the work begins.
  Result<void> check() const;

  // Writes the files, then prints. All are tried; the Error tells every one that failed.
  Result<void> write(const Results& results, TextOptions text) const;

  bool standard_output_taken() const { return json_ == "-" || junit_ == "-"; }
  bool quiet() const { return quiet_; }
  const std::string& trace() const { return trace_; }
  // Whether there will be a page, which shows states as well.
  bool wants_states() const { return !html_.empty(); }

 private:
  std::string trace_;
  std::string json_;
  std::string junit_;
  std::string html_;
  std::string colour_;
  bool quiet_ = false;
};

}  // namespace ordeal::cli
