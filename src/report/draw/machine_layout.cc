#include "report/draw/machine_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.h"

namespace ordeal::report {
namespace {

constexpr double kChar = 7.4;  // width of a character, with a little air
constexpr double kLine = 17;   // height of a line of text
constexpr double kMargin = 14;
constexpr double kStartArrow = 30;  // above the start state
constexpr double kGapAcross = 22;   // between neighbours in a layer
constexpr double kGapDown = 26;     // between layers
constexpr double kLoop = 30;        // from the border of a state to the label of a loop
constexpr size_t kLabelColumns = 30;
constexpr size_t kLabelLines = 6;
constexpr size_t kNameColumns = 40;
constexpr int kSweeps = 12;
constexpr double kStraight = 8;

// Something in a layer: a state, the label of a transition, or a line that passes through.
struct Item {
  enum class Kind { kState, kLabel, kPassing };
  Kind kind = Kind::kPassing;
  size_t index = 0;  // of the state or the transition
  double left = 0;   // extent from its centre
  double right = 0;
  double height = 0;
  double x = 0;                 // its centre
  std::vector<size_t> up = {};  // connected items of the layer above, by position in `items`
  std::vector<size_t> down = {};
};

double width_of(const std::vector<std::string>& lines) {
  size_t columns = 0;
  for (const std::string& line : lines) columns = std::max(columns, columns_of(line));
  return static_cast<double>(columns) * kChar;
}

double height_of(const std::vector<std::string>& lines) {
  return static_cast<double>(lines.size()) * kLine;
}

// Broken at spaces; a word that is too long for a line by itself is cut.
std::vector<std::string> label_lines(const MachineResult::Transition& transition) {
  std::vector<std::string> lines;
  for (std::string& line : wrapped(one_line(transition.label), kLabelColumns)) {
    lines.push_back(cut_to(line, kLabelColumns + 14));
  }
  if (lines.size() > kLabelLines) {
    lines.resize(kLabelLines);
    lines.back() += " …";
  }
  lines.push_back(transition.taken == 0 ? "never taken" : grouped(transition.taken) + "×");
  return lines;
}

class MachineLayout {
 public:
  explicit MachineLayout(const MachineResult& machine) : machine_(machine) {
    out_.states.resize(machine.states.size());
    out_.edges.resize(machine.transitions.size());
    for (size_t i = 0; i < machine.transitions.size(); ++i) {
      MachineDiagram::Edge& edge = out_.edges[i];
      const MachineResult::Transition& transition = machine.transitions[i];
      edge.loop = transition.from == transition.to;
      edge.lines = label_lines(transition);
      edge.label.width = width_of(edge.lines);
      edge.label.height = height_of(edge.lines);
    }
  }

  MachineDiagram run() {
    if (machine_.states.empty()) return std::move(out_);
    find_back_edges();
    rank_states();
    fill_layers();
    order_layers();
    place_across();
    place_down();
    draw_edges();
    return std::move(out_);
  }

 private:
  // Transitions that lead back to a state on the way to them: the layers are made without them.
  void find_back_edges() {
    back_.assign(machine_.transitions.size(), false);
    enum : uint8_t { kNew, kOpen, kDone };
    std::vector<uint8_t> mark(machine_.states.size(), kNew);
    const auto visit = [&](auto&& self, uint32_t state) -> void {
      mark[state] = kOpen;
      for (size_t i = 0; i < machine_.transitions.size(); ++i) {
        const MachineResult::Transition& transition = machine_.transitions[i];
        if (transition.from != state || transition.to == state) continue;
        if (mark[transition.to] == kOpen) back_[i] = true;
        if (mark[transition.to] == kNew) self(self, transition.to);
      }
      mark[state] = kDone;
    };
    for (uint32_t state = 0; state < machine_.states.size(); ++state) {
      if (mark[state] == kNew) visit(visit, state);
    }
  }

  uint32_t upper(size_t edge) const {
    const MachineResult::Transition& transition = machine_.transitions[edge];
    return back_[edge] ? transition.to : transition.from;
  }
  uint32_t lower(size_t edge) const {
    const MachineResult::Transition& transition = machine_.transitions[edge];
    return back_[edge] ? transition.from : transition.to;
  }

