// States that leave the process, as content, and come back.
#include <algorithm>
#include <string>
#include <string_view>

#include "ordeal/detail/bytes.h"
#include "system/actor/space.h"

namespace ordeal::actor {
namespace {

constexpr uint64_t kMostPending = 1 << 24;

bool is_pending_kind(ActionKind kind) {
  return kind == ActionKind::kDeliver || kind == ActionKind::kRequest ||
         kind == ActionKind::kEvent || kind == ActionKind::kDetect || kind == ActionKind::kRestore;
}

}  // namespace

// The fingerprint comes first: whoever reads knows by it that nothing got lost.
void ActorSpace::encode(StateRef state, std::string& bytes) {
  value::write(fingerprint(state), bytes);
  value::write(environment(state[kEnvironmentWord]), bytes);
  history(state[kHistoryWord]).write(bytes);
  for (uint32_t i = 0; i < part_count_; ++i) {
    const Part& part = parts_[state[kFirstPart + i]];
    value::write(part.up, bytes);
    value::write(part.timers, bytes);
    value::write_any(part.state, bytes);
    value::write_any(part.disk, bytes);
    detail::write_length(part.decisions.size(), bytes);
    for (const value::Any& decision : part.decisions) value::write_any(decision, bytes);
  }
  detail::write_length(state.size() - kFirstPart - part_count_, bytes);
  for (size_t i = kFirstPart + part_count_; i < state.size(); ++i) {
    const Event& event = events_[state[i]];
    value::write(static_cast<uint8_t>(event.kind), bytes);
    value::write(event.from, bytes);
    value::write(event.to, bytes);
    value::write_any(event.payload, bytes);
  }
}

bool ActorSpace::read_part(uint32_t position, std::string_view& bytes, uint32_t& id) {
  Part part = fresh_part(position);  // its state has the constants of the node
  const value::Any fresh = part.state;
  part.node = position;
  uint64_t decisions = 0;
  if (!value::read(bytes, part.up) || !value::read(bytes, part.timers) ||
      !value::read_any(bytes, part.state, fresh) || !value::read_any(bytes, part.disk) ||
      !detail::read_length(bytes, decisions) || decisions > bytes.size()) {
    return false;
  }
  part.decisions.clear();
  for (uint64_t i = 0; i < decisions; ++i) {
    if (!value::read_any(bytes, part.decisions.emplace_back())) return false;
  }
  id = intern_part(std::move(part));
  return true;
}

bool ActorSpace::read_pending(std::string_view& bytes, uint32_t& id) {
  uint8_t kind = 0;
  int16_t from = 0;
  int16_t to = 0;
  value::Any payload;
  if (!value::read(bytes, kind) || !value::read(bytes, from) || !value::read(bytes, to) ||
      !value::read_any(bytes, payload)) {
    return false;
  }
  const auto count = static_cast<int>(part_count_);
  if (!is_pending_kind(static_cast<ActionKind>(kind)) || from < -1 || from >= count || to < 0 ||
      to >= count) {
    return false;
  }
  id = intern_event(static_cast<ActionKind>(kind), from, to, payload);
  return true;
}

Result<uint64_t> ActorSpace::decode(std::string_view bytes, std::vector<uint32_t>& out) {
  const Error wrong{"these bytes are no state of this system, built by this program"};
  const size_t first = out.size();
  uint64_t expected = 0;
  Environment environment;
  History history;
  if (!value::read(bytes, expected) || !value::read(bytes, environment) || !history.read(bytes) ||
      environment.partition > declaration_->partitions.size()) {
    return wrong;
  }
  out.push_back(intern_environment(std::move(environment)));
  out.push_back(intern_history(std::move(history)));
  bool good = true;
  for (uint32_t i = 0; i < part_count_ && good; ++i) good = read_part(i, bytes, out.emplace_back());
  uint64_t pending = 0;
  good = good && detail::read_length(bytes, pending) && pending < kMostPending;
  for (uint64_t i = 0; i < pending && good; ++i) good = read_pending(bytes, out.emplace_back());
  if (good && bytes.empty() && fingerprint(StateRef(out).subspan(first)) == expected) {
    return expected;
  }
  out.resize(first);
  return wrong;
}

}  // namespace ordeal::actor
