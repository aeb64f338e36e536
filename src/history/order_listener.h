// Hears in which order the operations of a history took effect, or why there is none, from the
// predicates that find out anyway: linearizable() of ordeal/predicate.h.
//
//   OrderListener listener;
//   world.explain(terminal, property);
//   if (listener.result()) …
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

  // What was told last.
  const std::optional<LinearResult>& result() const { return result_; }
  void hear(const LinearResult& result) { result_ = result; }

 private:
  OrderListener* outer_;
  std::optional<LinearResult> result_;
};

}  // namespace ordeal
