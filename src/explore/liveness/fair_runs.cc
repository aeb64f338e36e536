#include "explore/liveness/fair_runs.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/mutant.h"
#include "explore/liveness/lasso.h"
#include "explore/liveness/product.h"

namespace ordeal::explore {
namespace {

using Nodes = std::vector<uint32_t>;

// Depth-first search for components over numbered nodes; the top of the stack is where it is.
struct ComponentFrame {
  uint32_t node = 0;
  uint32_t done = 0;  // edges that were looked at
  uint32_t low = 0;
  bool self = false;  // it has an edge to itself
};

class FairRunSearch {
 public:
  explicit FairRunSearch(const FairRunTask& task)
      : task_(task),
        graph_(task.graph),
        product_(task.graph, task.liveness, task.formula),
        tally_(task.graph, task.liveness, product_.acceptance_sets()) {}

  FairRunResult run() {
    if (product_.is_empty()) return {};
    if (!product_.close() || product_.nodes() >= kMostNodes) {
      result_.stopped = {.kind = Bound::Kind::kSize,
                         .text = "the automaton of a property is too large"};
      return std::move(result_);
    }
    if (!has_room_for(product_.nodes() * sizeof(uint32_t))) return std::move(result_);
    order_.assign(product_.nodes(), 0);
    const size_t roots = mutant(Mutant::kFirstRootOnly) ? std::min<size_t>(1, graph_.roots().size())
                                                        : graph_.roots().size();
    for (size_t i = 0; i < roots && !is_over(); ++i) {
      const uint32_t root = static_cast<uint32_t>(product_.root(i));
      if (order_[root] == 0) search_from(root);
    }
    if (result_.stopped || best_state_ == kNone) return std::move(result_);
    if (task_.any) {
      result_.run.emplace();
    } else {
      tell_run();
    }
    return std::move(result_);
  }

 private:
  static constexpr uint64_t kMostNodes = ~0U - 2;
  static constexpr uint32_t kDone = ~0U;
  static constexpr uint32_t kNone = ~0U;
  static constexpr uint64_t kSteps = 1024;  // between two looks at the clock

  bool is_over() const { return result_.stopped || (task_.any && best_state_ != kNone); }

  bool has_room_for(uint64_t more) {
    const uint64_t bytes = task_.held_bytes + order_.capacity() * sizeof(uint32_t) +
                           frames_.capacity() * sizeof(ComponentFrame) +
                           stack_.capacity() * sizeof(uint32_t) + more;
    result_.bytes = std::max(result_.bytes, bytes);
    if (bytes > task_.most_bytes) {
      result_.stopped = {.kind = Bound::Kind::kMemory, .limit = task_.most_bytes, .used = bytes};
    }
    return !result_.stopped;
  }
  void look() {
    if (steps_++ % kSteps != 0 || !has_room_for(0)) return;
    result_.stopped = task_.pace.look(task_.so_far, frames_.size(), result_.bytes);
  }

  // --- Components of the product ----------------------------------------------------------------
  void search_from(uint32_t root) {
    open(root);
    Product::Cursor cursor = product_.edges_from(root);
    while (!frames_.empty()) {
      look();
      if (is_over()) return;
      ComponentFrame& top = frames_.back();
      bool deeper = false;
      for (ProductEdge edge; cursor.next(edge);) {
        ++top.done;
        const uint32_t to = static_cast<uint32_t>(edge.to);
        if (to == top.node) top.self = true;
        if (order_[to] == 0) {
          open(to);
          cursor = product_.edges_from(to);
          deeper = true;
          break;
        }
        if (order_[to] != kDone) top.low = std::min(top.low, order_[to]);
        if (order_[to] == kDone && mutant(Mutant::kLowLinksOfOthers)) top.low = 1;
      }
      if (deeper) continue;
      const ComponentFrame done = frames_.back();
      frames_.pop_back();
      if (done.low == order_[done.node]) close(done);
      if (frames_.empty()) return;
      ComponentFrame& below = frames_.back();
      below.low = std::min(below.low, done.low);
      cursor = product_.edges_from(below.node);
      ProductEdge skipped;
      for (uint32_t i = 0; i < below.done; ++i) cursor.next(skipped);
    }
  }

