#include "system/actor/steer.h"

#include <algorithm>

#include "base/guard.h"
#include "base/text.h"
#include "base/watch.h"

namespace ordeal::actor {
namespace {

// What is known of a colour or a predicate is asked again so often: a function that remembers
// something is found out even if it agrees with itself at first.
constexpr uint32_t kAskAgain = 4096;

}  // namespace

Steer::Steer(std::shared_ptr<ActorSpace> space, Judge& judge)
    : space_(std::move(space)), judge_(judge) {
  const detail::Declaration& declaration = space_->declaration();
  painters_.push_back({kDefaultColouring, {}, {}});
  for (const auto& colour : declaration.colours) {
    const bool known = std::any_of(painters_.begin(), painters_.end(), [&](const Painter& one) {
      return one.name == colour.colouring.name;
    });
    if (!known) painters_.push_back({colour.colouring.name, {}, {}});
  }
  for (Painter& painter : painters_) {
    painter.by_node.resize(space_->node_count(), nullptr);
    painter.by_part.resize(space_->node_count());
    for (uint32_t node = 0; node < space_->node_count(); ++node) {
      for (const auto& colour : declaration.colours) {
        if (colour.colouring.name == painter.name && colour.type == space_->type_of(node).id) {
          painter.by_node[node] = &colour;
        }
      }
    }
  }
}

Result<uint32_t> Steer::predicate(const std::string& text) {
  const Result<PredicateCall> call = parse_predicate(text);
  if (!call) return call.error();
  const auto& declared = space_->declaration().predicates;
  std::vector<PredicateFamily> families;
  families.reserve(declared.size());
  for (const auto& one : declared) families.push_back(one.family);
  const Result<uint32_t> family = find_predicate(families, *call);
  if (!family) return family.error();
  Result<uint32_t> out = static_cast<uint32_t>(asked_.size());
  const std::string failure = guarded([&] {
    const auto& one = declared[*family];
    asked_.push_back(
        {text, one.make(call->arguments), one.grade ? one.grade(call->arguments) : nullptr});
  });
  if (!failure.empty()) return Error{"the predicate " + text + " cannot be made: " + failure};
  return out;
}

bool Steer::holds(StateRef state, uint32_t predicate) {
  Asked& asked = asked_[predicate];
  const bool is_so = judge_.is_so(state, asked.predicate, asked.text);
  if (asked.times++ % kAskAgain == 0 && judge_.is_so(state, asked.predicate, asked.text) != is_so) {
    throw Failure("the predicate " + asked.text +
                  " is not a function of the state: asked twice of the same one, it says yes and "
                  "no");
  }
  return is_so;
}

std::optional<uint32_t> Steer::distance(StateRef state, uint32_t predicate) {
  Asked& asked = asked_[predicate];
  if (!asked.grade) return std::nullopt;
  const int64_t far = judge_.distance_of(state, asked.grade, asked.text);
  if (asked.times++ % kAskAgain == 0 && judge_.distance_of(state, asked.grade, asked.text) != far) {
    throw Failure("the distance of " + asked.text +
                  " is not a function of the state: asked twice of the same one, it gives two "
                  "numbers");
  }
  return detail::bounded_distance(far);
}

Result<uint32_t> Steer::colouring(const std::string& name) const {
  std::vector<std::string> names;
  for (uint32_t i = 0; i < painters_.size(); ++i) {
    if (painters_[i].name == name) return i;
    names.push_back(painters_[i].name);
  }
  return Error{"there is no colouring " + quoted_for_message(name) + did_you_mean(name, names) +
               "; there " + (names.size() == 1 ? "is " : "are ") + enumeration(names)};
}

uint64_t Steer::colour_of(const Painter& painter, uint32_t node, uint32_t id) const {
  const Part& part = space_->part(id);
  if (!part.up) return kCrashedColour;
  const detail::Declaration::Colour* colour = painter.by_node[node];
  if (colour == nullptr) return part.state.hash();
  uint64_t first = 0;
  uint64_t second = 0;
  const std::string failure = guarded_look([&] {
    first = colour->hash(part.state.data(), NodeId(space_->id_of(static_cast<int>(node))));
    second = colour->hash(part.state.data(), NodeId(space_->id_of(static_cast<int>(node))));
  });
  const auto who = [&] {
    return "the colour of " + space_->type_of(node).name + " (colouring " + painter.name + ") ";
  };
  if (!failure.empty()) throw Failure(who() + "fails: " + failure);
  if (first != second) {
    throw Failure(who() +
                  "is not a function of the state: asked twice of the same node, it gives "
                  "two colours");
  }
  return first == 0 || first == kCrashedColour ? 1 : first;
}

void Steer::colours(StateRef state, uint32_t colouring, std::vector<uint64_t>& out) {
  Painter& painter = painters_[colouring];
  const bool asks_again = ++looks_ % kAskAgain == 0;
  for (uint32_t node = 0; node < space_->node_count(); ++node) {
    const uint32_t id = state[kFirstPart + node];
    std::vector<uint64_t>& known = painter.by_part[node];
    if (id >= known.size()) known.resize(id + id / 2 + 64, 0);
    if (known[id] == 0) {
      known[id] = colour_of(painter, node, id);
    } else if (asks_again && colour_of(painter, node, id) != known[id]) {
      throw Failure("the colour of " + space_->type_of(node).name + " (colouring " + painter.name +
                    ") is not a function of the state: asked again of the same node later, it "
                    "gives another colour");
    }
    out.push_back(known[id]);
  }
}

void Steer::show_colours(StateRef state, uint32_t colouring, std::vector<value::Tree>& out) const {
  const Painter& painter = painters_[colouring];
  for (uint32_t node = 0; node < space_->node_count(); ++node) {
    const Part& part = space_->part(state[kFirstPart + node]);
    const detail::Declaration::Colour* colour = painter.by_node[node];
    if (!part.up) {
      out.push_back(value::tree(std::string("crashed")));
    } else {
      out.push_back(
          colour == nullptr
              ? part.state.tree()
              : colour->show(part.state.data(), NodeId(space_->id_of(static_cast<int>(node)))));
    }
  }
}

void Steer::forget() {
  for (Painter& painter : painters_) {
    for (std::vector<uint64_t>& known : painter.by_part) std::vector<uint64_t>().swap(known);
  }
}

uint64_t Steer::bytes() const {
  uint64_t sum = 0;
  for (const Painter& painter : painters_) {
    for (const std::vector<uint64_t>& known : painter.by_part) {
      sum += known.capacity() * sizeof(uint64_t);
    }
  }
  return sum;
}

}  // namespace ordeal::actor
