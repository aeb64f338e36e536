// ordeal tla graph: all states and steps of a specification, for other tools.
#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "cli/tla_subject.h"
#include "language/tla/model/graph.h"

namespace ordeal::cli {
namespace {

Result<void> put(const std::string& where, const std::string& text) {
  return where == "-" ? print(text, Ink::kDocument) : write_file_atomically(where, text);
}

}  // namespace

int run_tla_graph(const Program& program, const Words& words) {
  const std::string name = "tla graph";
  const auto fail = [&](const std::string& message) { return trouble(program, name, message); };
  const Parsing parsing = parse(program, name, words);
  if (parsing.exit >= 0) return parsing.exit;
  const Parsed& parsed = parsing.parsed;
  // Without a word about it, the graph goes to standard output as DOT.
  const std::string json = parsed.get("json");
  const std::string dot = parsed.get("dot", json.empty() ? "-" : "");
  if (!dot.empty() && dot == json) return fail("--dot and --json go to the same place");
  for (const std::string& file : {dot, json}) {
    if (file.empty() || file == "-") continue;
    if (const Result<void> fine = check_writable(file); !fine) return fail(fine.error().message);
  }
  tla::GraphBounds bounds;
  const Result<uint64_t> most = parse_number(
      "--max-states", parsed.get("max-states", std::to_string(bounds.max_states)), 1, 100'000'000);
  if (!most) return fail(most.error().message);
  bounds.max_states = *most;
  auto specification = specification_in(program, parsed);
  if (!specification) return complain(program, name, specification.error());
  const StopOnSignal signals("the graph ends here");
  bounds.stop = &signals.flag();
  const Result<tla::Graph> graph = tla::graph_of(*std::move(specification), bounds);
  if (!graph) return complain(program, name, graph.error());
  if (!dot.empty()) {
    const Result<void> done = put(dot, tla::graph_to_dot(*graph));
    if (!done) return fail(done.error().message);
  }
  if (!json.empty()) {
    const Result<void> done = put(json, tla::graph_to_json(*graph));
    if (!done) return fail(done.error().message);
  }
  print_error(fmt::format("{}, {}{}\n", counted(graph->states.size(), "state"),
                          counted(graph->steps.size(), "step"),
                          graph->complete ? "" : "; not all of it: " + graph->bound));
  return graph->complete ? kExitHolds : kExitUndecided;
}

}  // namespace ordeal::cli
