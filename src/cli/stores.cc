#include "cli/stores.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "base/program.h"
#include "base/text.h"
#include "cli/version.h"

namespace ordeal::cli {
namespace {

std::string now_in_words() {
  using Clock = std::chrono::system_clock;
  const std::time_t now = Clock::to_time_t(Clock::now());
  std::tm parts = {};
  gmtime_r(&now, &parts);
  char text[32];
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts));
}

}  // namespace

std::string store_path(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored) ? path + "/" + kStoreFile : path;
}

experiment::NewExperiment new_experiment(const std::string& name, const std::string& definition) {
  return {name, definition,
          fmt::format("{} (build {})", kVersion, program_identity().substr(0, 12)), now_in_words()};
}

Result<std::string> other_settings_words(const experiment::ResultsStore& store,
                                         const experiment::NewExperiment& about) {
  const auto same = store.find(about.name, about.definition);
  if (!same) return same.error();
  if (*same) return std::string();
  const auto named = store.experiments({.name = about.name});
  if (!named) return named.error();
  if (named->empty()) return std::string();
  return fmt::format(
      "{} has {} with other settings, and none with these: nothing to go on with, all trials are "
      "made\n",
      one_line(store.path()), one_line(about.name));
}

std::string kept_words(uint64_t done, uint64_t all, const experiment::ResultsStore& store) {
  return fmt::format("{} of {} are in {}; go on with --resume\n", grouped(done),
                     counted(all, "trial"), one_line(store.path()));
}

}  // namespace ordeal::cli