  void open(uint32_t node) {
    order_[node] = ++opened_;
    frames_.push_back({node, 0, opened_, false});
    stack_.push_back(node);
    if (!task_.liveness.stutters) look_at_end(node);
  }

  // Whether a run may end there.
  void look_at_end(uint32_t node) {
    const uint32_t state = product_.state_of(node);
    if (!graph_.is_terminal(state) || state >= best_state_ || mutant(Mutant::kEndsDoNotStay))
      return;
    if (!tally_.lets_stay(state) || !product_.accepts_staying(node)) return;
    best_state_ = state;
    best_ = {node};
    best_ends_ = true;
  }

  // What lies on the stack from the node on is a component.
  void close(const ComponentFrame& root) {
    size_t first = stack_.size();
    while (stack_[--first] != root.node) {
    }
    if (first + 1 < stack_.size() || root.self) {
      const Nodes nodes(stack_.begin() + static_cast<ptrdiff_t>(first), stack_.end());
      const uint32_t least = order_[root.node];
      examine(nodes, [&](uint32_t to) { return order_[to] != kDone && order_[to] >= least; });
    }
    for (size_t i = first; i < stack_.size(); ++i) order_[stack_[i]] = kDone;
    stack_.resize(first);
  }

  uint32_t first_state(const Nodes& nodes) const {
    uint32_t out = ~0U;
    for (const uint32_t node : nodes) out = std::min(out, product_.state_of(node));
    return out;
  }

  template <class Inside>
  void add_up(const Nodes& nodes, const Inside& inside) {
    tally_.clear();
    for (const uint32_t node : nodes) {
      tally_.add_node(product_.state_of(node));
      product_.each_edge(node, [&](const ProductEdge& edge) {
        if (inside(static_cast<uint32_t>(edge.to))) tally_.add_edge(edge);
        return true;
      });
    }
  }

  // Keeps the component, or the first of what it falls apart into, if a run may go round in it.
  template <class Inside>
  void examine(const Nodes& component, const Inside& inside) {
    if (first_state(component) >= best_state_) return;
    add_up(component, inside);
    if (tally_.is_hopeless()) return;
    if (tally_.misses_nothing()) return keep(component);
    std::vector<Nodes> waiting = parts_of(component);
    while (!waiting.empty()) {
      Nodes nodes = std::move(waiting.back());
      waiting.pop_back();
      add_up(nodes,
             [&](uint32_t to) { return std::binary_search(nodes.begin(), nodes.end(), to); });
      if (tally_.is_hopeless()) continue;
      if (tally_.misses_nothing()) {
        keep(nodes);
        continue;
      }
      for (Nodes& part : parts_of(nodes)) waiting.push_back(std::move(part));
    }
  }

  void keep(Nodes nodes) {
    const uint32_t state = first_state(nodes);
    if (state >= best_state_) return;
    best_state_ = state;
    best_ends_ = false;
    best_ = std::move(nodes);
    std::sort(best_.begin(), best_.end());
  }

