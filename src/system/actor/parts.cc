#include "system/actor/parts.h"

namespace ordeal::actor {
namespace {

using detail::allocated;

uint64_t owned_by(const History::Operation& operation) {
  return allocated(operation.seen.capacity() * sizeof(History::Seen)) +
         operation.call.bytes_once() + operation.result.bytes_once();
}

}  // namespace

uint64_t owned_bytes(const Part& part) {
  uint64_t sum = value::owned_bytes(part.timers) + value::owned_bytes(part.timer_events) +
                 part.state.bytes_once() + part.disk.bytes_once() +
                 allocated(part.decisions.capacity() * sizeof(value::Any));
  for (const value::Any& decision : part.decisions) sum += decision.bytes_once();
  return sum;
}

uint64_t owned_bytes(const Event& event) { return event.payload.bytes_once(); }

uint64_t owned_bytes(const EnvironmentEntry& entry) { return value::owned_bytes(entry.content); }

uint64_t owned_bytes(const HistoryEntry& entry) {
  const std::vector<History::Client>& clients = entry.content.clients();
  uint64_t sum = allocated(clients.capacity() * sizeof(History::Client));
  for (const History::Client& client : clients) {
    sum += allocated(client.completed.capacity() * sizeof(History::Operation));
    for (const History::Operation& operation : client.completed) sum += owned_by(operation);
    if (client.pending) sum += owned_by(*client.pending);
  }
  return sum;
}

uint64_t owned_bytes(const HistoryOps& ops) {
  uint64_t sum = allocated(ops.ops.capacity() * sizeof(HistoryOp));
  for (const HistoryOp& op : ops.ops) sum += op.operation.bytes_once();
  return sum;
}

uint64_t owned_bytes(const HandlerOutcomes& outcomes) {
  uint64_t sum = allocated(outcomes.capacity() * sizeof(HandlerOutcome));
  for (const HandlerOutcome& way : outcomes) {
    sum += value::owned_bytes(way.sends) + value::owned_bytes(way.calls) +
           value::owned_bytes(way.choices) + value::owned_bytes(way.failure);
  }
  return sum;
}

}  // namespace ordeal::actor
