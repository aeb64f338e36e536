#include "cli/tla_subject.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/text.h"
#include "cli/output.h"
#include "cli/subject.h"
#include "suite/specifications.h"

namespace ordeal::cli {

Result<const Subject*> specification_named(const std::string& name) {
  std::error_code ignored;
  const std::string path =
      names_specification(name) || std::filesystem::is_regular_file(name, ignored) ? name
                                                                                   : name + ".tla";
  if (names_specification(path)) return specification_subject(path);
  return Error{
      fmt::format("{} is no specification: its name does not end in .tla", one_line(name))};
}

Result<std::shared_ptr<tla::Specification>> specification_in(const Program& program,
                                                             const Parsed& parsed) {
  const Result<const Subject*> subject = specification_named(parsed.words[0]);
  if (!subject) return subject.error();
  const Result<Arguments> arguments =
      program.suite.arguments(**subject, given_parameters(**subject, parsed), "");
  if (!arguments) return arguments.error();
  return load_specification((*subject)->name, *arguments);
}

int complain(const Program& program, const std::string& command, const Error& error) {
  print_error(fmt::format("{} {}: {}\n", program.name, command, error.message));
  return kExitTrouble;
}

}  // namespace ordeal::cli
