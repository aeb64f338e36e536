#include "system/opaque/opaque_explorer.h"

#include <algorithm>

#include "base/guard.h"
#include "base/hash.h"
#include "base/mutant.h"
#include "system/actor/handler_run.h"

namespace ordeal::actor {
namespace {

constexpr uint64_t kMostBytes = uint64_t{256} << 20;  // of interned values, over many runs

}  // namespace

OpaqueExplorer::OpaqueExplorer(std::shared_ptr<ActorSpace> shared,
                               std::function<uint32_t(uint32_t)> ask)
    : ActorExplorer(std::move(shared)), ask_(std::move(ask)) {
  objects_.resize(space().part_count(), nullptr);
  for (uint32_t i = 0; i < space().part_count(); ++i) {
    live_type_.push_back(!space().declaration().nodes[i].make_value);
  }
  judge().use_live(&objects_);
  go_slow();
}

OpaqueExplorer::~OpaqueExplorer() {
  for (uint32_t i = 0; i < objects_.size(); ++i) destroy(i);
}

std::string OpaqueExplorer::create(uint32_t position) {
  destroy(position);
  const detail::NodeDeclaration& node = space().declaration().nodes[position];
  const int id = space().id_of(static_cast<int>(position));
  std::string failure = guarded([&] { objects_[position] = node.make_object(id); });
  if (failure.empty() && objects_[position] == nullptr) failure = "it returns nothing";
  return failure.empty() ? ""
                         : "the factory of node " + std::to_string(id) + " (" +
                               std::string(node.type->name) + ") fails: " + failure;
}

void OpaqueExplorer::destroy(uint32_t position) {
  if (objects_[position] != nullptr) space().type_of(position).destroy(objects_[position]);
  objects_[position] = nullptr;
}

std::string OpaqueExplorer::restart() {
  if (space().statistics().bytes > kMostBytes) {
    space().forget();
    refresh();
  }
  Working working = before_start();
  std::string failure;
  for (uint32_t i = 0; i < objects_.size() && failure.empty(); ++i) {
    if (is_live(i)) failure = create(i);
  }
  applying_ = true;
  for (uint32_t node = 0; node < space().part_count() && failure.empty(); ++node) {
    const uint32_t event = space().intern_event(ActionKind::kStep, -1, static_cast<int>(node), {});
    const Ways offered = outcomes(working.parts[node], event);
    const HandlerOutcomes ways(offered.begin(), offered.end());
    running_node_ = space().id_of(static_cast<int>(node));
    const uint32_t way = ways.size() == 1 ? 0 : ask_(static_cast<uint32_t>(ways.size()));
    failure = perform(working, ways[way], node);
    if (!failure.empty()) {
      failure = "node " + std::to_string(space().id_of(static_cast<int>(node))) +
                " cannot start: " + failure;
    }
  }
  applying_ = false;
  state_.clear();
  pack(working, state_);
  stepped_ = false;
  return failure;
}

std::string OpaqueExplorer::take(const Choice& choice) {
  effects_ = {};
  std::vector<uint32_t> before(state_.begin() + kFirstPart + space().part_count(), state_.end());
  std::string failure;
  if (choice.kind == ActionKind::kCrash && is_live(choice.a)) {
    failure = create(choice.a);  // a crashed node shows as new
  }
  if (choice.kind == ActionKind::kRecover) {
    const uint32_t position = static_cast<uint32_t>(space().event(choice.a).to);
    if (is_live(position)) failure = create(position);
  }
  if (!failure.empty()) return failure;
  applying_ = true;
  std::vector<uint32_t> next;
  apply(state_, 0, choice, next);
  applying_ = false;
  if (!apply_failure().empty()) return apply_failure();
  stepped_ = true;
  step_ = choice;
  before_ = std::move(state_);
  after_ = next;
  state_ = std::move(next);
  // What is pending now and was not before has been sent.
  take_handled(choice, before);
  for (auto at = state_.begin() + kFirstPart + space().part_count(); at != state_.end(); ++at) {
    const auto known = std::find(before.begin(), before.end(), *at);
    if (known != before.end()) {
      before.erase(known);
    } else {
      effects_.sent.push_back(sent_of(space(), space().event(*at)));
    }
  }
  return "";
}

void OpaqueExplorer::add_effects(StepDetail& detail) const {
  detail.sent = effects_.sent;
  detail.log = effects_.log;
  detail.decided = effects_.decided;
  detail.timers = effects_.timers;
  detail.history = effects_.history;
}

void OpaqueExplorer::last_events(std::vector<ordeal::Event>& out) {
  if (stepped_) {
    events(before_, step_, after_, out);
  } else {
    on_its_way(state_, out);
  }
}

ActorExplorer::Taken OpaqueExplorer::taken(StateRef before, const Choice& choice) {
  if (is_live(static_cast<uint32_t>(space().event(choice.a).to))) return {&way_, &did_};
  return ActorExplorer::taken(before, choice);
}

void OpaqueExplorer::amend_state(std::span<const Amendment> changes) {
  std::vector<uint32_t> next;
  amend(state_, changes, next);
  state_ = std::move(next);
}

Action OpaqueExplorer::live_action(const Choice& choice) { return action(state_, choice); }

ActorExplorer::Ways OpaqueExplorer::outcomes(uint32_t part, uint32_t event) {
  const uint32_t position = static_cast<uint32_t>(space().event(event).to);
  if (!is_live(position)) return ActorExplorer::outcomes(part, event);
  // What an opaque object does is known only by doing it: until then there is one way, unknown.
  HandlerOutcome unknown;
  unknown.part = part;
  scratch_.assign(1, applying_ ? run_live(part, event) : unknown);
  return scratch_;
}

HandlerOutcome OpaqueExplorer::run_live(uint32_t part_id, uint32_t event_id) {
  const Part part = space().part(part_id);
  const Event event = space().event(event_id);
  const uint32_t position = part.node;
  const detail::NodeType& type = space().type_of(position);
  Context::Captured captured;
  std::vector<uint32_t> answers;
  captured.ask = [&](uint32_t n) {
    answers.push_back(ask_(n));
    return answers.back();
  };
  const int from = space().id_of(event.from);
  const NodeId self = space().id_of(static_cast<int>(position));
  Context context(self, from, space().peers(position), space().group(position), captured);
  void* object = objects_[position];
  running_node_ = self.value;
  HandlerOutcome outcome;
  outcome.failure = call_handler(type, event, from, part.disk, object, context);
  if (!outcome.failure.empty()) return outcome;
  // Everything that happened to it: what it was told, and what it was answered.
  OpaqueState state = part.state.get<OpaqueState>();
  state.digest = combine(combine(state.digest, event.hash), answers.size());
  for (uint32_t answer : answers) {
    if (!mutant(Mutant::kAnswersNotRemembered)) state.digest = combine(state.digest, answer);
  }
  if (type.digest != nullptr) state.digest = type.digest(object);
  state.shown = type.show != nullptr ? type.show(object) : "";
  collect_effects(captured, captured.effects.size(), self.value, effects_);
  const std::vector<Effect> effects = captured.effects;
  way_ = HandlerRun(space(), part_id, event).of_live(std::move(captured), state);
  if (way_.failure.empty()) {
    did_ = handler_events(space(), self, effects, effects.size(), way_.part);
  }
  return way_;
}

}  // namespace ordeal::actor
