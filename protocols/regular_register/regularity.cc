#include "protocols/regular_register/regularity.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ordeal::protocols::regular_register {
namespace {

// The writer's operations in order, the pending one last.
std::vector<OpRef> operations_of(const History& history, NodeId client) {
  std::vector<OpRef> all;
  for (const History::Client& c : history.clients()) {
    if (c.id != client) continue;
    const size_t count = c.completed.size() + (c.pending ? 1 : 0);
    for (uint32_t i = 0; i < count; ++i) all.push_back({client, i});
  }
  return all;
}

std::vector<int> possible_values(const History& history, const std::vector<OpRef>& writer_ops,
                                 OpRef read) {
  int last = 0;  // of the writes before the read
  std::vector<int> values;
  for (OpRef op : writer_ops) {
    const auto* write = operation(history, op).call.try_get<reg::Write<int>>();
    if (write == nullptr || precedes(history, read, op)) continue;
    if (precedes(history, op, read)) {
      last = write->value;
    } else {
      values.push_back(write->value);
    }
  }
  values.insert(values.begin(), last);
  return values;
}

}  // namespace

Outcome regular(const History& history, NodeId writer) {
  const std::vector<OpRef> writer_ops = operations_of(history, writer);
  for (const History::Client& client : history.clients()) {
    for (uint32_t i = 0; i < client.completed.size(); ++i) {
      const auto* read = client.completed[i].result.try_get<reg::ReadOk<int>>();
      if (read == nullptr) continue;
      const std::vector<int> values = possible_values(history, writer_ops, {client.id, i});
      if (std::find(values.begin(), values.end(), read->value) != values.end()) continue;
      std::string text;
      for (int value : values) text += (text.empty() ? "" : " or ") + std::to_string(value);
      return violated("read " + std::to_string(i + 1) + " of node " +
                      std::to_string(client.id.value) + " returned " + std::to_string(read->value) +
                      " instead of " + text)
          .node(client.id)
          .node(writer);
    }
  }
  return true;
}

}  // namespace ordeal::protocols::regular_register
