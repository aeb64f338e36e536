// The option parser. One table per subcommand says what it takes; parsing, --help and suggestions
// all come from that table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "ordeal/result.h"

namespace ordeal::cli {

struct OptionSpec {
  std::string name;                     // "max-depth", given as --max-depth
  std::string value;                    // "N", "FILE"; empty: it takes none
  std::string what;                     // for --help
  std::vector<std::string> words = {};  // the values allowed; empty: any
  bool repeats = false;                 // may be given several times: a line for each
};

struct Example {
  std::string command;  // without the name of the program
  std::string what;
};

struct CommandSpec {
  std::string name;        // "check", "trace info"
  std::string arguments;   // "SUBJECT [--PARAMETER VALUE…]"
  std::string what;        // one line
  std::string text;        // a paragraph or two for --help
  size_t least_words = 0;  // how many words that are no options
  size_t most_words = 0;
  std::vector<OptionSpec> options;
  std::vector<Example> examples;
};

struct Parsed {
  std::vector<std::string> words;
  std::map<std::string, std::string> values;  // by option name; "" for options without value
  bool help = false;

  bool has(const std::string& name) const { return values.contains(name); }
  std::string get(const std::string& name, const std::string& fallback = "") const;
};

// `extra` are options beyond the table: the parameters of a subject.
Result<Parsed> parse_options(const CommandSpec& command, const std::vector<OptionSpec>& extra,
                             const std::vector<std::string>& arguments);

// Aligned lines "  --name VALUE   what", wrapped at 100 columns.
std::string option_lines(const std::vector<OptionSpec>& options);
std::string help_text(const CommandSpec& command, const std::string& program);

// Each names the option, what was given, and what is allowed. `name` with its dashes.
Result<double> parse_seconds(const std::string& name, const std::string& text);
Result<uint64_t> parse_bytes(const std::string& name, const std::string& text);  // "512M", "2G"

}  // namespace ordeal::cli
