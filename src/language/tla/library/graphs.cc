// Relation, Graphs and UndirectedGraphs: what would be slow by definition.
#include <algorithm>

#include "language/tla/library/arguments.h"
#include "language/tla/library/modules.h"

namespace ordeal::tla {
namespace {

using Matrix = std::vector<std::vector<char>>;

void close_transitively(Matrix& related) {
  const size_t size = related.size();
  for (size_t by = 0; by < size; ++by) {
    for (size_t from = 0; from < size; ++from) {
      if (related[from][by] == 0) continue;
      for (size_t to = 0; to < size; ++to) {
        if (related[by][to] != 0) related[from][to] = 1;
      }
    }
  }
}

// [x, y \in set |-> related]
Value relation_of(Heap& heap, const Object* set, const Matrix& related) {
  std::vector<Value> keys;
  std::vector<Value> items;
  for (uint32_t i = 0; i < set->size; ++i) {
    for (uint32_t j = 0; j < set->size; ++j) {
      const Value pair[] = {set->item(i), set->item(j)};
      keys.push_back(make_tuple(heap, pair));
      items.push_back(Value::boolean(related[i][j] != 0));
    }
  }
  return make_function(heap, make_sorted_set(heap, keys).object(), items);
}

Value closure_of(BuiltinCall& call, std::string_view name, bool reflexive) {
  Heap& heap = call.heap();
  const Object* const relation = need_function(call, name, 0);
  const Object* const set = need_finite_set(call, name, 1);
  Matrix related(set->size, std::vector<char>(set->size, 0));
  for (uint32_t i = 0; i < set->size; ++i) {
    for (uint32_t j = 0; j < set->size; ++j) {
      const Value pair[] = {set->item(i), set->item(j)};
      const Value is = apply(heap, Value::of(relation), make_tuple(heap, pair));
      if (!is.is_bool()) {
        fail("the first argument of " + std::string(name) +
             " must be a function to booleans, but gives " + describe(is));
      }
      related[i][j] = is.truth() ? 1 : 0;
    }
  }
  close_transitively(related);
  for (uint32_t i = 0; reflexive && i < set->size; ++i) related[i][i] = 1;
  return relation_of(heap, set, related);
}

// The nodes of a graph, and the arcs between them by their numbers. Edges that lead elsewhere are
// none.
struct Arcs {
  const Object* nodes = nullptr;
  Value numbers;  // of nodes: a function
  std::vector<std::vector<uint32_t>> next;
};

enum class Edges : uint8_t { kPairs, kSets };

Value field_of(BuiltinCall& call, std::string_view name, size_t at, const char* field) {
  if (is_function(call[at])) {
    const Object* const record = normal_function(call.heap(), call[at]);
    if (record->kind == ObjectKind::kFunction && record->keys->item(0).is_string()) {
      const Value value = find_item(call.heap(), record, string_value(field));
      if (value.defined() && is_set(value) && is_enumerable(value)) return value;
    }
  }
  fail_argument(call, name, at, "a graph, [node |-> a finite set, edge |-> a finite set]");
}

int64_t number_of(BuiltinCall& call, const Arcs& arcs, Value node) {
  if (!contains(call.heap(), Value::of(arcs.nodes), node)) return -1;
  return apply(call.heap(), arcs.numbers, node).number();
}

Arcs arcs_of(BuiltinCall& call, std::string_view name, size_t at, Edges kind) {
  Heap& heap = call.heap();
  Arcs out;
  out.nodes = normal_set(heap, field_of(call, name, at, "node"));
  std::vector<Value> numbers;
  for (uint32_t i = 0; i < out.nodes->size; ++i) numbers.push_back(Value::small(i));
  out.numbers = make_function(heap, out.nodes, numbers);
  out.next.resize(out.nodes->size);
  for (const Value edge : normal_set(heap, field_of(call, name, at, "edge"))->items()) {
    std::vector<Value> ends;
    if (kind == Edges::kPairs && is_function(edge)) {
      const Object* const pair = normal_function(heap, edge);
      if (pair->kind == ObjectKind::kTuple && pair->size == 2) {
        ends.assign(pair->items().begin(), pair->items().end());
      }
    } else if (kind == Edges::kSets && is_set(edge)) {
      const auto items = normal_set(heap, edge)->items();
      if (items.size() == 1 || items.size() == 2) ends = {items.front(), items.back()};
    }
    if (ends.empty()) continue;
    const int64_t from = number_of(call, out, ends[0]);
    const int64_t to = number_of(call, out, ends[1]);
    if (from < 0 || to < 0) continue;
    out.next[static_cast<size_t>(from)].push_back(static_cast<uint32_t>(to));
    if (kind == Edges::kSets && from != to) {
      out.next[static_cast<size_t>(to)].push_back(static_cast<uint32_t>(from));
    }
  }
  for (auto& next : out.next) std::sort(next.begin(), next.end());
  return out;
}

// Nodes that a way leads to, the start included.
std::vector<char> reached_from(const Arcs& arcs, uint32_t start) {
  std::vector<char> reached(arcs.next.size(), 0);
  std::vector<uint32_t> open{start};
  reached[start] = 1;
  while (!open.empty()) {
    const uint32_t node = open.back();
    open.pop_back();
    for (const uint32_t next : arcs.next[node]) {
      if (reached[next] != 0) continue;
      reached[next] = 1;
      open.push_back(next);
    }
  }
  return reached;
}

Value are_connected(BuiltinCall& call, Edges kind) {
  const Arcs arcs = arcs_of(call, "AreConnectedIn", 2, kind);
  const int64_t from = number_of(call, arcs, call[0]);
  const int64_t to = number_of(call, arcs, call[1]);
  if (from < 0 || to < 0) return kFalse;
  return Value::boolean(reached_from(arcs, static_cast<uint32_t>(from))[static_cast<size_t>(to)] !=
                        0);
}

Value simple_paths(BuiltinCall& call, Edges kind) {
  const Arcs arcs = arcs_of(call, "SimplePath", 0, kind);
  std::vector<Value> all;
  std::vector<Value> path;
  std::vector<char> taken(arcs.next.size(), 0);
  const auto extend = [&](const auto& self, uint32_t node) -> void {
    taken[node] = 1;
    path.push_back(arcs.nodes->item(node));
    all.push_back(make_tuple(call.heap(), std::span<const Value>(path)));
    if (all.size() > limit()) {
      fail("SimplePath: more than " + std::to_string(limit()) + " paths are not written out");
    }
    for (const uint32_t next : arcs.next[node]) {
      if (taken[next] == 0) self(self, next);
    }
    path.pop_back();
    taken[node] = 0;
  };
  for (uint32_t node = 0; node < arcs.next.size(); ++node) extend(extend, node);
  return make_set(call.heap(), all);
}

Value is_strongly_connected(BuiltinCall& call) {
  const Arcs arcs = arcs_of(call, "IsStronglyConnected", 0, Edges::kPairs);
  for (uint32_t node = 0; node < arcs.next.size(); ++node) {
    const std::vector<char> reached = reached_from(arcs, node);
    if (std::find(reached.begin(), reached.end(), 0) != reached.end()) return kFalse;
  }
  return kTrue;
}

Value connections_in(BuiltinCall& call) {
  const Arcs arcs = arcs_of(call, "ConnectionsIn", 0, Edges::kPairs);
  Matrix related;
  for (uint32_t node = 0; node < arcs.next.size(); ++node) {
    related.push_back(reached_from(arcs, node));
  }
  return relation_of(call.heap(), arcs.nodes, related);
}

Value connected_components(BuiltinCall& call) {
  const Arcs arcs = arcs_of(call, "ConnectedComponents", 0, Edges::kSets);
  std::vector<char> seen(arcs.next.size(), 0);
  std::vector<Value> all;
  for (uint32_t node = 0; node < arcs.next.size(); ++node) {
    if (seen[node] != 0) continue;
    const std::vector<char> reached = reached_from(arcs, node);
    std::vector<Value> component;
    for (uint32_t other = 0; other < reached.size(); ++other) {
      if (reached[other] == 0) continue;
      seen[other] = 1;
      component.push_back(arcs.nodes->item(other));
    }
    all.push_back(make_sorted_set(call.heap(), component));
  }
  return make_set(call.heap(), all);
}

const Builtin kRelation[] = {
    {"TransitiveClosure", "00", true,
     [](BuiltinCall& call) { return closure_of(call, "TransitiveClosure", false); }},
    {"ReflexiveTransitiveClosure", "00", true,
     [](BuiltinCall& call) { return closure_of(call, "ReflexiveTransitiveClosure", true); }},
};

const Builtin kGraphs[] = {
    {"AreConnectedIn", "000", true,
     [](BuiltinCall& call) { return are_connected(call, Edges::kPairs); }},
    {"SimplePath", "0", true, [](BuiltinCall& call) { return simple_paths(call, Edges::kPairs); }},
    {"IsStronglyConnected", "0", true, is_strongly_connected},
    {"ConnectionsIn", "0", true, connections_in},
};

const Builtin kUndirectedGraphs[] = {
    {"AreConnectedIn", "000", true,
     [](BuiltinCall& call) { return are_connected(call, Edges::kSets); }},
    {"SimplePath", "0", true, [](BuiltinCall& call) { return simple_paths(call, Edges::kSets); }},
    {"ConnectedComponents", "0", true, connected_components},
};

}  // namespace

std::span<const Builtin> relation_operators() { return kRelation; }
std::span<const Builtin> graphs_operators() { return kGraphs; }
std::span<const Builtin> undirected_graphs_operators() { return kUndirectedGraphs; }

}  // namespace ordeal::tla
