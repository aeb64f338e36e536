#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "cli/subject.h"
#include "cli/version.h"
#include "serve/http.h"
#include "serve/service.h"
#include "serve/walks.h"
#include "trace/import.h"

namespace ordeal::cli {
namespace {

constexpr const char* kPort = "7075";

// For the part of an address that follows the "#".
std::string encoded(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-_.~,").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// What the page is to show: traces, or a subject.
struct Shown {
  serve::Setup setup;
  std::optional<Chosen> chosen;

  // The deep link to it.
  std::string link(bool checked) const {
    if (!chosen) return "";
    std::string out = "#system=" + encoded(chosen->subject->name);
    for (const std::string& name : chosen->arguments.given_names) {
      out += fmt::format("&p.{}={}", encoded(name), encoded(chosen->arguments.values.at(name)));
    }
    if (!chosen->arguments.bug_name.empty()) out += "&bug=" + encoded(chosen->arguments.bug_name);
    if (!chosen->scenario.empty()) out += "&scenario=" + encoded(chosen->scenario);
    return out + (checked ? "&view=explore" : "");
  }
};

Result<Shown> read_files(const Suite& suite, const Words& files) {
  Shown shown;
  for (const std::string& file : files) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) {
      const Result<const Subject*> subject = find_subject(suite, file);
      return Error{fmt::format("{}: there is no such file, and {}", one_line(file),
                               subject.error().message)};
    }
    Result<Trace> trace = read_run(file);
    if (!trace) return trace.error();
    shown.setup.runs.emplace_back(std::filesystem::path(file).filename().string(),
                                  serve::with_states(suite, *std::move(trace)));
  }
  return shown;
}

Result<Shown> choose_shown(const Suite& suite, const Subject& subject, const Parsed& parsed) {
  if (parsed.words.size() > 1) return Error{"one subject, or any number of traces"};
  Result<Chosen> chosen = choose(suite, address_in(subject, parsed));
  if (!chosen) return chosen.error();
  Shown shown;
  shown.setup.title = chosen->command_words;
  shown.chosen = *std::move(chosen);
  return shown;
}

// An Error: a token that could be guessed, or that would not survive in an address.
Result<std::string> token_for(const std::string& host, const Parsed& parsed) {
  if (!parsed.has("token")) {
    return serve::is_loopback(host) ? Result<std::string>("") : serve::random_token();
  }
  std::string token = parsed.get("token");
  constexpr const char* kAllowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  if (token.size() < 16 || token.find_first_not_of(kAllowed) != token.npos) {
    return Error{"--token: give 16 or more of A-Z, a-z, 0-9, - and _"};
  }
  return token;
}

Result<void> start_check(const Chosen& chosen, const std::string& strategy,
                         serve::Service& service) {
  const serve::Json asked = {{"kind", "check"},
                             {"address",
                              {{"system", chosen.subject->name},
                               {"parameters", chosen.parameters},
                               {"scenario", chosen.scenario}}},
                             {"options", {{"strategy", strategy}}}};
  const Result<std::string> job = service.start_job(asked);
  if (!job) return job.error();
  return {};
}

}  // namespace

int run_serve(const Program& program, const Words& words) {
  const auto fail = [&](const std::string& message) { return trouble(program, "serve", message); };
  const std::string name = first_word(program, command("serve"), words);
  const Subject* subject = program.suite.find(name);
  const std::vector<OptionSpec> extra =
      subject == nullptr ? std::vector<OptionSpec>() : parameter_options(*subject);
  const Parsing parsing = parse(program, "serve", words, extra, subject);
  if (parsing.exit >= 0) return parsing.exit;
  const Parsed& parsed = parsing.parsed;
  for (const char* option : {"bug", "scenario", "check"}) {
    if (subject == nullptr && parsed.has(option)) {
      return fail(fmt::format("--{} is for a subject: serve SUBJECT --{}", option, option));
    }
  }
  if (parsed.has("strategy") && !parsed.has("check")) return fail("--strategy is for --check");
  Result<Shown> shown = subject == nullptr ? read_files(program.suite, parsed.words)
                                           : choose_shown(program.suite, *subject, parsed);
  if (!shown) return fail(shown.error().message);
  shown->setup.version = kVersion;

  serve::Door door;
  door.host = parsed.get("host", door.host);
  const Result<uint64_t> port = parse_number("--port", parsed.get("port", kPort), 0, 65535);
  if (!port) return fail(port.error().message);
  const Result<std::string> token = token_for(door.host, parsed);
  if (!token) return fail(token.error().message);
  const auto server = serve::HttpServer::listen(door.host, static_cast<int>(*port));
  if (!server) return fail(server.error().message);
  door.port = (*server)->port();
  door.token = *token;
  serve::Service service(program.suite, door, shown->setup);
  if (parsed.has("check")) {
    const Result<void> started = start_check(*shown->chosen, parsed.get("strategy"), service);
    if (!started) return fail(started.error().message);
  }

  const StopOnSignal signals("the jobs and live runs end, too");
  std::jthread answering([&] { (*server)->serve(service); });
  const Result<void> printed =
      print(fmt::format("{}{}\n", service.gate().address(), shown->link(parsed.has("check"))));
  while (printed && !signals.flag()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  (*server)->stop();
  service.stop();
  answering.join();
  return printed ? kExitHolds : fail(printed.error().message);
}

}  // namespace ordeal::cli
