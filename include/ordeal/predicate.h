// Predicates over systems of nodes, with helpers that remember their answers.
//
//   system.always("one decision", decides_at_most_once());
//   system.always("terms grow", each<Server>([](const Server& s) { return s.term >= s.last; }));
//   system.always("one leader", pairs<Server>([](const Server& a, const Server& b) {
//                   return !a.leads || !b.leads || a.term != b.term;
//                 }));
//   system.always("agreement", agreement());
//   system.eventually("all decide", every_correct_node_decides());
//   system.always("linearizable", linearizable<RegisterSpec<char>>());
//
// A helper is evaluated once per distinct node state (or pair, or history), not once per global
// state, and a violation names the nodes and values involved.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "ordeal/history.h"
#include "ordeal/property.h"
#include "ordeal/value.h"
#include "ordeal/view.h"

namespace ordeal {

enum class Over : uint8_t { kAll, kCorrect };  // which nodes: all of them, or those that are up

class Predicate {
 public:
  struct Global {
    std::function<Outcome(const View&)> holds;
    Reads reads = Reads::kAnything;
    Over over = Over::kAll;           // kCorrect: it also looks at who is up
    bool treats_nodes_alike = false;  // known to ask for no node in particular
  };
  struct Unary {
    detail::TypeId type;
    Over over;
    std::function<Outcome(const void*)> holds;
  };
  struct Binary {
    detail::TypeId type;
    Over over;
    std::function<Outcome(const void*, const void*)> holds;
  };
  struct OverHistory {
    std::function<Outcome(const History&)> holds;
    // Operations can hold ids of nodes, or names, which it may compare with one in particular.
    bool sees_names = true;
  };

  // Any function of the view. REQUIRES: depends on nothing but the view.
  template <class F>
  requires std::is_invocable_r_v<Outcome, F&, const View&> Predicate(F f)  // NOLINT: implicit
      : form_(Global{std::move(f)}) {
    detail::require_const<F, const View&>();
  }
  Predicate(Global form) : form_(std::move(form)) {}
  Predicate(Unary form) : form_(std::move(form)) {}
  Predicate(Binary form) : form_(std::move(form)) {}
  Predicate(OverHistory form) : form_(std::move(form)) {}

  const std::variant<Global, Unary, Binary, OverHistory>& form() const { return form_; }
  Reads reads() const;

 private:
  std::variant<Global, Unary, Binary, OverHistory> form_;
};

// Every node of type T (that is up).
template <class T, class F>
Predicate each(F f, Over over = Over::kAll) {
  detail::require_const<F, const T&>();
  return Predicate::Unary{detail::type_id<T>(), over, [f = std::move(f)](const void* node) {
                            return Outcome(f(*static_cast<const T*>(node)));
                          }};
}
template <class T, class F>
Predicate each_correct(F f) {
  return each<T>(std::move(f), Over::kCorrect);
}

// Every two different nodes of type T (that are up), in order of their ids.
template <class T, class F>
Predicate pairs(F f, Over over = Over::kAll) {
  detail::require_const<F, const T&, const T&>();
  return Predicate::Binary{
      detail::type_id<T>(), over, [f = std::move(f)](const void* a, const void* b) {
        return Outcome(f(*static_cast<const T*>(a), *static_cast<const T*>(b)));
      }};
}
template <class T, class F>
Predicate correct_pairs(F f) {
  return pairs<T>(std::move(f), Over::kCorrect);
}

// No two decisions differ. kAll is uniform agreement: what a node decided before it crashed counts.
Predicate agreement(Over over = Over::kAll);
// Every node that is up (and has T's type, if given) has decided.
Predicate every_correct_node_decides();
// No node decides twice.
Predicate decides_at_most_once();
// Every decided value satisfies `valid`.
template <class V, class F>
Predicate every_decision(F valid) {
  detail::require_const<F, const V&>();
  const auto holds = [valid = std::move(valid)](const View& view) -> Outcome {
    for (NodeId node : view.nodes()) {
      for (const value::Any& decision : view.decisions(node)) {
        const V* v = decision.try_get<V>();
        if (v == nullptr || !valid(*v)) {
          return violated("node " + std::to_string(node.value) + " decided " +
                          value::show(decision.tree()))
              .node(node);
        }
      }
    }
    return true;
  };
  return Predicate::Global{holds, Reads::kEachNode, Over::kAll, !detail::kHoldsNames<V>};
}

// Explains itself with the operations that have no order together.
template <class Spec>
Predicate linearizable() {
  const auto holds = [](const History& history) -> Outcome {
    auto result = linearizable<Spec>(history);
    detail::tell_order(result);
    if (result.ok) return true;
    return violated(std::move(result.explanation));
  };
  return Predicate::OverHistory{holds, detail::kHoldsNames<typename Spec::Call> ||
                                           detail::kHoldsNames<typename Spec::Return>};
}

}  // namespace ordeal