  // What is left of a component without what it must lose, by the tally: its components in turn,
  // those that hold a cycle, each sorted.
  std::vector<Nodes> parts_of(const Nodes& component) {
    Nodes left;
    for (const uint32_t node : component) {
      if (!tally_.must_lose(product_.state_of(node))) left.push_back(node);
    }
    std::sort(left.begin(), left.end());
    if (mutant(Mutant::kTakenApartOnce) && !left.empty()) {
      if (left.size() < component.size()) return {left};
      return {};
    }
    std::vector<Nodes> out;
    std::vector<uint32_t> order(left.size());
    std::vector<ComponentFrame> frames;
    std::vector<uint32_t> stack;
    uint32_t opened = 0;
    const auto open_one = [&](uint32_t at) {
      order[at] = ++opened;
      frames.push_back({at, 0, opened, false});
      stack.push_back(at);
    };
    for (uint32_t root = 0; root < left.size(); ++root) {
      if (order[root] != 0) continue;
      open_one(root);
      while (!frames.empty()) {
        ComponentFrame& top = frames.back();
        Product::Cursor cursor = product_.edges_from(left[top.node]);
        ProductEdge edge;
        for (uint32_t i = 0; i < top.done; ++i) cursor.next(edge);
        bool deeper = false;
        while (cursor.next(edge)) {
          ++top.done;
          const uint32_t to = index_in(left, edge.to);
          if (to == kDone) continue;
          if (to == top.node) top.self = true;
          if (order[to] == 0) {
            open_one(to);
            deeper = true;
            break;
          }
          if (order[to] != kDone) top.low = std::min(top.low, order[to]);
        }
        if (deeper) continue;
        const ComponentFrame done = frames.back();
        frames.pop_back();
        if (!frames.empty()) frames.back().low = std::min(frames.back().low, done.low);
        if (done.low != order[done.node]) continue;
        Nodes part;
        uint32_t member = 0;
        do {
          member = stack.back();
          stack.pop_back();
          order[member] = kDone;
          part.push_back(left[member]);
        } while (member != done.node);
        if (part.size() == 1 && !done.self) continue;
        std::sort(part.begin(), part.end());
        out.push_back(std::move(part));
      }
    }
    return out;
  }

  static uint32_t index_in(const Nodes& sorted, uint64_t node) {
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), node);
    return at == sorted.end() || *at != node ? kDone : static_cast<uint32_t>(at - sorted.begin());
  }

  // --- The run
  // ------------------------------------------------------------------------------------
  using Walk = std::vector<ProductEdge>;

  ProductEdge edge_between(uint32_t from, uint32_t to) const {
    ProductEdge out;
    product_.each_edge(from, [&](const ProductEdge& edge) {
      if (edge.to != to) return true;
      out = edge;
      return false;
    });
    return out;
  }

  // The way along these nodes.
  void append_way(const Nodes& nodes, Walk& walk) const {
    for (size_t i = 0; i + 1 < nodes.size(); ++i) {
      walk.push_back(edge_between(nodes[i], nodes[i + 1]));
    }
  }

  // A shortest way from where runs begin to a node of the component. Notes the initial state.
  Walk way_there(uint32_t& initial, uint32_t& entry) {
    std::fill(order_.begin(), order_.end(), 0);  // from now on: where a node was reached from
    Nodes queue;
    for (size_t i = 0; i < graph_.roots().size(); ++i) {
      const uint32_t root = static_cast<uint32_t>(product_.root(i));
      if (order_[root] != 0) continue;
      order_[root] = 1;
      queue.push_back(root);
    }
    for (size_t at = 0; at < queue.size(); ++at) {
      const uint32_t node = queue[at];
      if (index_in(best_, node) != kDone) {
        Nodes way = {node};
        while (order_[way.back()] != 1) way.push_back(order_[way.back()] - 2);
        std::reverse(way.begin(), way.end());
        entry = node;
        for (const auto& [state, number] : graph_.roots()) {
          if (state == product_.state_of(way[0])) initial = number;
        }
        Walk out;
        append_way(way, out);
        return out;
      }
      product_.each_edge(node, [&](const ProductEdge& edge) {
        uint32_t& from = order_[edge.to];
        if (from == 0) {
          from = node + 2;
          queue.push_back(static_cast<uint32_t>(edge.to));
        }
        return true;
      });
    }
    throw std::logic_error("a component that was reached cannot be reached");
  }

  // Goes on inside of the component, by a shortest way, until it has taken an edge that `goal` is
  // true of. False: there is none.
  template <class Goal>
  bool go_on(uint32_t from, const Goal& goal, Walk& walk) const {
    Nodes parent(best_.size(), kDone);
    Nodes queue = {index_in(best_, from)};
    parent[queue[0]] = queue[0];
    for (size_t at = 0; at < queue.size(); ++at) {
      const uint32_t here = queue[at];
      std::optional<ProductEdge> last;
      product_.each_edge(best_[here], [&](const ProductEdge& edge) {
        const uint32_t to = index_in(best_, edge.to);
        if (to == kDone) return true;
        if (goal(edge)) {
          last = edge;
          return false;
        }
        if (parent[to] == kDone) {
          parent[to] = here;
          queue.push_back(to);
        }
        return true;
      });
      if (!last) continue;
      Nodes way = {best_[here]};
      for (uint32_t node = here; node != queue[0]; node = parent[node]) {
        way.push_back(best_[parent[node]]);
      }
      std::reverse(way.begin(), way.end());
      append_way(way, walk);
      walk.push_back(*last);
      return true;
    }
    return false;
  }

