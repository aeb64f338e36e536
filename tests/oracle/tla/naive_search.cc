#include "tests/oracle/tla/naive_search.h"

#include <algorithm>

namespace ordeal::oracle::naive {

namespace {

constexpr uint64_t kMostStates = 1500;

Val renamed(const Val& value, const std::map<std::string, std::string>& names) {
  switch (value.kind) {
    case Val::Kind::kModel:
      return Val::model(names.at(value.text));
    case Val::Kind::kSet: {
      Set out;
      for (const Val& item : *value.set) out.insert(renamed(item, names));
      return Val::of(std::move(out));
    }
    case Val::Kind::kFunction: {
      Function out;
      for (const auto& [key, item] : *value.function) {
        out.emplace(renamed(key, names), renamed(item, names));
      }
      return Val::of(std::move(out));
    }
    default:
      return value;
  }
}

Val as_tuple(const State& state) {
  std::vector<Val> values;
  for (const std::optional<Val>& value : state) values.push_back(*value);
  return Val::sequence(values);
}

}  // namespace

SpecSearch::SpecSearch(Evaluator& evaluator, const RandomSpec& spec, bool keep_going)
    : naive_(evaluator), spec_(spec), keep_going_(keep_going) {
  if (!spec.symmetry) return;
  const std::vector<std::string> names{"m1", "m2", "m3"};
  std::vector<std::string> images = names;
  do {
    std::map<std::string, std::string>& renaming = renamings_.emplace_back();
    for (size_t i = 0; i < names.size(); ++i) renaming[names[i]] = images[i];
  } while (std::next_permutation(images.begin(), images.end()));
}

std::pair<bool, Val> SpecSearch::identity(const State& state) {
  bool inside = true;
  try {
    inside = is_inside(state);
  } catch (const NoValue&) {
    // It is told of when it is visited.
  }
  const Val whole = as_tuple(state);
  if (!inside) return {false, whole};
  if (!spec_.view.empty()) return {true, naive_.value_of(spec_.view, {&state, nullptr})};
  Val least = whole;
  for (const auto& renaming : renamings_) {
    Val other = renamed(whole, renaming);
    if (compare(other, least) < 0) least = std::move(other);
  }
  return {true, least};
}

bool SpecSearch::put(States& states, const std::pair<bool, Val>& identity) {
  return (identity.first ? states.inside : states.beyond).insert(identity.second).second;
}

bool SpecSearch::has(const States& states, const std::pair<bool, Val>& identity) {
  return (identity.first ? states.inside : states.beyond).contains(identity.second);
}

bool SpecSearch::is_new(const State& state) { return put(seen_, identity(state)); }

SearchResult SpecSearch::run() {
  std::vector<Entry> level;
  try {
    naive_.steps_of("Init", nullptr, [&](const State& state) {
      if (++out_.initial > kMostStates) throw TooMuch{};
      level.push_back({state, 0});
      return true;
    });
    for (const Entry& entry : level) put(initial_, identity(entry.state));
    for (const Entry& entry : level) {
      try {
        begins_inside_ = begins_inside_ || is_inside(entry.state);
      } catch (const NoValue&) {
        begins_inside_ = true;  // it is told of when it is visited
      }
    }
    std::erase_if(level, [&](const Entry& entry) { return !is_new(entry.state); });
  } catch (const NoValue&) {
    out_.starts = false;
  }
  if (level.empty()) out_.starts = false;
  if (!out_.starts) return out_;
  while (!level.empty() && !out_.trouble && (keep_going_ || out_.violated.empty())) {
    std::vector<Entry> next;
    for (const Entry& entry : level) visit(entry, next);
    level = std::move(next);
  }
  out_.distinct = seen() - out_.outside;
  // Where no run begins inside, the engine says so instead of that all is well.
  if (!begins_inside_ && out_.violated.empty() && !out_.trouble) out_.starts = false;
  if (!keep_going_ && out_.violated.size() > 1) {
    // The shortest, and of several that which was met first.
    std::string first = order_[0];
    for (const std::string& other : order_) {
      if (out_.violated[other] < out_.violated[first]) first = other;
    }
    out_.violated = {{first, out_.violated[first]}};
  }
  return out_;
}

bool SpecSearch::is_inside(const State& state) {
  bool inside = true;
  for (const std::string& name : spec_.constraints) {
    inside = inside && naive_.truth_of(name, {&state, nullptr});
  }
  return inside;
}

void SpecSearch::visit(const Entry& entry, std::vector<Entry>& next) {
  if (seen() > kMostStates) throw TooMuch{};
  bool within = true;
  try {
    within = is_inside(entry.state);
  } catch (const NoValue&) {
    return trouble(entry.depth);
  }
  if (!within) {
    ++out_.outside;
    judge(entry, false);
    return;
  }
  out_.depth = entry.depth;
  std::vector<Edge> edges;
  try {
    naive_.steps_of("Next", &entry.state, [&](const State& to) {
      edges.push_back({to, false});
      return true;
    });
    for (Edge& edge : edges) {
      for (const std::string& name : spec_.action_constraints) {
        edge.outside = edge.outside || !naive_.truth_of(name, {&entry.state, &edge.to});
      }
      identity(edge.to);
    }
  } catch (const NoValue&) {
    return trouble(entry.depth);
  }
  expanded_.push_back(entry.state);
  if (!judge(entry, edges.empty())) return;
  out_.terminal += edges.empty();
  for (const Edge& edge : edges) {
    ++out_.transitions;
    const uint32_t depth = entry.depth + 1;
    std::vector<std::string> bad;
    try {
      for (const std::string& name : spec_.on_steps) {
        if (!naive_.always_truth_of(name, {&entry.state, &edge.to})) bad.push_back(name);
      }
      if (edge.outside) {
        for (const std::string& name : broken(edge.to, false)) bad.push_back(name);
      }
    } catch (const NoValue&) {
      trouble(depth);
      continue;
    }
    for (const std::string& name : bad) violates(name, depth);
    if (!edge.outside && is_new(edge.to)) next.push_back({edge.to, depth});
  }
}

std::vector<std::string> SpecSearch::broken(const State& state, bool is_initial) {
  std::vector<std::string> out;
  const Moment here{&state, nullptr};
  for (const std::string& name : spec_.invariants) {
    const bool is =
        name == "Always" ? naive_.always_truth_of(name, here) : naive_.truth_of(name, here);
    if (!is) out.push_back(name);
  }
  if (is_initial) {
    for (const std::string& name : spec_.initially) {
      if (!naive_.truth_of(name, here)) out.push_back(name);
    }
  }
  return out;
}

bool SpecSearch::judge(const Entry& entry, bool deadlocked) {
  try {
    const bool is_initial = has(initial_, identity(entry.state));
    for (const std::string& name : broken(entry.state, is_initial)) violates(name, entry.depth);
    if (deadlocked && spec_.deadlock) violates("no deadlock", entry.depth);
    return true;
  } catch (const NoValue&) {
    trouble(entry.depth);
    return false;
  }
}

void SpecSearch::trouble(uint32_t depth) {
  if (out_.trouble || (!keep_going_ && !out_.violated.empty())) return;
  out_.trouble = depth;
}

void SpecSearch::violates(const std::string& property, uint32_t depth) {
  if (out_.trouble && !keep_going_) return;
  const auto [known, is_new] = out_.violated.emplace(property, depth);
  if (is_new) order_.push_back(property);
  known->second = std::min(known->second, depth);
}

}  // namespace ordeal::oracle::naive
