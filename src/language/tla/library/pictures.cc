// SVG, GraphViz and VectorClocks: what is shown of behaviours.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "language/tla/library/arguments.h"
#include "language/tla/library/modules.h"

namespace ordeal::tla {
namespace {

Value member(BuiltinCall& call, std::string_view name, Value record, const char* field) {
  if (is_function(record)) {
    const Object* const function = normal_function(call.heap(), record);
    if (function->kind == ObjectKind::kFunction && function->keys->item(0).is_string()) {
      const Value value = find_item(call.heap(), function, string_value(field));
      if (value.defined()) return value;
    }
  }
  fail(std::string(name) + " needs a record with the field " + field + ", not " + describe(record));
}

const std::string& text_member(BuiltinCall& call, Value record, const char* field) {
  const Value value = member(call, "SVGElemToString", record, field);
  if (!value.is_string()) {
    fail("SVGElemToString: the field " + std::string(field) + " must be a string, not " +
         describe(value));
  }
  return atom_text(value.atom());
}

void replace_each(std::string& text, std::string_view what, std::string_view by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), by);
    at += by.size();
  }
}

void put_element(BuiltinCall& call, Value element, std::string& out) {
  const std::string& name = text_member(call, element, "name");
  out += "<" + name;
  const Value attributes = member(call, "SVGElemToString", element, "attrs");
  if (!is_function(attributes)) {
    fail("SVGElemToString: attrs must be a record, not " + describe(attributes));
  }
  const Object* const list = normal_function(call.heap(), attributes);
  for (uint32_t i = 0; i < list->size; ++i) {
    const Value key = key_at(list, i);
    if (!key.is_string() || !list->item(i).is_string()) {
      fail("SVGElemToString: attrs must be a record of strings, not " + to_text(attributes));
    }
    std::string attribute = atom_text(key.atom());
    std::replace(attribute.begin(), attribute.end(), '_', '-');
    out += " " + attribute + "='" + atom_text(list->item(i).atom()) + "'";
  }
  out += ">";
  std::string text = text_member(call, element, "innerText");
  replace_each(text, "<<", "&lt;&lt;");
  replace_each(text, ">>", "&gt;&gt;");
  out += text;
  const Value children = member(call, "SVGElemToString", element, "children");
  if (!is_function(children)) {
    fail("SVGElemToString: children must be a sequence, not " + describe(children));
  }
  for (const Value child : normal_function(call.heap(), children)->items()) {
    put_element(call, child, out);
  }
  out += "</" + name + ">";
}

Value element_text(BuiltinCall& call) {
  std::string out;
  put_element(call, call[0], out);
  return string_value(out);
}

Value point(Heap& heap, const BigInt& x, const BigInt& y) {
  const Value names[] = {string_value("x"), string_value("y")};
  const Value values[] = {integer(heap, x), integer(heap, y)};
  return make_record(heap, names, values);
}

Value on_ring(Heap& heap, int64_t x, int64_t y, int64_t radius, int64_t at, int64_t of) {
  const double angle = 2.0 * std::numbers::pi / static_cast<double>(of) * static_cast<double>(at);
  const auto along = [&](int64_t middle, double part) {
    return BigInt(
        static_cast<int64_t>(static_cast<double>(middle) + static_cast<double>(radius) * part));
  };
  return point(heap, along(x, std::cos(angle)), along(y, std::sin(angle)));
}

