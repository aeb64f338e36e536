// What a specification would have allowed where a log leaves it.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "conform/tla_log_model.h"
#include "language/tla/model/explorer.h"

namespace ordeal::conform {
namespace {

using tla::Value;

// Of all that are possible: so many states are looked at, and so many successors of each.
constexpr size_t kMostStates = 20;
constexpr size_t kMostSuccessors = 200;
constexpr size_t kMostObstacles = 3;

std::vector<uint32_t> packed(tla::Specification& spec, std::span<const Value> state) {
  tla::Heap copies;
  std::vector<uint32_t> out;
  for (const Value value : state) {
    const uint64_t word = spec.pool().intern(copies, copy_of(copies, value)).word();
    out.push_back(static_cast<uint32_t>(word));
    out.push_back(static_cast<uint32_t>(word >> 32));
  }
  return out;
}

TlaState unpacked(StateRef words) {
  TlaState out;
  for (size_t i = 0; i + 1 < words.size(); i += 2) {
    out.values.push_back(Value::from_word(uint64_t{words[i]} | uint64_t{words[i + 1]} << 32));
  }
  return out;
}

std::string step_text(const Action& action) {
  std::string out = action.type;
  if (action.payload.kind != value::Tree::Kind::kRecord) return out;
  for (size_t i = 0; i < action.payload.items.size(); ++i) {
    out += (i == 0 ? "(" : ", ") + action.payload.names[i] + ": " +
           value::show(action.payload.items[i]);
  }
  return out + (action.payload.items.empty() ? "" : ")");
}

}  // namespace

class TlaLogModel::Nearest {
 public:
  explicit Nearest(TlaLogModel& model) : model_(model) {}

