// Hears in which order the operations of a history took effect, from the predicates that find out
// anyway: linearizable() of ordeal/predicate.h.
//
//   OrderListener listener;
//   world.explain(terminal, property);
//   if (listener.order()) …
#pragma once

#include <optional>
#include <vector>

#include "ordeal/history.h"

namespace ordeal {

// Hears what this thread's predicates say while it lives; of nested ones the innermost.
class OrderListener {
 public:
  OrderListener();
  ~OrderListener();
  OrderListener(const OrderListener&) = delete;
  OrderListener& operator=(const OrderListener&) = delete;

  // The last order that was told: all operations that took effect, or, of a history that is not
  // linearizable, the longest order that works.
  const std::optional<std::vector<OpRef>>& order() const { return order_; }
  void hear(const std::vector<OpRef>& order) { order_ = order; }

 private:
  OrderListener* outer_;
  std::optional<std::vector<OpRef>> order_;
};

}  // namespace ordeal