Value ring_node(BuiltinCall& call) {
  int64_t numbers[5];
  constexpr int64_t kFar = int64_t{1} << 31;
  for (size_t i = 0; i < 5; ++i) {
    numbers[i] = need_number(call, "NodeOfRingNetwork", i);
    if (numbers[i] > kFar || numbers[i] < -kFar) {
      fail_argument(call, "NodeOfRingNetwork", i, "a number of 32 bits");
    }
  }
  if (numbers[4] == 0) fail("NodeOfRingNetwork needs a ring of one node or more");
  return on_ring(call.heap(), numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
}

// On a ring within the view: there are no layouts of graphs here.
Value graph_nodes(BuiltinCall& call) {
  constexpr std::string_view kName = "NodesOfDirectedMultiGraph";
  const Object* const nodes = need_finite_set(call, kName, 0);
  need_finite_set(call, kName, 1);
  const int64_t width = to_int64(member(call, kName, call[2], "view_width"), "view_width");
  const int64_t height = to_int64(member(call, kName, call[2], "view_height"), "view_height");
  std::vector<Value> places;
  for (uint32_t i = 0; i < nodes->size; ++i) {
    places.push_back(on_ring(call.heap(), width / 2, height / 2, std::min(width, height) * 2 / 5, i,
                             nodes->size));
  }
  return make_function(call.heap(), nodes, places);
}

BigInt coordinate(BuiltinCall& call, size_t at, const char* field) {
  const Value value = member(call, "PointOnLine", call[at], field);
  if (!value.is_integer()) fail("PointOnLine: " + std::string(field) + " must be an integer");
  return big(value);
}

// A segment's part of the way.
Value point_on_line(BuiltinCall& call) {
  need_integer(call, "PointOnLine", 2);
  const BigInt segment = big(call[2]);
  if (segment == 0) fail_argument(call, "PointOnLine", 2, "an integer other than 0");
  const auto part = [&](const char* field) {
    const BigInt from = coordinate(call, 0, field);
    const BigInt to = coordinate(call, 1, field);
    return BigInt((from * segment + to - from) / segment);
  };
  return point(call.heap(), part("x"), part("y"));
}

const Builtin kSvg[] = {
    {"SVGElemToString", "0", true, element_text},
    {"NodeOfRingNetwork", "00000", true, ring_node},
    {"NodesOfDirectedMultiGraph", "000", true, graph_nodes},
    {"PointOnLine", "000", true, point_on_line},
};

// --- GraphViz ------------------------------------------------------------------------------------

Value dot_graph(BuiltinCall& call) {
  Heap& heap = call.heap();
  const Value node_set = member(call, "DotDiGraph", call[0], "node");
  const Value edge_set = member(call, "DotDiGraph", call[0], "edge");
  const Object* const nodes = normal_set(heap, node_set);
  std::string out = "digraph MyGraph {";
  std::vector<Value> numbers;
  for (uint32_t i = 0; i < nodes->size; ++i) {
    numbers.push_back(Value::small(int64_t{i} + 1));
    out += std::to_string(i + 1) + "[label=" + to_text(call_with(call, 1, nodes->item(i))) + "];";
  }
  const Value number = make_function(heap, nodes, numbers);
  for (const Value edge : normal_set(heap, edge_set)->items()) {
    const Value from = apply(heap, edge, Value::small(1));
    const Value to = apply(heap, edge, Value::small(2));
    out += to_text(apply(heap, number, from)) + "->" + to_text(apply(heap, number, to)) +
           "[label=" + to_text(call_with(call, 2, edge)) + "];";
  }
  return string_value(out + "}");
}

const Builtin kGraphViz[] = {{"DotDiGraph", "011", true, dot_graph}};

// --- VectorClocks --------------------------------------------------------------------------------

struct Logged {
  Value event;
  Value clock;
  Value time;  // of its own node
  std::vector<std::pair<size_t, size_t>> after;
};

// The log in an order that respects its clocks: one event of each node after the other, as soon as
// all that is before it has been told.
Value causal_order(BuiltinCall& call) {
  constexpr std::string_view kName = "CausalOrder";
  Heap& heap = call.heap();
  const Object* const log = need_sequence(call, kName, 0);
  std::vector<Value> hosts;
  std::vector<Value> host_of;
  for (const Value event : log->items()) {
    host_of.push_back(normal(heap, call_with(call, 2, event)));
    hosts.push_back(host_of.back());
  }
  const Object* const host_set = normal_set(heap, make_set(heap, hosts));
  const auto host_number = [&](Value host) {
    for (uint32_t i = 0; i < host_set->size; ++i) {
      if (equal(heap, host_set->item(i), host)) return size_t{i};
    }
    fail("CausalOrder: a clock knows of " + to_text(host) + ", which has no event");
  };
  std::vector<std::vector<Logged>> of_host(host_set->size);
  for (uint32_t i = 0; i < log->size; ++i) {
    const Value clock = call_with(call, 1, log->item(i));
    of_host[host_number(host_of[i])].push_back(
        {log->item(i), clock, apply(heap, clock, host_of[i]), {}});
  }
  for (size_t host = 0; host < of_host.size(); ++host) {
    std::stable_sort(
        of_host[host].begin(), of_host[host].end(),
        [&](const Logged& a, const Logged& b) { return compare(heap, a.time, b.time) < 0; });
    std::vector<int64_t> known(of_host.size(), 0);
    for (Logged& event : of_host[host]) {
      known[host] = to_int64(event.time, "a time of CausalOrder");
      const Value domain = call_with(call, 3, event.clock);
      for (const Value other : normal_set(heap, domain)->items()) {
        const int64_t time = to_int64(apply(heap, event.clock, other), "a time of CausalOrder");
        if (time == 0) continue;
        const size_t number = host_number(other);
        if (time <= known[number]) continue;
        known[number] = time;
        if (static_cast<size_t>(time) > of_host[number].size()) {
          fail("CausalOrder: " + to_text(event.event) + " knows of event " + std::to_string(time) +
               " of " + to_text(other) + ", which is not in the log");
        }
        event.after.emplace_back(number, static_cast<size_t>(time));
      }
    }
  }
  std::vector<Value> sorted;
  std::vector<size_t> told(of_host.size(), 0);
  for (bool more = true; more;) {
    more = false;
    for (size_t host = 0; host < of_host.size(); ++host) {
      if (told[host] == of_host[host].size()) continue;
      const Logged& next = of_host[host][told[host]];
      const bool ready = std::all_of(next.after.begin(), next.after.end(), [&](const auto& before) {
        return told[before.first] >= before.second;
      });
      if (!ready) continue;
      sorted.push_back(next.event);
      ++told[host];
      more = true;
    }
  }
  if (sorted.size() != log->size) fail("CausalOrder: the clocks of the log contradict each other");
  return make_tuple(heap, std::span<const Value>(sorted));
}

const Builtin kVectorClocks[] = {{"CausalOrder", "0111", true, causal_order}};

}  // namespace

std::span<const Builtin> svg_operators() { return kSvg; }
std::span<const Builtin> graph_viz_operators() { return kGraphViz; }
std::span<const Builtin> vector_clocks_operators() { return kVectorClocks; }

}  // namespace ordeal::tla