  std::vector<Near> find(size_t most) {
    for (const TlaState& state : model_.before_) {
      if (looked_at_++ == kMostStates) break;
      for (const AskedWay& way : model_.asked_.ways) look_at_way(state, way);
      look_at_others(state);
    }
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Found& a, const Found& b) { return a.distance < b.distance; });
    std::vector<Near> out;
    for (Found& one : found_) {
      if (out.size() == most) break;
      const bool is_known = std::any_of(out.begin(), out.end(), [&](const Near& known) {
        return known.step == one.near.step && known.why == one.near.why &&
               same_differences(known, one.near);
      });
      if (!is_known) out.push_back(std::move(one.near));
    }
    return out;
  }

 private:
  struct Found {
    Near near;
    size_t distance = 0;
  };

  static bool same_differences(const Near& a, const Near& b) {
    return std::equal(a.differs.begin(), a.differs.end(), b.differs.begin(), b.differs.end(),
                      [](const Difference& x, const Difference& y) {
                        return x.what == y.what && x.model == y.model;
                      });
  }

  void put(Near near, size_t distance) { found_.push_back({std::move(near), distance}); }

  // The steps that the line stands for: where they end, or where they cannot go on.
  void look_at_way(const TlaState& from, const AskedWay& way) {
    std::vector<TlaState> at = model_.beginnings({from}, way);
    if (at.empty()) return put({way.text(), {}, {"the mapper's condition is false"}}, 3);
    std::string text;
    for (const AskedStep& step : way.steps) {
      TlaStates reached(kMostSuccessors);
      if (step.maybe) {
        for (const TlaState& state : at) reached.add(state);
      }
      for (const TlaState& state : at) model_.take_step(state, step, reached);
      text += (text.empty() ? "" : " then ") + step.text();
      if (reached.empty()) return look_at_obstacles(at[0], step, text);
      at = std::move(reached.all());
    }
    if (text.empty()) text = "nothing happens";
    for (const TlaState& state : at) {
      Near near{text, model_.differences(state, model_.asked_), {}};
      const size_t distance = near.differs.size();
      put(std::move(near), distance);
    }
  }

  void look_at_obstacles(const TlaState& at, const AskedStep& step, const std::string& text) {
    Near near{text, {}, {}};
    std::string no_value;
    if (const tla::FollowedAction* action = model_.action_of(step, at, &no_value)) {
      near.why = model_.follower_->obstacles(at.values, *action);
      if (near.why.size() > kMostObstacles) near.why.resize(kMostObstacles);
    } else if (!no_value.empty()) {
      near.why.push_back(no_value);
    }
    // With other arguments it may be enabled.
    bool would_be = false;
    for (size_t i = 0; i < step.names.size(); ++i) {
      AskedStep without = step;
      without.names.erase(without.names.begin() + static_cast<ptrdiff_t>(i));
      without.values.erase(without.values.begin() + static_cast<ptrdiff_t>(i));
      TlaStates reached(1);
      const std::string trouble = model_.trouble_;
      model_.take_step(at, without, reached);
      model_.trouble_ = trouble;
      if (reached.empty()) continue;
      would_be = true;
      Near other{step.text(), {}, near.why};
      other.differs.push_back({"argument " + step.names[i],
                               step.values[i].empty() ? "?" : tla::to_text(step.values[i][0]), ""});
      const std::vector<Difference> more = model_.differences(reached.all()[0], model_.asked_);
      other.differs.insert(other.differs.end(), more.begin(), more.end());
      const size_t distance = other.differs.size();
      put(std::move(other), distance);
    }
    if (!would_be) put(std::move(near), 2);
  }

  // Whatever else is enabled, where that can be listed.
  void look_at_others(const TlaState& from) {
    tla::Specification& spec = model_.follower_->specification();
    if (space_ == nullptr) {
      space_ = std::make_unique<tla::TlaSpace>(model_.specification_);
      explorer_ = std::make_unique<tla::TlaExplorer>(*space_);
    }
    const std::vector<uint32_t> state = packed(spec, from.values);
    std::vector<Choice> choices;
    explorer_->enumerate(state, choices);
    if (explorer_->trouble() != nullptr) return;
    if (choices.size() > kMostSuccessors) choices.resize(kMostSuccessors);
    for (const Choice& choice : choices) {
      std::vector<uint32_t> words;
      explorer_->apply(state, 0, choice, words);
      const Action action = explorer_->action(state, choice);
      Near near{step_text(action), differing_step(action), {}};
      const std::vector<Difference> seen = model_.differences(unpacked(words), model_.asked_);
      // A step of another name is further away than one with another argument.
      const bool is_other = !near.differs.empty() && near.differs[0].what == "action";
      near.differs.insert(near.differs.end(), seen.begin(), seen.end());
      const size_t distance = near.differs.size() + (is_other ? 1 : 0);
      put(std::move(near), distance);
    }
  }

  // From the nearest of the single steps that the line may stand for.
  std::vector<Difference> differing_step(const Action& action) {
    std::optional<std::vector<Difference>> best;
    std::string wanted;
    for (const AskedWay& way : model_.asked_.ways) {
      for (const AskedStep& step : way.steps) {
        if (wanted.empty()) wanted = step.name;
        if (step.name != action.type) continue;
        std::vector<Difference> out;
        for (size_t i = 0; i < step.names.size(); ++i) {
          const value::Tree* const is = action.payload.find(step.names[i]);
          if (is == nullptr) continue;
          const std::vector<Value>& values = step.values[i];
          const bool same = std::any_of(values.begin(), values.end(),
                                        [&](Value one) { return tla::tree_of(one) == *is; });
          if (same) continue;
          out.push_back({"argument " + step.names[i],
                         values.empty() ? "?" : tla::to_text(values[0]), value::show(*is)});
        }
        if (!best || out.size() < best->size()) best = std::move(out);
      }
    }
    if (best) return *std::move(best);
    return {{"action", wanted.empty() ? "none" : wanted, action.type}};
  }

  TlaLogModel& model_;
  std::vector<Found> found_;
  size_t looked_at_ = 0;
  std::unique_ptr<tla::TlaSpace> space_;
  std::unique_ptr<tla::TlaExplorer> explorer_;
};

void TlaLogModel::explain(Departure& out, size_t most) {
  out.states = before_.size();
  for (const AskedWay& way : asked_.ways) out.stands_for.push_back(way.text());
  if (asked_.departs) out.stands_for.emplace_back("nothing: no rule of the mapper is about it");
  out.nearest = Nearest(*this).find(most);
}

}  // namespace ordeal::conform
