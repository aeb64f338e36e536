#include "system/actor/sorts.h"

#include <algorithm>

#include "system/actor/declaration.h"

namespace ordeal::actor {
namespace {

constexpr size_t kMostSorts = 60'000;  // with room for those that have no number of their own

// Whether nodes of this type may crash and come back, with a handler for it or without.
bool may_recover(const detail::Declaration& declaration, const detail::NodeType& type) {
  return declaration.recoveries > 0 &&
         std::any_of(declaration.may_crash.begin(), declaration.may_crash.end(), [&](NodeId id) {
           const auto position = static_cast<size_t>(id.value - declaration.first_id);
           return position < declaration.nodes.size() &&
                  detail::same_kind(*declaration.nodes[position].type, type);
         });
}

// "Server"; "x::Server" where there is a y::Server, too.
std::string name_among(const std::vector<const detail::NodeType*>& types, size_t index) {
  const auto shared = [&](const auto& name_of) {
    return std::count_if(types.begin(), types.end(), [&](const detail::NodeType* other) {
             return name_of(*other) == name_of(*types[index]);
           }) > 1;
  };
  if (!shared([](const detail::NodeType& type) { return type.name; })) {
    return std::string(types[index]->name);
  }
  const auto spelled = [](const detail::NodeType& type) {
    return type.made ? type.name : type.id.spelled();
  };
  // Of anonymous namespaces in two files, or made at run time.
  return spelled(*types[index]) + (shared(spelled) ? " #" + std::to_string(index + 1) : "");
}

}  // namespace

Sorts::Sorts(const detail::Declaration& declaration)
    : faults_(static_cast<size_t>(ActionKind::kSuspect) + 1, 0) {
  add("");
  const TypeNames names = names_of(declaration);
  std::vector<const detail::NodeType*> types;
  for (const detail::NodeDeclaration& node : declaration.nodes) {
    const auto known = std::find_if(types.begin(), types.end(), [&](const detail::NodeType* type) {
      return detail::same_kind(*type, *node.type);
    });
    of_position_.push_back(static_cast<uint16_t>(known - types.begin()));
    if (known == types.end()) types.push_back(node.type.get());
    if (!node.component) ++node_count_;
  }
  for (size_t i = 0; i < types.size(); ++i) {
    at_.push_back(types.size() == 1 ? "" : " at " + name_among(types, i));
    add_handlers(declaration, *types[i], at_.back(), names);
  }
  const auto fault = [&](ActionKind kind, bool declared) {
    if (declared) faults_[static_cast<size_t>(kind)] = add(to_string(kind), "fault ");
  };
  fault(ActionKind::kCrash, declaration.crashes > 0 && !declaration.may_crash.empty());
  fault(ActionKind::kDrop, declaration.drops > 0);
  fault(ActionKind::kDuplicate, declaration.duplicates > 0 && declaration.network != Network::kSet);
  fault(ActionKind::kPartition, declaration.partition_budget > 0);
  fault(ActionKind::kHeal, declaration.partition_budget > 0);
  ran_ = std::make_unique<std::atomic<bool>[]>(known_.size());
  skipped_ = std::make_unique<std::atomic<bool>[]>(known_.size());
}

uint16_t Sorts::add(std::string name, std::string_view what) {
  const bool taken = std::find(known_.begin(), known_.end(), name) != known_.end();
  known_.push_back(taken ? std::string(what) + name : std::move(name));
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
  if (type.timer != nullptr) out.timer = add("timer" + at, "handler ");
  if (type.crashed != nullptr) out.crashed = add("crashed" + at, "handler ");
  if (type.crashed != nullptr && declaration.detector == Detector::kEventuallyPerfect &&
      declaration.wrong_suspicions > 0) {
    out.suspects = add("crashed, wrongly" + at);
  }
  if (type.restored != nullptr) out.restored = add("restored" + at, "handler ");
  if (type.recover != nullptr || may_recover(declaration, type))
    out.recover = add("recover" + at, "handler ");
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

std::vector<Sorts::Ran> Sorts::ran_since(std::vector<uint8_t>& told) const {
  std::vector<Ran> out;
  told.resize(known_.size());
  for (size_t i = 0; i < known_.size(); ++i) {
    const auto now = static_cast<uint8_t>(ran_[i] + skipped_[i]);
    if (now == told[i]) continue;
    told[i] = now;
    out.push_back({static_cast<uint16_t>(i), skipped_[i]});
  }
  return out;
}

std::vector<StepSort> Sorts::all() const {
  std::vector<StepSort> out;
  for (size_t i = 0; i < known_.size(); ++i) out.push_back({known_[i], skipped_[i].load()});
  // What a node sends to a component is no step of its own: it has occurred all the same.
  for (const Handlers& handlers : handlers_) {
    for (size_t i = 0; i < handlers.type->messages.size(); ++i) {
      StepSort& step = out[handlers.messages + i];
      if (!ran_[handlers.messages + i] && ran_[handlers.calls + i]) step.name.clear();
    }
  }
  for (const TimerOf& timer : timers(0)) {
    out.push_back({"timer " + timer.second + at_[timer.first], false});
    out[handlers_[timer.first].timer].name.clear();  // they speak for themselves now
  }
  return out;
}

}  // namespace ordeal::actor
