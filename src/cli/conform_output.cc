#include "cli/conform_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <streambuf>
#include <system_error>
#include <vector>

#include "base/file.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/signals.h"

namespace ordeal::cli {
namespace {

constexpr double kPlainProgress = 5;  // seconds

// A descriptor that is read until its end, or until somebody wants to stop: a pipe may be silent
// for ever.
class LogInput final : public std::streambuf {
 public:
  LogInput(int descriptor, const std::atomic<bool>& stop)
      : descriptor_(descriptor), stop_(stop), buffer_(size_t{1} << 18) {}
  int trouble() const { return trouble_; }  // why it could not be read to its end; 0: it could

 protected:
  int_type underflow() override {
    constexpr int kWait = 50;  // milliseconds
    while (!stop_) {
      pollfd ready{descriptor_, POLLIN, 0};
      const int count = ::poll(&ready, 1, kWait);
      if (count == 0 || (count < 0 && errno == EINTR)) continue;
      const ssize_t bytes = ::read(descriptor_, buffer_.data(), buffer_.size());
      if (bytes < 0 && errno == EINTR) continue;
      if (bytes < 0) trouble_ = errno;
      if (bytes <= 0) return traits_type::eof();
      setg(buffer_.data(), buffer_.data(), buffer_.data() + bytes);
      return traits_type::to_int_type(*gptr());
    }
    return traits_type::eof();
  }

 private:
  const int descriptor_;
  const std::atomic<bool>& stop_;
  std::vector<char> buffer_;
  int trouble_ = 0;
};

struct Descriptor {
  ~Descriptor() {
    if (number > STDERR_FILENO) ::close(number);
  }
  int number = STDIN_FILENO;
};

int tell(const Program& program, const std::string& command, const Parsed& parsed,
         const std::string& path, const conform::Conformance& found) {
  const std::string json = parsed.get("json");
  if (!json.empty()) {
    const Result<void> done = json == "-" ? print(conform::to_json(found), Ink::kDocument)
                                          : write_file_atomically(json, conform::to_json(found));
    if (!done) return trouble(program, command, done.error().message);
  }
  if (!parsed.has("quiet") && json != "-") {
    const Result<void> done = print(conform::to_text(found, path == "-" ? "the log" : path));
    if (!done) return trouble(program, command, done.error().message);
  }
  if (!found.conforms) return kExitUndecided;
  return *found.conforms ? kExitHolds : kExitViolated;
}

}  // namespace

std::vector<OptionSpec> conform_options() {
  return {{"max-frontier", "N",
           "keep no more than N states that the model could be in (default 10,000); where there "
           "were more, a departure is undecided"},
          {"nearest", "N", "of what the model would have allowed, tell the nearest N (default 5)"},
          {"json", "FILE", "write the result as JSON; '-' is standard output"},
          {"quiet", "", "print nothing; the exit code tells the result"},
          {"progress",
           "WHEN",
           "progress on standard error: auto, always or never",
           {"auto", "always", "never"}}};
}

int follow_log(const Program& program, const std::string& command, const Parsed& parsed,
               const std::string& path, const FollowLog& follow) {
  const auto fail = [&](const std::string& message) { return trouble(program, command, message); };
  conform::ConformOptions options;
  const Result<uint64_t> most =
      parse_number("--max-frontier",
                   parsed.get("max-frontier", std::to_string(options.max_frontier)), 1, 10'000'000);
  if (!most) return fail(most.error().message);
  options.max_frontier = *most;
  const Result<uint64_t> nearest =
      parse_number("--nearest", parsed.get("nearest", std::to_string(options.nearest)), 0, 1000);
  if (!nearest) return fail(nearest.error().message);
  options.nearest = static_cast<size_t>(*nearest);
  if (const std::string json = parsed.get("json"); parsed.has("json") && json != "-") {
    if (json.empty()) return fail("--json needs a path");
    if (const auto writable = check_writable(json); !writable) {
      return fail(writable.error().message);
    }
  }
  Descriptor from;
  if (path != "-") {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
      return fail(fmt::format("{} is a folder; name a log with one JSON object in each line",
                              one_line(path)));
    }
    from.number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (from.number < 0) {
      return fail(fmt::format("cannot read {}: {}", one_line(path),
                              std::generic_category().message(errno)));
    }
  }
  const StopOnSignal signals;
  options.stop = &signals.flag();
  const Result<conform::Conformance> found = [&]() -> Result<conform::Conformance> {
    ProgressPrinter progress(ProgressPrinter::mode_for(parsed.get("progress", "auto")),
                             kPlainProgress);
    options.progress = [&](const conform::LogProgress& now) {
      progress(now.seconds, conform::progress_line(now));
    };
    LogInput input(from.number, signals.flag());
    std::istream log(&input);
    Result<conform::Conformance> out = follow(log, options);
    if (input.trouble() == 0) return out;
    return Error{fmt::format("cannot read {}: {}", one_line(path),
                             std::generic_category().message(input.trouble()))};
  }();
  if (!found) {
    print_error(fmt::format("{} {}: {}\n", program.name, command, found.error().message));
    return kExitTrouble;
  }
  return tell(program, command, parsed, path, *found);
}

}  // namespace ordeal::cli
