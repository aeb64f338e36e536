// ordeal conform: whether what an implementation has logged are steps of a system.
#include <fmt/format.h>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/conform_output.h"
#include "cli/subject.h"
#include "conform/system_log.h"

namespace ordeal::cli {
namespace {

Result<conform::SystemLogOptions> system_log_options(const Parsed& parsed) {
  conform::SystemLogOptions out;
  out.as_declared = parsed.has("as-declared");
  std::string names = parsed.get("hidden");
  while (!names.empty()) {
    const size_t comma = std::min(names.find(','), names.size());
    const std::string name = names.substr(0, comma);
    names.erase(0, comma + 1);
    if (kind_named(name) == ActionKind::kDescribed) {
      return Error{fmt::format("--hidden {}: that is no kind of step{}; there are {}",
                               one_line(name), did_you_mean(name, kind_names()),
                               enumeration(kind_names()))};
    }
    out.hidden.push_back(kind_named(name));
  }
  const Result<uint64_t> most = parse_number("--max-hidden", parsed.get("max-hidden", "1"), 1, 20);
  if (!most) return most.error();
  out.most_hidden = static_cast<uint32_t>(*most);
  return out;
}

}  // namespace

int run_conform(const Program& program, const Words& words) {
  const std::string name = "conform";
  const auto fail = [&](const std::string& message) { return trouble(program, name, message); };
  const Result<const Subject*> named = subject_in(program, name, words);
  if (!named) return fail(named.error().message);
  const Subject* const subject = *named;
  const std::vector<OptionSpec> extra =
      subject == nullptr ? std::vector<OptionSpec>() : parameter_options(*subject);
  const Parsing parsing = parse(program, name, words, extra, subject);
  if (parsing.exit >= 0) return parsing.exit;
  const Parsed& parsed = parsing.parsed;
  if (subject == nullptr) return fail(which_subject(program));
  if (parsed.words.empty() || (parsed.words.size() == 1 && parsed.words[0] == subject->name)) {
    return fail("name the log, too: a file with one JSON object in each line, or '-'");
  }
  Result<conform::SystemLogOptions> options = system_log_options(parsed);
  if (!options) return fail(options.error().message);
  const Result<Chosen> chosen = choose(program.suite, address_in(*subject, parsed));
  if (!chosen) return fail(chosen.error().message);
  options->name = chosen->command_words;
  return follow_log(program, name, parsed, parsed.words.back(),
                    [&](std::istream& log, const conform::ConformOptions& how) {
                      return conform::follow_system_log(*chosen->checkable, log, *options, how);
                    });
}

}  // namespace ordeal::cli