  // Each state as far down as the longest way to it.
  void rank_states() {
    rank_.assign(machine_.states.size(), 0);
    for (size_t round = 0; round < machine_.states.size(); ++round) {
      for (size_t i = 0; i < machine_.transitions.size(); ++i) {
        if (out_.edges[i].loop) continue;
        rank_[lower(i)] = std::max(rank_[lower(i)], rank_[upper(i)] + 1);
      }
    }
  }

  size_t add(size_t layer, Item item) {
    if (layer >= layers_.size()) layers_.resize(layer + 1);
    items_.push_back(std::move(item));
    layers_[layer].push_back(items_.size() - 1);
    return items_.size() - 1;
  }

  void connect(size_t above, size_t below) {
    items_[above].down.push_back(below);
    items_[below].up.push_back(above);
  }

  void fill_layers() {
    state_items_.resize(machine_.states.size());
    for (size_t state = 0; state < machine_.states.size(); ++state) {
      const std::vector<std::string> lines = state_lines(machine_, state);
      Box& box = out_.states[state];
      box.width = width_of(lines) + 34;
      box.height = height_of(lines) + 16;
      Item item{.kind = Item::Kind::kState, .index = state};
      double loops = 0;
      double beside = 0;
      for (size_t i = 0; i < machine_.transitions.size(); ++i) {
        if (!out_.edges[i].loop || machine_.transitions[i].from != state) continue;
        loops += out_.edges[i].label.height + 8;
        beside = std::max(beside, kLoop + out_.edges[i].label.width);
      }
      box.height = std::max(box.height, loops);
      item.left = box.width / 2;
      item.right = box.width / 2 + beside;
      item.height = box.height;
      state_items_[state] = add(2 * rank_[state], item);
    }
    way_.resize(machine_.transitions.size());
    for (size_t i = 0; i < machine_.transitions.size(); ++i) {
      if (out_.edges[i].loop) continue;
      const size_t first = 2 * rank_[upper(i)] + 1;
      const size_t last = 2 * rank_[lower(i)] - 1;
      const size_t labelled = back_[i] ? last : first;  // next to where the transition starts
      size_t above = state_items_[upper(i)];
      way_[i].push_back(above);
      for (size_t layer = first; layer <= last; ++layer) {
        Item item{.kind = Item::Kind::kPassing, .index = i, .left = 4, .right = 4};
        if (layer == labelled) {
          const Box& label = out_.edges[i].label;
          item.kind = Item::Kind::kLabel;
          item.left = item.right = label.width / 2;
          item.height = label.height + 4;
        }
        const size_t below = add(layer, item);
        connect(above, below);
        way_[i].push_back(below);
        above = below;
      }
      connect(above, state_items_[lower(i)]);
      way_[i].push_back(state_items_[lower(i)]);
    }
  }

  // Fewer crossings: items go where their neighbours are, a few times down and up; the best order
  // seen is kept.
  void order_layers() {
    std::vector<std::vector<size_t>> best = layers_;
    size_t fewest = crossings();
    for (int sweep = 0; sweep < kSweeps && fewest > 0; ++sweep) {
      const bool downwards = sweep % 2 == 0;
      for (size_t i = 0; i < layers_.size(); ++i) {
        sort_layer(downwards ? i : layers_.size() - 1 - i, downwards);
      }
      const size_t now = crossings();
      if (now >= fewest) continue;
      fewest = now;
      best = layers_;
    }
    layers_ = best;
  }

  std::vector<size_t> positions() const {
    std::vector<size_t> position(items_.size());
    for (const std::vector<size_t>& layer : layers_) {
      for (size_t i = 0; i < layer.size(); ++i) position[layer[i]] = i;
    }
    return position;
  }

  void sort_layer(size_t layer, bool downwards) {
    const std::vector<size_t> position = positions();
    std::vector<std::pair<double, size_t>> keyed;
    for (size_t item : layers_[layer]) {
      const std::vector<size_t>& near = downwards ? items_[item].up : items_[item].down;
      double sum = 0;
      for (size_t other : near) sum += static_cast<double>(position[other]);
      keyed.emplace_back(near.empty() ? static_cast<double>(position[item])
                                      : sum / static_cast<double>(near.size()),
                         item);
    }
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 0; i < keyed.size(); ++i) layers_[layer][i] = keyed[i].second;
  }

