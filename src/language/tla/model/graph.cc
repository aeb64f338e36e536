#include "language/tla/model/graph.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/text.h"
#include "language/tla/model/explorer.h"
#include "language/tla/model/json_value.h"
#include "language/tla/model/prompt.h"

namespace ordeal::tla {
namespace {

class Drawing {
 public:
  Drawing(std::shared_ptr<Specification> specification, const GraphBounds& bounds)
      : spec_(*specification),
        bounds_(bounds),
        space_(std::move(specification)),
        explorer_(space_) {}

  Result<Graph> draw() {
    graph_.specification = spec_.name();
    const auto initial = space_.initial();
    if (!initial) return initial.error();
    for (const StateSpace::Initial& root : *initial) {
      const auto at = add(root.state, root.fingerprint, 0, false);
      if (!at) return at.error();
      if (*at < graph_.states.size()) graph_.states[*at].initial = true;
    }
    // States are put into words in the order of their numbers: what waits is what comes next.
    for (uint32_t from = 0; from < packed_.size() && graph_.complete; ++from) {
      if (bounds_.stop != nullptr && *bounds_.stop) {
        cut("it was interrupted");
        break;
      }
      if (graph_.states[from].outside) continue;
      if (const Result<void> done = expand(from); !done) return done.error();
    }
    return std::move(graph_);
  }

 private:
  Result<void> expand(uint32_t from) {
    const std::vector<uint32_t> state = packed_[from];
    std::vector<Choice> choices;
    explorer_.enumerate(state, choices);
    if (const std::string* trouble = explorer_.trouble()) {
      return Error{*trouble + "\nin the state\n" + graph_.states[from].text};
    }
    // Told before states are looked at, which the explorer forgets its choices for.
    struct Successor {
      std::vector<uint32_t> state;
      uint64_t fingerprint;
      bool outside;
      Action action;
    };
    std::vector<Successor> successors;
    for (const Choice& choice : choices) {
      Successor& successor = successors.emplace_back();
      successor.fingerprint =
          explorer_.apply(state, graph_.states[from].fingerprint, choice, successor.state);
      successor.outside = choice.outside;
      successor.action = explorer_.action(state, choice);
    }
    for (const Successor& successor : successors) {
      const auto to = add(successor.state, successor.fingerprint, graph_.states[from].depth + 1,
                          successor.outside);
      if (!to) return to.error();
      if (*to == graph_.states.size()) continue;  // one too many
      graph_.steps.push_back({from, *to, successor.action.type, successor.action.payload});
    }
    return {};
  }

  // Its number; the number of all states where there may be no more.
  Result<uint32_t> add(const std::vector<uint32_t>& state, uint64_t fingerprint, uint32_t depth,
                       bool outside) {
    const auto known = numbers_.find(fingerprint);
    if (known != numbers_.end()) return known->second;
    if (graph_.states.size() >= bounds_.max_states) {
      cut(fmt::format("there are more than {} states (--max-states)", grouped(bounds_.max_states)));
      return static_cast<uint32_t>(graph_.states.size());
    }
    const auto number = static_cast<uint32_t>(graph_.states.size());
    numbers_.emplace(fingerprint, number);
    packed_.push_back(state);
    GraphState& made = graph_.states.emplace_back();
    made.fingerprint = fingerprint;
    made.depth = depth;
    made.outside = outside || !explorer_.within(state);
    if (const std::string* trouble = explorer_.trouble()) return Error{*trouble};
    const std::vector<std::string>& names = spec_.variables();
    made.variables = value::Tree::record("");
    for (size_t i = 0; i < names.size(); ++i) {
      const Value value =
          Value::from_word(uint64_t{state[2 * i]} | uint64_t{state[2 * i + 1]} << 32);
      made.variables.add(names[i], tree_of(value));
      made.text += (names.size() > 1 ? "/\\ " : "") + names[i] + " = ";
      print(value, made.text);
      made.text += '\n';
    }
    return number;
  }

  void cut(const std::string& why) {
    graph_.complete = false;
    graph_.bound = why;
  }

  Specification& spec_;
  const GraphBounds bounds_;
  TlaSpace space_;
  TlaExplorer explorer_;
  Graph graph_;
  std::vector<std::vector<uint32_t>> packed_;
  std::unordered_map<uint64_t, uint32_t> numbers_;
};

// Within the quotes of DOT; each line begins on the left. Nothing in it is obeyed by a terminal.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  const std::vector<std::string> lines = lines_of(text);
  for (const std::string& line : lines) {
    for (const char c : one_line(line)) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    if (text.find('\n') != text.npos) out += "\\l";
  }
  return out + "\"";
}

}  // namespace

Result<Graph> graph_of(std::shared_ptr<Specification> specification, const GraphBounds& bounds) {
  if (!specification->has_behaviour) {
    return Error{specification->name() +
                 ": there are no behaviours to draw; its configuration says neither SPECIFICATION "
                 "nor INIT and NEXT"};
  }
  return Drawing(std::move(specification), bounds).draw();
}

std::string graph_to_dot(const Graph& graph) {
  std::string out = fmt::format("digraph {} {{\n", quoted(graph.specification));
  if (!graph.complete) out += fmt::format("  // not all of it: {}\n", one_line(graph.bound));
  out += "  node [shape=box, fontname=\"monospace\"];\n";
  for (size_t i = 0; i < graph.states.size(); ++i) {
    const GraphState& state = graph.states[i];
    out += fmt::format("  {} [label={}{}{}];\n", i, quoted(state.text),
                       state.initial ? ", style=filled, fillcolor=lightgray" : "",
                       state.outside ? ", style=dashed" : "");
  }
  for (const GraphStep& step : graph.steps) {
    Action action;
    action.type = step.action;
    action.payload = step.arguments;
    out += fmt::format("  {} -> {} [label={}];\n", step.from, step.to, quoted(step_text(action)));
  }
  return out + "}\n";
}

std::string graph_to_json(const Graph& graph) {
  using Json = nlohmann::ordered_json;
  std::string out = fmt::format("{{\"specification\": {},\n \"complete\": {},\n",
                                Json(graph.specification).dump(-1, ' ', true), graph.complete);
  if (!graph.complete)
    out += fmt::format(" \"bound\": {},\n", Json(graph.bound).dump(-1, ' ', true));
  out += " \"states\": [";
  for (size_t i = 0; i < graph.states.size(); ++i) {
    const GraphState& state = graph.states[i];
    Json json = {
        {"id", i}, {"key", static_cast<int64_t>(state.fingerprint)}, {"depth", state.depth}};
    if (state.initial) json["initial"] = true;
    if (state.outside) json["outside"] = true;
    json["variables"] = json_of(state.variables);
    json["text"] = state.text;
    out += (i == 0 ? "\n  " : ",\n  ") + json.dump(-1, ' ', true, Json::error_handler_t::replace);
  }
  out += "],\n \"steps\": [";
  for (size_t i = 0; i < graph.steps.size(); ++i) {
    const GraphStep& step = graph.steps[i];
    Json json = {{"from", step.from}, {"to", step.to}, {"action", step.action}};
    if (step.arguments.kind != value::Tree::Kind::kNull) {
      json["arguments"] = json_of(step.arguments);
    }
    out += (i == 0 ? "\n  " : ",\n  ") + json.dump(-1, ' ', true, Json::error_handler_t::replace);
  }
  return out + "]}\n";
}

}  // namespace ordeal::tla
