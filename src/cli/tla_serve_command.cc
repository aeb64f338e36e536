// ordeal tla serve: a model that answers over HTTP.
#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "cli/tla_subject.h"
#include "serve/http.h"
#include "serve/model_service.h"

namespace ordeal::cli {

int run_tla_serve(const Program& program, const Words& words) {
  const std::string name = "tla serve";
  const auto fail = [&](const std::string& message) { return trouble(program, name, message); };
  const Parsing parsing = parse(program, name, words);
  if (parsing.exit >= 0) return parsing.exit;
  const Parsed& parsed = parsing.parsed;
  auto specification = specification_in(program, parsed);
  if (!specification) return complain(program, name, specification.error());

  serve::ModelSetup setup;
  setup.specification = *std::move(specification);
  setup.key = parsed.get("key");
  if (parsed.has("events")) {
    const std::string file = parsed.get("events");
    const Result<std::string> text = read_file(file);
    if (!text) return fail(text.error().message);
    Result<serve::EventRules> rules = serve::EventRules::parse(*text, file);
    if (!rules) return fail(rules.error().message);
    setup.rules = *std::move(rules);
  }
  serve::Door door;
  door.host = parsed.get("bind", door.host);
  door.token = parsed.get("token");
  constexpr const char* kPort = "2023";  // where clients of ModelFuzz look for it
  const Result<uint64_t> port = parse_number("--port", parsed.get("port", kPort), 0, 65535);
  if (!port) return fail(port.error().message);
  const auto server = serve::HttpServer::listen(door.host, static_cast<int>(*port));
  if (!server) return fail(server.error().message);
  door.port = (*server)->port();
  if (door.token.empty() && !serve::is_loopback(door.host)) {
    print_error(fmt::format("{} {}: whoever reaches {} may run this model; --token asks for one\n",
                            program.name, name, door.host));
  }
  auto service = serve::ModelService::make(std::move(setup), door);
  if (!service) return complain(program, name, service.error());

  const StopOnSignal signals("requests that are being answered end first");
  std::jthread answering([&] { (*server)->serve(**service); });
  serve::Door shown = door;
  shown.token.clear();
  const Result<void> printed =
      print(fmt::format("{}execute\n", serve::Gate(std::move(shown)).address()));
  while (printed && !signals.flag()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  (*server)->stop();
  answering.join();
  return printed ? kExitHolds : fail(printed.error().message);
}

}  // namespace ordeal::cli
