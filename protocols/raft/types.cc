#include "protocols/raft/types.h"

namespace ordeal::protocols::raft {

std::set<NodeId> Config::members() const {
  std::set<NodeId> all = voters;
  all.insert(incoming.begin(), incoming.end());
  all.insert(learners.begin(), learners.end());
  return all;
}

std::vector<Entry> Log::from(Index index, size_t most) const {
  const size_t first = std::min<size_t>(index - snapshot.index - 1, entries.size());
  const size_t count = std::min(most, entries.size() - first);
  const auto begin = entries.begin() + static_cast<ptrdiff_t>(first);
  return {begin, begin + static_cast<ptrdiff_t>(count)};
}

void Log::compact(Snapshot taken) {
  std::vector<Entry> rest = from(taken.index + 1, entries.size());
  snapshot = std::move(taken);
  entries = std::move(rest);
}

Index Log::config_index() const {
  for (Index index = last(); index > snapshot.index; --index) {
    if (at(index).command.config() != nullptr) return index;
  }
  return snapshot.index;
}

}  // namespace ordeal::protocols::raft
