// ordeal tla trace: whether what an implementation has logged is behaviour of a specification.
#include "base/file.h"
#include "cli/commands.h"
#include "cli/conform_output.h"
#include "cli/tla_subject.h"
#include "conform/tla_log.h"

namespace ordeal::cli {

int run_tla_trace(const Program& program, const Words& words) {
  const std::string name = "tla trace";
  const Parsing parsing = parse(program, name, words);
  if (parsing.exit >= 0) return parsing.exit;
  const Parsed& parsed = parsing.parsed;
  conform::TlaLogOptions options;
  if (parsed.has("mapper")) {
    options.mapper_path = parsed.get("mapper");
    constexpr uint64_t kLongest = uint64_t{1} << 20;
    Result<std::string> text = read_file(options.mapper_path, kLongest);
    if (!text) return trouble(program, name, text.error().message);
    options.mapper = *std::move(text);
  }
  auto specification = specification_in(program, parsed);
  if (!specification) return complain(program, name, specification.error());
  return follow_log(program, name, parsed, parsed.words[1],
                    [&](std::istream& log, const conform::ConformOptions& how) {
                      return conform::follow_tla_log(*specification, log, options, how);
                    });
}

}  // namespace ordeal::cli