  size_t crossings() const {
    const std::vector<size_t> position = positions();
    size_t count = 0;
    for (const std::vector<size_t>& layer : layers_) {
      std::vector<std::pair<size_t, size_t>> lines;
      for (size_t item : layer) {
        for (size_t below : items_[item].down) {
          lines.emplace_back(position[item], position[below]);
        }
      }
      for (size_t a = 0; a < lines.size(); ++a) {
        for (size_t b = a + 1; b < lines.size(); ++b) {
          const bool crossed =
              (lines[a].first < lines[b].first) != (lines[a].second < lines[b].second);
          if (crossed && lines[a].first != lines[b].first && lines[a].second != lines[b].second) {
            ++count;
          }
        }
      }
    }
    return count;
  }

  // Items under and over what they are connected with, as far as the order and the gaps allow.
  void place_across() {
    for (const std::vector<size_t>& layer : layers_) {
      double x = 0;
      for (size_t item : layer) {
        items_[item].x = x + items_[item].left;
        x = items_[item].x + items_[item].right + kGapAcross;
      }
    }
    for (int sweep = 0; sweep < 2 * kSweeps; ++sweep) {
      for (size_t i = 0; i < layers_.size(); ++i) {
        place_layer(layers_[sweep % 2 == 0 ? i : layers_.size() - 1 - i]);
      }
    }
    double left = std::numeric_limits<double>::max();
    double right = 0;
    for (const Item& item : items_) left = std::min(left, item.x - item.left);
    for (Item& item : items_) {
      item.x += kMargin - left;
      right = std::max(right, item.x + item.right);
    }
    out_.width = right + kMargin;
  }

  // The places nearest to the wanted ones (in the sum of squares) that keep the order and the gaps:
  // runs of items that would get too close share the mean of their wishes.
  void place_layer(const std::vector<size_t>& layer) {
    struct Run {
      double sum;  // of wishes, by weight
      double weight;
      size_t items;
      double mean() const { return sum / weight; }
    };
    std::vector<Run> runs;
    std::vector<double> offset;
    double distance = 0;
    for (size_t i = 0; i < layer.size(); ++i) {
      const Item& item = items_[layer[i]];
      if (i > 0) distance += items_[layer[i - 1]].right + kGapAcross + item.left;
      offset.push_back(distance);
      const bool passing = item.kind == Item::Kind::kPassing;
      double sum = 0;
      double count = 0;
      for (const std::vector<size_t>* near : {&item.up, &item.down}) {
        for (size_t other : *near) {
          // A line that passes several layers shall be straight there.
          const bool straight = passing && items_[other].kind == Item::Kind::kPassing;
          sum += items_[other].x * (straight ? kStraight : 1);
          count += straight ? kStraight : 1;
        }
      }
      const double weight = passing ? kStraight : 1;
      runs.push_back({((count == 0 ? item.x : sum / count) - distance) * weight, weight, 1});
      while (runs.size() > 1 && runs[runs.size() - 2].mean() >= runs.back().mean()) {
        runs[runs.size() - 2].sum += runs.back().sum;
        runs[runs.size() - 2].weight += runs.back().weight;
        runs[runs.size() - 2].items += runs.back().items;
        runs.pop_back();
      }
    }
    size_t at = 0;
    for (const Run& run : runs) {
      for (size_t i = 0; i < run.items; ++i, ++at) items_[layer[at]].x = run.mean() + offset[at];
    }
  }

  void place_down() {
    double y = kMargin + kStartArrow;
    layers_at_.clear();
    for (const std::vector<size_t>& layer : layers_) {
      double height = 0;
      for (size_t item : layer) height = std::max(height, items_[item].height);
      layers_at_.push_back({y, y + height});
      for (size_t number : layer) {
        const Item& item = items_[number];
        const double top = y + (height - item.height) / 2;
        if (item.kind == Item::Kind::kState) {
          Box& box = out_.states[item.index];
          box.x = item.x - box.width / 2;
          box.y = top;
        } else if (item.kind == Item::Kind::kLabel) {
          Box& label = out_.edges[item.index].label;
          label.x = item.x - label.width / 2;
          label.y = top;
        }
      }
      y += height + kGapDown;
    }
    out_.height = y - kGapDown + kMargin;
  }

