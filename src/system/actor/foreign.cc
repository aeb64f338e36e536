#include "system/actor/foreign.h"

#include "base/guard.h"

namespace ordeal::actor {
namespace {

// Far from every real id: what uses it as an index is not likely to find memory there.
constexpr int kFarAway = 1'000'000'000;

}  // namespace

ForeignView::ForeignView(const ActorSpace& space, const detail::Points& points, StateRef state,
                         bool terminal)
    : terminal_(terminal) {
  value::Renaming renaming;
  for (uint32_t i = 0; i < space.part_count(); ++i) {
    const int id = space.id_of(static_cast<int>(i));
    const int foreign = points.of_node(id) >= 0 ? kFarAway + id : id;
    if (i < space.node_count()) nodes_.emplace_back(foreign);
    if (id < 0) continue;
    while (static_cast<int>(renaming.to.size()) <= id) {
      renaming.to.push_back(static_cast<int>(renaming.to.size()));
    }
    renaming.to[static_cast<size_t>(id)] = foreign;
  }
  for (uint32_t node = 0; node < space.node_count(); ++node) {
    const Part& part = space.part(state[kFirstPart + node]);
    Content content{part.state.renamed(renaming), part.disk.renamed(renaming), {}};
    for (const value::Any& decision : part.decisions) {
      content.decisions.push_back(decision.renamed(renaming));
    }
    contents_.push_back(std::move(content));
  }
  for (uint32_t node = 0; node < space.node_count(); ++node) {
    View::Slot slot;
    slot.data = contents_[node].state.data();
    slot.type = space.type_of(node).id;
    slot.state = space.type_of(node).type;
    slot.disk = contents_[node].disk.empty() ? nullptr : &contents_[node].disk;
    slot.decisions = &contents_[node].decisions;
    slot.up = space.part(state[kFirstPart + node]).up;
    slots_.push_back(slot);
  }
  history_ = space.history(state[kHistoryWord]).renamed(renaming);
  const uint32_t first = kFirstPart + space.part_count();
  payloads_.reserve(state.size());
  for (uint32_t i = first; i < state.size(); ++i) {
    const Event& event = space.event(state[i]);
    if (event.kind != ActionKind::kDeliver) continue;
    payloads_.push_back(event.payload.renamed(renaming));
    messages_.push_back(
        {renaming(space.id_of(event.from)), renaming(space.id_of(event.to)), &payloads_.back()});
  }
}

std::string ForeignView::asked_for(const std::function<void(const View&)>& look) {
  std::string found;
  // What goes wrong besides (an index out of range, say) may go wrong because of the foreign ids.
  static_cast<void>(guarded([&] {
    try {
      look(View(nodes_, View::kByList, slots_, *this, terminal_));
    } catch (const NoSuchNode& asked) {
      found = "node " + std::to_string(asked.node.value);
    }
  }));
  return found;
}

}  // namespace ordeal::actor