  // A cycle through a node of the component that is a run that counts: from what is missing to what
  // is missing next, and back.
  Walk round_trip(uint32_t entry) {
    Walk walk;
    uint32_t at = entry;
    for (;;) {
      tally_.clear();
      for (const ProductEdge& edge : walk) {
        tally_.add_node(edge.state);
        tally_.add_edge(edge);
      }
      const bool whole = !walk.empty() && (tally_.misses_nothing() || mutant(Mutant::kShortCycles));
      if (whole && at == entry) return walk;
      const auto closes = [&](const ProductEdge& edge) { return edge.to == entry; };
      const auto helps = [&](const ProductEdge& edge) { return tally_.helps(edge); };
      const bool went = (!whole && !mutant(Mutant::kShortCycles) && go_on(at, helps, walk)) ||
                        ((whole || walk.empty()) && go_on(at, closes, walk));
      if (!went) throw std::logic_error("a component that holds a fair cycle does not");
      at = static_cast<uint32_t>(walk.back().to);
    }
  }

  // The same run in fewer words: its cycle begins as early as it can, and is gone round once.
  static void tighten(Walk& way, size_t& begins) {
    const auto same = [&](size_t a, size_t b) {
      return way[a].state == way[b].state && way[a].choice == way[b].choice &&
             way[a].stays == way[b].stays;
    };
    const size_t length = way.size() - begins;
    for (size_t once = 1; once < length; ++once) {
      if (length % once != 0) continue;
      bool repeats = true;
      for (size_t i = begins + once; repeats && i < way.size(); ++i) repeats = same(i, i - once);
      if (!repeats) continue;
      way.resize(begins + once);
      break;
    }
    for (; begins > 0 && same(begins - 1, way.size() - 1); --begins) way.pop_back();
  }

  void tell_run() {
    FairRun run;
    uint32_t entry = 0;
    Walk way = way_there(run.initial, entry);
    size_t begins = way.size();
    if (best_ends_) {
      ProductEdge last;
      last.state = product_.state_of(entry);
      last.stays = true;
      way.push_back(last);
    } else {
      const Walk cycle = round_trip(entry);
      way.insert(way.end(), cycle.begin(), cycle.end());
    }
    tighten(way, begins);
    LassoWord word;
    word.loop = begins;
    for (size_t i = 0; i < way.size(); ++i) {
      if (i == begins) run.loop_start = static_cast<uint32_t>(run.choices.size());
      if (!way[i].stays) run.choices.push_back(way[i].choice);
      const uint32_t steps = way[i].stays ? 0 : graph_.label(way[i].label).atoms;
      word.states.push_back(graph_.state_atoms()[graph_.atoms_of(way[i].state)]);
      word.steps.push_back(graph_.step_atoms()[steps]);
    }
    if (!is_true_of(task_.formula, word)) {
      throw std::logic_error("a run that was found to violate a property satisfies it");
    }
    result_.run = std::move(run);
  }

  const FairRunTask& task_;
  const RunGraph& graph_;
  Product product_;
  FairnessTally tally_;
  std::vector<uint32_t> order_;  // by node: 0: not seen; kDone: its component is
  std::vector<ComponentFrame> frames_;
  std::vector<uint32_t> stack_;
  uint32_t opened_ = 0;
  uint64_t steps_ = 0;
  Nodes best_;
  uint32_t best_state_ = kNone;
  bool best_ends_ = false;  // a run that ends in the one node of best_
  FairRunResult result_;
};

}  // namespace

FairRunResult find_fair_run(const FairRunTask& task) {
  return std::make_unique<FairRunSearch>(task)->run();
}

}  // namespace ordeal::explore
