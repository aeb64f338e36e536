#include "language/tla/eval/machine.h"

#include <pthread.h>

#include "language/tla/eval/node.h"
#include "language/tla/value/mutant.h"

namespace ordeal::tla {

namespace {

// What is left for what evaluation calls besides itself.
constexpr size_t kReserve = 256 << 10;

const char* lowest_of_thread() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return nullptr;
  void* low = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  // The main thread's stack may be said to be endless.
  constexpr size_t kEnough = 7 << 20;
  const char* const high = static_cast<const char*>(low) + size;
  return high - std::min(size, kEnough) + kReserve;
}

}  // namespace

Machine::Machine(size_t variables, size_t constants, Host& host)
    : variables_(variables), host_(host), constants_(constants) {
  settle_on_thread();
}

void Machine::settle_on_thread() {
  static thread_local const char* const lowest = lowest_of_thread();
  lowest_ = lowest;
}

void Machine::too_deep() {
  fail("operators call each other too deeply: a recursion that does not end?");
}

Value Machine::keep_constant(uint32_t number, Value value) {
  // What is asked of an interval in each state (its difference to a set, whether it equals one, a
  // function over it) needs it written out: once, and kept beside it.
  constexpr int64_t kWrittenOut = 1024;
  if (value.is(ObjectKind::kInterval) &&
      value.object()->high() - value.object()->low < kWrittenOut) {
    normal(constant_heap_, value);
  }
  return constants_[number] = value;
}

Value force(Machine& machine, Value& slot) {
  const auto* const pending = static_cast<const Pending*>(slot.what());
  if (pending->kind == Pending::Kind::kClosure) fail("an operator is no value");
  auto& thunk = *static_cast<Thunk*>(const_cast<Pending*>(pending));
  const bool here = thunk.now == machine.now || mutant(TlaMutant::kThunksStay);
  if (here && thunk.value.defined()) return thunk.value;
  const Value value = thunk.node->eval(machine, thunk.frame);
  if (here && thunk.keeps) thunk.value = value;
  return value;
}

}  // namespace ordeal::tla
