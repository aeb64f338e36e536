// Classes of states, counted by the engine and by brute force.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/detail/labelling.h"
#include "ordeal/system.h"
#include "tests/oracle/reductions/agree.h"
#include "tests/oracle/reductions/orbits.h"
#include "tests/oracle/reductions/suite.h"

namespace ordeal::oracle {

// How a search of the classes of a system differs from the reference, whose states are put into
// orbits by applying every renaming to every one of them; "": it does not.
inline std::string wrong_classes(const Case& item, const reference::Exploration& found,
                                 const std::string& strategy, int threads) {
  const Orbits orbits = count_orbits(item, found);
  const Result<Report> report =
      check(item.system,
            {.strategy = strategy, .threads = threads, .symmetry = true, .keep_going = true});
  if (!report.ok()) return report.error().message;
  std::string problem = differ("classes, orbits", report->distinct_states, orbits.classes);
  if (problem.empty()) {
    problem = differ("terminal classes, orbits", report->terminal_states, orbits.terminal);
  }
  // A class is as deep as the state in it that is reached first.
  if (problem.empty() && strategy == "bfs" && report->depth > found.depth) {
    problem = differ("depth, reference", report->depth, found.depth);
  }
  if (problem.empty()) problem = wrong_verdict(item.system, found, *report);
  if (problem.empty()) problem = wrong_trace(item.system, found, *report, strategy == "bfs");
  return problem;
}

inline Tally compare_classes(const Extent& extent) {
  return over_systems(
      extent, {.alike = true}, [](Case& item, const reference::Exploration& found, Tally& tally) {
        for (const std::vector<NodeId>& group : item.alike) item.system.alike(group);
        const Orbits orbits = count_orbits(item, found);
        tally.add("classes", orbits.classes);
        tally.count("several states in a class", orbits.largest > 1);
        tally.count("more than two states in a class", orbits.largest > 2);
        tally.count("two groups of like nodes", item.alike.size() > 1);
        for (const char* feature : {"network ordered", "network set", "partitions any", "history",
                                    "persist", "detector eventually perfect", "component"}) {
          tally.count(feature, item.features.count(feature) > 0);
        }
        const bool deep = item.seed % 4 == 3;
        disagree(tally, item, wrong_classes(item, found, deep ? "dfs" : "bfs", 1 + item.seed % 2));
      });
}

// Each of three nodes writes to disk which of the other two it points to: 27 states, and by
// Burnside's lemma (27 + 3 · 3 + 2 · 3) / 6 = 7 orbits.
struct Pointer {
  struct Disk {
    NodeId to;
  };
  void start(Context& ctx) { ctx.set_timer("point"); }
  void timer(Context& ctx, const std::string&) {
    ctx.persist(Disk{ctx.peers()[ctx.choose(static_cast<uint32_t>(ctx.peers().size()))]});
  }
};

inline std::string problem_with_pointers() {
  System system;
  system.add<Pointer>(3);
  system.alike<Pointer>();
  const Result<Report> report = check(system, {.threads = 1, .symmetry = true});
  if (!report.ok()) return report.error().message;
  return differ("classes of pointers", report->distinct_states, 7);
}

// A directed graph on at most eight points, to be labelled canonically.
struct Graph : public detail::Labelling::Source {
  std::vector<std::vector<int>> edges;

  Graph renamed(const std::vector<uint8_t>& to) const {
    Graph out = *this;
    for (size_t a = 0; a < edges.size(); ++a) {
      for (size_t b = 0; b < edges.size(); ++b) out.edges[to[a]][to[b]] = edges[a][b];
    }
    return out;
  }
  uint64_t relation(uint8_t a, uint8_t b) override {
    return static_cast<uint64_t>(edges[a][b] * 2 + edges[b][a]);
  }
  bool exchangeable(uint8_t a, uint8_t b) override {
    std::vector<uint8_t> to = identity();
    std::swap(to[a], to[b]);
    return renamed(to).edges == edges;
  }
  uint64_t image(const std::vector<uint8_t>& to) override { return value::hash(renamed(to).edges); }
  std::vector<uint8_t> identity() const {
    std::vector<uint8_t> to(edges.size());
    for (size_t i = 0; i < to.size(); ++i) to[i] = static_cast<uint8_t>(i);
    return to;
  }
};

// Cycles of these lengths, side by side: no point differs from another in what is near it.
inline Graph cycles(const std::vector<size_t>& lengths) {
  Graph out;
  size_t points = 0;
  for (size_t length : lengths) points += length;
  out.edges.assign(points, std::vector<int>(points, 0));
  size_t first = 0;
  for (size_t length : lengths) {
    for (size_t i = 0; i < length; ++i) out.edges[first + i][first + (i + 1) % length] = 1;
    first += length;
  }
  return out;
}

// A graph and the same with its points renamed must get one label, and different graphs two.
inline std::string problem_with_labels() {
  std::set<uint64_t> labels;
  const std::vector<std::vector<size_t>> graphs = {{3, 4}, {2, 5}, {7}, {2, 2, 3}, {1, 6}};
  for (const std::vector<size_t>& lengths : graphs) {
    const Graph graph = cycles(lengths);
    detail::Labelling labelling({graph.identity()});
    std::set<uint64_t> found;
    std::vector<uint8_t> order = graph.identity();
    for (int round = 0; round < 500; ++round) {
      Graph other = graph.renamed(order);
      std::vector<uint8_t> to;
      labelling.find(std::vector<uint64_t>(order.size(), 0), other, to);
      found.insert(other.image(to));
      for (int i = 0; i < 11; ++i) std::next_permutation(order.begin(), order.end());
    }
    if (found.size() != 1) {
      return "a graph of cycles has " + std::to_string(found.size()) + " labels";
    }
    labels.insert(*found.begin());
  }
  return differ("labels of graphs", labels.size(), graphs.size());
}

// The first thing that is wrong with classes of states; "": nothing is.
inline std::string problem_with_classes() {
  std::string problem = problem_with_pointers();
  if (problem.empty()) problem = problem_with_labels();
  if (!problem.empty()) return problem;
  const Tally tally = compare_classes({.systems = 150, .cap = 150, .stop_early = true});
  return tally.disagreements.empty() ? "" : tally.disagreements.front();
}

}  // namespace ordeal::oracle