  // Where a line meets the border of a state: one place for each, in the order of where they lead.
  double port(size_t state_item, size_t neighbour, bool below) const {
    const Item& state = items_[state_item];
    std::vector<size_t> near = below ? state.down : state.up;
    std::stable_sort(near.begin(), near.end(),
                     [&](size_t a, size_t b) { return items_[a].x < items_[b].x; });
    const auto at = std::find(near.begin(), near.end(), neighbour);
    const double share =
        (static_cast<double>(at - near.begin()) + 1) / (static_cast<double>(near.size()) + 1);
    return state.x - state.left + share * 2 * state.left;
  }

  void draw_edges() {
    std::vector<double> loops(machine_.states.size(), 0);
    for (size_t i = 0; i < machine_.transitions.size(); ++i) {
      MachineDiagram::Edge& edge = out_.edges[i];
      if (edge.loop) {
        draw_loop(edge, out_.states[machine_.transitions[i].from],
                  loops[machine_.transitions[i].from]);
      } else {
        draw_edge(i);
      }
    }
  }

  void draw_edge(size_t number) {
    MachineDiagram::Edge& edge = out_.edges[number];
    const std::vector<size_t>& way = way_[number];
    const Box& from = out_.states[upper(number)];
    const Box& to = out_.states[lower(number)];
    // Within a layer lines are upright: beside them may be something taller.
    const size_t layer = 2 * rank_[upper(number)];
    const double leaves = port(way.front(), way[1], true);
    std::vector<Point> above = {{leaves, from.bottom()}, {leaves, layers_at_[layer].second}};
    std::vector<Point> below;
    bool past_label = false;
    for (size_t i = 1; i + 1 < way.size(); ++i) {
      const Item& item = items_[way[i]];
      const auto& [top, bottom] = layers_at_[layer + i];
      (past_label ? below : above).push_back({item.x, top});
      if (item.kind == Item::Kind::kLabel) {
        above.push_back({item.x, edge.label.y - 2});
        below.push_back({item.x, edge.label.bottom() + 2});
        past_label = true;
      }
      (past_label ? below : above).push_back({item.x, bottom});
    }
    const double arrives = port(way.back(), way[way.size() - 2], false);
    below.push_back({arrives, layers_at_[layer + way.size() - 1].first});
    below.push_back({arrives, to.y});
    if (back_[number]) {
      std::reverse(above.begin(), above.end());
      std::reverse(below.begin(), below.end());
      std::swap(above, below);
    }
    edge.to_label = std::move(above);
    edge.from_label = std::move(below);
  }

  static void draw_loop(MachineDiagram::Edge& edge, const Box& state, double& used) {
    edge.label.x = state.right() + kLoop;
    edge.label.y = state.y + used + 4;
    used += edge.label.height + 8;
    const double y = edge.label.y + edge.label.height / 2;
    edge.to_label = {{state.right(), y - 7}, {state.right(), y + 7}};
  }

  const MachineResult& machine_;
  MachineDiagram out_;
  std::vector<bool> back_;
  std::vector<size_t> rank_;
  std::vector<Item> items_;
  std::vector<std::vector<size_t>> layers_;
  std::vector<size_t> state_items_;
  std::vector<std::vector<size_t>> way_;  // items of each transition, from the upper state down
  std::vector<std::pair<double, double>> layers_at_;  // where each layer begins and ends
};

}  // namespace

std::vector<std::string> state_lines(const MachineResult& machine, size_t state) {
  const MachineResult::State& known = machine.states[state];
  std::vector<std::string> lines = {cut_to(one_line(known.name), kNameColumns)};
  const bool success = known.kind == Machine::Kind::kSuccess;
  const bool failure = known.kind == Machine::Kind::kFailure;
  if (success) lines[0] = "✓ " + lines[0];
  if (failure) lines[0] = "✗ " + lines[0];
  const bool says_it = known.name == Machine::kSuccess || known.name == Machine::kFailure;
  if ((success || failure) && !says_it) lines.push_back(success ? "(success)" : "(failure)");
  if (known.ended_in > 0) lines.push_back(counted(known.ended_in, "run") + " ended here");
  return lines;
}

MachineDiagram layout(const MachineResult& machine) { return MachineLayout(machine).run(); }

}  // namespace ordeal::report
