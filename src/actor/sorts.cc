#include "actor/sorts.h"

#include <algorithm>

#include "actor/declaration.h"

namespace ordeal::actor {
namespace {

constexpr size_t kMostSorts = 60'000;  // with room for those that have no number of their own

// Whether nodes of this type may crash and come back, with a handler for it or without.
bool may_recover(const detail::Declaration& declaration, const detail::NodeType& type) {
  return declaration.recoveries > 0 &&
         std::any_of(declaration.may_crash.begin(), declaration.may_crash.end(), [&](NodeId id) {
           const auto position = static_cast<size_t>(id.value - declaration.first_id);
           return position < declaration.nodes.size() &&
                  declaration.nodes[position].type->id == type.id;
         });
}

}  // namespace

Sorts::Sorts(const detail::Declaration& declaration)
    : faults_(static_cast<size_t>(ActionKind::kSuspect) + 1, 0) {
  add("");
  const TypeNames names = names_of(declaration);
  std::vector<const detail::NodeType*> types;
  for (const detail::NodeDeclaration& node : declaration.nodes) {
    const auto known = std::find_if(types.begin(), types.end(), [&](const detail::NodeType* type) {
      return type->id == node.type->id;
    });
    of_position_.push_back(static_cast<uint16_t>(known - types.begin()));
    if (known == types.end()) types.push_back(node.type);
    if (!node.component) ++node_count_;
  }
  for (const detail::NodeType* type : types) {
    const std::string at = types.size() == 1 ? "" : " at " + std::string(type->name);
    at_.push_back(at);
    add_handlers(declaration, *type, at, names);
  }
  const auto fault = [&](ActionKind kind, bool declared) {
    if (declared) faults_[static_cast<size_t>(kind)] = add(to_string(kind));
  };
  fault(ActionKind::kCrash, declaration.crashes > 0 && !declaration.may_crash.empty());
  fault(ActionKind::kDrop, declaration.drops > 0);
  fault(ActionKind::kDuplicate, declaration.duplicates > 0 && declaration.network != Network::kSet);
  fault(ActionKind::kPartition, declaration.partition_budget > 0);
  fault(ActionKind::kHeal, declaration.partition_budget > 0);
  ran_ = std::make_unique<std::atomic<bool>[]>(known_.size());
}

uint16_t Sorts::add(std::string name) {
  known_.push_back(std::move(name));
  return static_cast<uint16_t>(known_.size() - 1);
}

void Sorts::add_handlers(const detail::Declaration& declaration, const detail::NodeType& type,
                         const std::string& at, const TypeNames& names) {
  Handlers out;
  out.type = &type;
  out.messages = static_cast<uint16_t>(known_.size());
  for (const auto& handler : type.messages) add(names.of(*handler.type) + at);
  out.calls = static_cast<uint16_t>(known_.size());
  for (size_t i = 0; i < type.messages.size(); ++i) add("");
  out.requests = static_cast<uint16_t>(known_.size());
  for (const auto& handler : type.requests) add("request " + names.of(*handler.type) + at);
  // Stands for all timers until one is set.
  if (type.timer != nullptr) out.timer = add("timer" + at);
  if (type.crashed != nullptr) out.crashed = add("crashed" + at);
  if (type.crashed != nullptr && declaration.detector == Detector::kEventuallyPerfect &&
      declaration.wrong_suspicions > 0) {
    out.suspects = add("crashed, wrongly" + at);
  }
  if (type.restored != nullptr) out.restored = add("restored" + at);
  if (type.recover != nullptr || may_recover(declaration, type)) out.recover = add("recover" + at);
  handlers_.push_back(out);
}

uint16_t Sorts::of_event(ActionKind kind, int from, int to, const value::Any& payload) {
  if (to < 0 || static_cast<size_t>(to) >= of_position_.size()) return 0;
  const uint16_t type = of_position_[static_cast<size_t>(to)];
  const Handlers& handlers = handlers_[type];
  const auto among = [&](const std::vector<detail::NodeType::Handler>& list, uint16_t first) {
    for (size_t i = 0; i < list.size(); ++i) {
      if (list[i].type->same_as(*payload.type())) return static_cast<uint16_t>(first + i);
    }
    return uint16_t{0};
  };
  switch (kind) {
    case ActionKind::kDeliver:
    case ActionKind::kEvent:
      return among(handlers.type->messages, is_call(from, to) ? handlers.calls : handlers.messages);
    case ActionKind::kRequest:
      return among(handlers.type->requests, handlers.requests);
    case ActionKind::kTimer:
      return handlers.timer == 0 ? uint16_t{0} : of_timer({type, *payload.try_get<std::string>()});
    case ActionKind::kDetect:
      return handlers.crashed;
    case ActionKind::kSuspect:
      return handlers.suspects;
    case ActionKind::kRestore:
      return handlers.restored;
    case ActionKind::kRecover:
      return handlers.recover;
    default:
      return 0;
  }
}

uint16_t Sorts::of_timer(const TimerOf& timer) {
  const std::lock_guard lock(mutex_);
  const auto known = std::find(timers_.begin(), timers_.end(), timer);
  const size_t number = known_.size() + static_cast<size_t>(known - timers_.begin());
  if (number >= kMostSorts) return handlers_[timer.first].timer;
  if (known == timers_.end()) timers_.push_back(timer);
  return static_cast<uint16_t>(number);
}

std::vector<Sorts::TimerOf> Sorts::timers(size_t first) const {
  const std::lock_guard lock(mutex_);
  return {timers_.begin() + static_cast<ptrdiff_t>(std::min(first, timers_.size())), timers_.end()};
}

std::vector<StepSort> Sorts::all() const {
  std::vector<StepSort> out;
  for (size_t i = 0; i < known_.size(); ++i) out.push_back({known_[i], ran_[i].load()});
  // What a node sends to a component is no step of its own: it has occurred all the same.
  for (const Handlers& handlers : handlers_) {
    for (size_t i = 0; i < handlers.type->messages.size(); ++i) {
      StepSort& step = out[handlers.messages + i];
      if (!step.ran && out[handlers.calls + i].ran) step.name.clear();
    }
  }
  for (const TimerOf& timer : timers(0)) {
    out.push_back({"timer " + timer.second + at_[timer.first], false});
    out[handlers_[timer.first].timer].name.clear();  // they speak for themselves now
  }
  return out;
}

}  // namespace ordeal::actor
