#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/file.h"
#include "base/text.h"
#include "ordeal/trace.h"
#include "trace/json_read.h"
#include "trace/tree_json.h"

namespace ordeal {
namespace {

using Json = nlohmann::ordered_json;
using trace::Place;

constexpr size_t kMaxSteps = 10'000'000;

// One of the kinds that every world may have. `described`: those of this trace besides.
ActionKind read_kind(const Place& place, const std::vector<KindRef>& described = {}) {
  const std::string name = place.text();
  const ActionKind kind = kind_named(name);
  if (kind != ActionKind::kDescribed) return kind;
  std::vector<std::string> names = kind_names();
  for (const KindRef& one : described) {
    if (one->name == name) return kind;
    names.push_back(one->name);
  }
  place.fail("one of " + join(names, ", ") + did_you_mean(name, names));
  return ActionKind::kStep;
}

DescribedKind::Colour read_colour(const Place& place) {
  using Colour = DescribedKind::Colour;
  if (place.absent()) return Colour::kPlain;
  const std::string name = place.text();
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(Colour::kRed); ++i) {
    names.emplace_back(to_string(static_cast<Colour>(i)));
    if (names.back() == name) return static_cast<Colour>(i);
  }
  place.fail("one of " + join(names, ", ") + did_you_mean(name, names));
  return Colour::kPlain;
}

std::vector<KindRef> read_kinds(const Place& place) {
  std::vector<KindRef> kinds;
  place.each([&](const Place& item, size_t) {
    DescribedKind kind{item["name"].text(), item["words"].text_or_empty(),
                       item["mark"].text_or_empty(), read_colour(item["colour"])};
    if (const Place fault = item["fault"]; !fault.absent()) {
      if (!fault.json().is_boolean()) fault.fail("true or false");
      kind.fault = fault.json() == true;
    }
    kinds.push_back(std::make_shared<const DescribedKind>(std::move(kind)));
    // With those before it, so that the place is that of the one that is wrong.
    if (place.failed()) return;
    if (const Result<void> valid = validate_kinds(kinds); !valid)
      item.refuse(valid.error().message);
  });
  return kinds;
}

Sent read_sent(const Place& place) {
  Sent sent;
  sent.kind = place["kind"].absent() ? ActionKind::kDeliver : read_kind(place["kind"]);
  sent.from = place["from"].node_or_none();
  sent.to = place["to"].node_or_none();
  sent.type = place["type"].text_or_empty();
  sent.text = place["text"].text_or_empty();
  sent.payload_digest = place["payload_digest"].digest();
  return sent;
}

HistoryEvent read_event(const Place& place) {
  HistoryEvent event;
  event.client = place["client"].number<int>(-1, INT32_MAX);
  const std::string what = place["event"].text();
  if (what != "invoke" && what != "return") place["event"].fail("\"invoke\" or \"return\"");
  event.is_return = what == "return";
  event.text = place["text"].text_or_empty();
  return event;
}

Action read_action(const Place& place, const std::vector<KindRef>& kinds) {
  Action action;
  action.kind = read_kind(place["kind"], kinds);
  if (action.kind == ActionKind::kDescribed) {
    const std::string name = place["kind"].text();
    action.described = *std::find_if(kinds.begin(), kinds.end(),
                                     [&](const KindRef& kind) { return kind->name == name; });
  }
  action.node = place["node"].node_or_none();
  action.from = place["from"].node_or_none();
  action.type = place["type"].text_or_empty();
  if (const Place payload = place["payload"]; !payload.absent() && !payload.failed()) {
    Result<value::Tree> tree = trace::tree_from_json(payload.json());
    if (tree) {
      action.payload = *std::move(tree);
    } else {
      payload.refuse(tree.error().message);
    }
  }
  action.payload_digest = place["payload_digest"].digest();
  place["choices"].each([&](const Place& item, size_t) {
    action.choices.push_back(item.number<uint32_t>(0, UINT32_MAX));
  });
  action.crash_at_persist = place["crash_at_persist"].number_or<int>(0, 0, INT32_MAX);
  return action;
}

bool is_patch_step(const Json& json) {
  const auto text = [&](const char* name) {
    const auto at = json.find(name);
    return at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
  };
  if (!json.is_object() || !json.contains("path") || !json["path"].is_string()) return false;
  const std::string op = text("op");
  return op == "remove" || ((op == "add" || op == "replace") && json.contains("value"));
}

// States are for viewers: their form is checked, and they are kept as they are.
std::string read_parts(const Place& place, bool as_patches) {
  if (place.absent()) return "";
  place.each([&](const Place& part, size_t) {
    part["name"].text();
    part["node"].node_or_none();
    const Place up = part["up"];
    if (!up.absent() && !up.json().is_boolean()) up.fail("true or false");
    if (!as_patches) return;
    part["patch"].each([&](const Place& item, size_t) {
      if (!is_patch_step(item.json())) {
        item.fail("{\"op\": \"add\", \"replace\" or \"remove\", \"path\": …, \"value\": …}");
      }
    });
  });
  return place.failed() ? "" : place.json().dump(-1, ' ', true, Json::error_handler_t::replace);
}

TraceStep read_step(const Place& place, uint32_t number, const std::vector<KindRef>& kinds) {
  TraceStep step;
  if (place["step"].number_or<uint32_t>(number, 0, UINT32_MAX) != number) {
    place["step"].fail(fmt::format("{}, as steps are numbered from 1", number));
  }
  step.detail.action = read_action(place, kinds);
  step.choice = place["choice"].number<uint32_t>(0, UINT32_MAX);
  step.enabled = place["enabled"].count();
  if (step.enabled > 0 && step.choice >= step.enabled) {
    place["choice"].fail(fmt::format("less than {}, the number of enabled actions", step.enabled));
  }
  step.occurrence = place["occurrence"].count();
  place["causes"].each([&](const Place& item, size_t) {
    step.causes.push_back(item.number<uint32_t>(0, number - 1));
  });
  step.digest = place["digest"].digest();
  step.node_digest = place["node_digest"].digest();
  place["changes"].each([&](const Place& item, size_t) {
    step.changes.push_back(
        {item["path"].text_or_empty(), item["before"].text(), item["after"].text()});
  });
  place["sent"].each(
      [&](const Place& item, size_t) { step.detail.sent.push_back(read_sent(item)); });
  step.detail.decided = place["decided"].texts();
  step.detail.timers = place["timers"].texts();
  place["history"].each(
      [&](const Place& item, size_t) { step.detail.history.push_back(read_event(item)); });
  step.detail.log = place["log"].texts();
  step.detail.scenario = place["scenario"].texts();
  place["lost"].each(
      [&](const Place& item, size_t) { step.detail.lost.push_back(read_sent(item)); });
  step.detail.failure = place["failure"].text_or_empty();
  step.parts = read_parts(place["parts"], true);
  return step;
}

std::vector<TraceOperation> read_operations(const Place& place) {
  std::vector<TraceOperation> out;
  place.each([&](const Place& item, size_t) {
    out.push_back({item["client"].number<int>(-1, INT32_MAX), item["operation"].count()});
  });
  return out;
}

TraceVerdict read_verdict(const Place& place, uint32_t steps) {
  TraceVerdict verdict;
  if (place.absent() || place.failed()) return verdict;
  verdict.property = place["property"].text();
  verdict.kind = place["kind"].text_or_empty();
  verdict.word = place["word"].text_or_empty();
  verdict.why = place["why"].text_or_empty();
  place["nodes"].each(
      [&](const Place& item, size_t) { verdict.nodes.push_back(item.number<int>(-1, INT32_MAX)); });
  verdict.step = place["step"].number_or<uint32_t>(steps, 0, steps);
  verdict.operations = read_operations(place["operations"]);
  verdict.unplaced = read_operations(place["unplaced"]);
  return verdict;
}

void read_nodes(const Place& root, Trace& trace) {
  root["nodes"].each(
      [&](const Place& item, size_t) { trace.nodes.push_back(item.number<int>(0, INT32_MAX)); });
  const auto read_texts = [](const Place& place, std::map<int, std::string>& texts) {
    place.each_field([&](const std::string& key, const Place& item) {
      int node = 0;
      const auto [stop, error] = std::from_chars(key.data(), key.data() + key.size(), node);
      if (key.empty() || error != std::errc() || stop != key.data() + key.size()) {
        item.refuse("expected the number of a node as the name of the field");
        return;
      }
      texts[node] = item.text();
    });
  };
  read_texts(root["node_types"], trace.node_types);
  read_texts(root["node_names"], trace.node_names);
}

void check_format(const Place& root) {
  const Place format = root["format"];
  if (root.failed()) return;
  if (format.json() != "ordeal-trace") {
    format.fail("\"ordeal-trace\": this is no trace of Ordeal");
    return;
  }
  const int version = root["version"].number<int>(1, INT32_MAX);
  if (!root.failed() && version > kTraceVersion) {
    root["version"].refuse(fmt::format(
        "found {}; this program reads versions up to {}, so the trace needs a newer one", version,
        kTraceVersion));
  }
}

Trace read_root(const Place& root) {
  Trace trace;
  check_format(root);
  if (root.failed()) return trace;
  trace.system = root["system"].text();
  root["parameters"].each_field(
      [&](const std::string& key, const Place& item) { trace.parameters[key] = item.text(); });
  trace.scenario = root["scenario"].text_or_empty();
  trace.source = root["source"].text_or_empty();
  if (const Place free = root["free_faults"]; !free.absent()) {
    if (!free.json().is_boolean()) free.fail("true or false");
    trace.free_faults = free.json() == true;
  }
  trace.strategy = root["strategy"].text_or_empty();
  trace.seed = root["seed"].number_or<uint64_t>(0, 0, UINT64_MAX);
  trace.minimised_from = root["minimised_from"].count();
  read_nodes(root, trace);
  trace.kinds = read_kinds(root["kinds"]);
  trace.initial = root["initial"].count();
  trace.initial_digest = root["initial_digest"].digest();
  if (const Place initially = root["initially"]; !initially.absent()) {
    initially["sent"].each(
        [&](const Place& item, size_t) { trace.initially_sent.push_back(read_sent(item)); });
    initially["history"].each(
        [&](const Place& item, size_t) { trace.initial_history.push_back(read_event(item)); });
    trace.initial_parts = read_parts(initially["parts"], false);
  }
  if (root["steps"].absent()) root["steps"].fail("a list");
  if (root["steps"].json().size() > kMaxSteps) root["steps"].refuse("more than 10 million steps");
  root["steps"].each([&](const Place& item, size_t index) {
    trace.steps.push_back(read_step(item, static_cast<uint32_t>(index) + 1, trace.kinds));
  });
  const auto steps = static_cast<uint32_t>(trace.steps.size());
  root["points"].each([&](const Place& item, size_t) {
    trace.points.push_back({item["client"].number<int>(-1, INT32_MAX), item["operation"].count(),
                            item["step"].number<uint32_t>(0, steps)});
  });
  if (const Place loop = root["loop_start"]; !loop.absent()) {
    trace.loop_start = loop.number<uint32_t>(0, steps);
  }
  trace.verdict = read_verdict(root["verdict"], steps);
  return trace;
}

}  // namespace

Result<Trace> trace::trace_of(const Json& json) {
  std::optional<Error> error;
  Trace trace = read_root(Place(json, "", error));
  if (error) return *std::move(error);
  return trace;
}

Result<Trace> trace_from_json(std::string_view text) {
  const Result<Json> json = trace::parse_json(text, "a trace");
  return json ? trace::trace_of(*json) : json.error();
}

Result<Trace> read_trace(const std::string& path) {
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  Result<Trace> trace = trace_from_json(*text);
  if (!trace) return Error{fmt::format("{}: {}", path, trace.error().message)};
  return trace;
}

}  // namespace ordeal
