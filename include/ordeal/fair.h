// Fair: what is owed to which actions of a system of nodes, in runs that go on for ever.
//
//   system.fair(Fair::strongly().deliver<Vote>().to(2));  // votes for node 2, each by itself
//   system.fair(Fair::nothing().timer("heartbeat"));      // need never fire
//   system.fair(Fair::weakly().recover());                // whoever crashed comes back in the end
//
// By default each message to a node that is up, each of its timers (but for idle ones), each
// request, event and notice of a detector is owed that it happens in the end, weakly, and faults
// are owed nothing. Of several that speak of an action the one that was declared last counts.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "ordeal/action.h"
#include "ordeal/detail/names.h"
#include "ordeal/detail/type_id.h"
#include "ordeal/liveness.h"
#include "ordeal/node_id.h"

namespace ordeal {

class Fair {
 public:
  static Fair weakly() { return Fair(Owed::kWeakly); }
  static Fair strongly() { return Fair(Owed::kStrongly); }
  static Fair nothing() { return Fair(Owed::kNothing); }

  // --- Of which actions; without any of these: of all that are progress --------------------------
  Fair deliver() && { return std::move(*this).of(ActionKind::kDeliver); }
  Fair request() && { return std::move(*this).of(ActionKind::kRequest); }
  // Of a message or request of type T.
  template <class T>
  Fair deliver() && {
    return std::move(*this).template typed<T>(ActionKind::kDeliver);
  }
  template <class T>
  Fair request() && {
    return std::move(*this).template typed<T>(ActionKind::kRequest);
  }
  // … of a type of run time, by its name.
  Fair deliver(std::string type) && { return std::move(*this).named(ActionKind::kDeliver, type); }
  Fair request(std::string type) && { return std::move(*this).named(ActionKind::kRequest, type); }
  Fair timer() && { return std::move(*this).of(ActionKind::kTimer); }
  Fair timer(std::string name) && { return std::move(*this).named(ActionKind::kTimer, name); }
  Fair event() && { return std::move(*this).of(ActionKind::kEvent); }
  Fair crash() && { return std::move(*this).of(ActionKind::kCrash); }
  Fair recover() && { return std::move(*this).of(ActionKind::kRecover); }
  Fair heal() && { return std::move(*this).of(ActionKind::kHeal); }
  Fair of(ActionKind kind) && {
    this->kind = kind;
    return std::move(*this);
  }

  // --- … and at which nodes ----------------------------------------------------------------------
  // Who acts: the receiver, the owner of the timer, whoever recovers.
  Fair at(NodeId id) && {
    node = id;
    return std::move(*this);
  }
  Fair to(NodeId id) && { return std::move(*this).at(id); }
  Fair from(NodeId id) && {
    sender = id;
    return std::move(*this);
  }

  Owed owed = Owed::kWeakly;
  std::optional<ActionKind> kind = {};
  std::string name = {};                       // of the type, or of the timer; "": any
  std::optional<detail::TypeId> type_id = {};  // of a type of C++; `name` is for people then
  std::optional<NodeId> node = {};
  std::optional<NodeId> sender = {};

 private:
  explicit Fair(Owed owed) : owed(owed) {}

  Fair named(ActionKind kind, std::string name) && {
    this->name = std::move(name);
    return std::move(*this).of(kind);
  }
  template <class T>
  Fair typed(ActionKind kind) && {
    type_id = detail::type_id<T>();
    return std::move(*this).named(kind, std::string(detail::kShortTypeName<T>));
  }
};

}  // namespace ordeal
