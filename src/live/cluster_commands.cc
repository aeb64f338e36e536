// What a person does to a live run, and what a crash and a recovery do to everybody else.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "live/cluster.h"

namespace ordeal::live {
namespace {

// Of a person, with a handler.
constexpr std::chrono::seconds kPatience(2);

}  // namespace

Result<uint32_t> Cluster::position_of(int id) const {
  const int position = space_->position_of(id);
  if (position >= 0 && !space_->is_component(position)) return static_cast<uint32_t>(position);
  std::vector<int> ids;
  for (const NodeId node : space_->node_ids()) ids.push_back(node.value);
  return Error{fmt::format("there is no node {}; there are {}", id, enumeration(ids))};
}

Result<void> Cluster::is_going() const {
  if (halted_) return Error{"the run is over"};
  return {};
}

Result<std::string> Cluster::pause(int id) {
  Lock lock(mutex_);
  const Result<uint32_t> position = position_of(id);
  if (!position) return position.error();
  if (const auto going = is_going(); !going) return going.error();
  Node& node = *nodes_[*position];
  if (node.paused) return Error{fmt::format("node {} is paused already", id)};
  if (!node.part.up) return Error{fmt::format("node {} is down: restart it first", id)};
  node.paused = true;
  // What it is doing it does to the end; that may be never.
  const bool idle = changed_.wait_for(lock, kPatience, [&] { return halted_ || !node.busy; });
  if (!idle) return fmt::format("node {} is paused as soon as its handler has ended", id);
  return fmt::format("node {} is paused: what comes waits", id);
}

Result<std::string> Cluster::resume(int id) {
  const std::lock_guard lock(mutex_);
  const Result<uint32_t> position = position_of(id);
  if (!position) return position.error();
  if (const auto going = is_going(); !going) return going.error();
  Node& node = *nodes_[*position];
  if (!node.paused) return Error{fmt::format("node {} is not paused", id)};
  node.paused = false;
  changed_.notify_all();
  return fmt::format("node {} goes on with {}", id, counted(node.queue.size(), "event"));
}

Result<std::string> Cluster::crash(int id) {
  Lock lock(mutex_);
  const Result<uint32_t> position = position_of(id);
  if (!position) return position.error();
  // Who is being told that this node is back is told before it is gone again; and what is being let
  // out comes first. Either may never be done.
  changed_.wait_for(lock, kPatience, [&] {
    return halted_ || (!committing_ && !is_handling(ActionKind::kRestore, *position));
  });
  if (const auto going = is_going(); !going) return going.error();
  if (committing_ || is_handling(ActionKind::kRestore, *position)) {
    return Error{fmt::format(
        "node {} cannot crash just now: {}, and has not returned", id,
        committing_ ? "a component was called" : "somebody is being told that it is back")};
  }
  Node& node = *nodes_[*position];
  if (node.wants_recovery) return Error{fmt::format("node {} is coming back just now", id)};
  if (!node.part.up) return Error{fmt::format("node {} is down already", id)};
  ++node.life;
  node.paused = false;
  node.part.up = false;
  node.part.timers.clear();
  node.timers.clear();
  tell_of_crash(*position);
  Record record;
  record.kind = ActionKind::kCrash;
  record.node = id;
  add_record(std::move(record));
  return fmt::format("node {} has crashed", id);
}

Result<std::string> Cluster::restart(int id) {
  const std::lock_guard lock(mutex_);
  const Result<uint32_t> position = position_of(id);
  if (!position) return position.error();
  if (const auto going = is_going(); !going) return going.error();
  Node& node = *nodes_[*position];
  if (node.part.up) return Error{fmt::format("node {} is up: crash it first", id)};
  if (node.wants_recovery) return Error{fmt::format("node {} is coming back already", id)};
  node.wants_recovery = true;
  changed_.notify_all();
  return fmt::format(
      "node {} comes back with {}", id,
      node.part.disk.empty() ? "nothing: it has persisted nothing" : "what it has persisted");
}

Result<std::string> Cluster::submit(uint32_t index) {
  if (const auto going = is_going(); !going) return going.error();
  const auto& [id, request] = declaration().requests[index];
  add(static_cast<uint32_t>(space_->position_of(id)), ActionKind::kRequest, -1, request,
      clock_.now());
  return fmt::format("request {} for node {}: {}", index, id.value,
                     one_line(value::show(request.tree())));
}

Result<std::string> Cluster::request(uint32_t index) {
  const std::lock_guard lock(mutex_);
  const size_t count = declaration().requests.size();
  if (count == 0) return Error{"the system declares no requests"};
  if (index >= count) {
    return Error{
        fmt::format("there is no request {}; they are numbered 0 to {}, and 'request node "
                    "N' is for a node",
                    index, count - 1)};
  }
  return submit(index);
}

Result<std::string> Cluster::request_of(int id) {
  const std::lock_guard lock(mutex_);
  const Result<uint32_t> position = position_of(id);
  if (!position) return position.error();
  std::vector<uint32_t> mine;
  for (uint32_t i = 0; i < declaration().requests.size(); ++i) {
    if (declaration().requests[i].first.value == id) mine.push_back(i);
  }
  if (mine.empty()) return Error{fmt::format("the system declares no request for node {}", id)};
  return submit(mine[nodes_[*position]->next_request++ % mine.size()]);
}

Result<std::string> Cluster::set_drop(int from, int to, bool drop) {
  const std::lock_guard lock(mutex_);
  const Result<uint32_t> a = position_of(from);
  if (!a) return a.error();
  const Result<uint32_t> b = position_of(to);
  if (!b) return b.error();
  if (const auto going = is_going(); !going) return going.error();
  links_[{static_cast<int>(*a), static_cast<int>(*b)}].drop = drop;
  changed_.notify_all();
  return drop ? fmt::format("messages from {} to {} are lost", from, to)
              : fmt::format("messages from {} to {} arrive", from, to);
}

Result<std::string> Cluster::set_delay(int from, int to, double ms) {
  const std::lock_guard lock(mutex_);
  const Result<uint32_t> a = position_of(from);
  if (!a) return a.error();
  const Result<uint32_t> b = position_of(to);
  if (!b) return b.error();
  if (const auto going = is_going(); !going) return going.error();
  links_[{static_cast<int>(*a), static_cast<int>(*b)}].delay = ms;
  return fmt::format("messages from {} to {} take {:g} ms longer", from, to, ms);
}

Result<std::string> Cluster::cut(int a, int b) {
  if (a == b) return Error{fmt::format("cut takes two nodes; {} and {} are one", a, b)};
  if (const auto there = set_drop(a, b, true); !there) return there;
  if (const auto back = set_drop(b, a, true); !back) return back;
  return fmt::format("messages between {} and {} are lost, both ways", a, b);
}

Result<std::string> Cluster::heal() {
  const std::lock_guard lock(mutex_);
  if (const auto going = is_going(); !going) return going.error();
  size_t changed = 0;
  for (auto& [ends, link] : links_) {
    changed += link.drop || link.delay > 0 ? 1 : 0;
    link.drop = false;
    link.delay = 0;
  }
  changed_.notify_all();
  return changed == 0 ? std::string("all links are in order")
                      : fmt::format("{} in order again",
                                    changed == 1 ? std::string("1 link is")
                                                 : fmt::format("{} links are", changed));
}

Result<std::string> Cluster::set_speed(double speed) {
  const std::lock_guard lock(mutex_);
  if (const auto going = is_going(); !going) return going.error();
  clock_.set_speed(speed);
  changed_.notify_all();
  return fmt::format("time passes {:g} times as fast as on the wall", speed);
}

void Cluster::describe(LiveStatus& out) const {
  const std::lock_guard lock(mutex_);
  out.running = !halted_;
  out.speed = clock_.speed();
  out.quiet = true;
  for (const auto& node : nodes_) {
    const bool waits = node->part.up && (!node->queue.empty() || !node->timers.empty());
    if (node->busy || node->wants_recovery || waits) out.quiet = false;
    if (space_->is_component(static_cast<int>(node->part.node))) continue;
    out.nodes.push_back({node->id, std::string(space_->type_of(node->part.node).name),
                         node->part.up, node->paused, static_cast<uint32_t>(node->queue.size())});
  }
  out.quiet = out.quiet && records_.empty() && !following_;
  for (const auto& [ends, link] : links_) {
    if (!link.drop && link.delay <= 0) continue;
    out.links.push_back(
        {space_->id_of(ends.first), space_->id_of(ends.second), link.drop, link.delay});
  }
  for (uint32_t i = 0; i < declaration().requests.size(); ++i) {
    const auto& [id, request] = declaration().requests[i];
    out.requests.push_back({i, id.value, value::show(request.tree())});
  }
}

// --- The failure detector
// ------------------------------------------------------------------------------

bool Cluster::is_handling(ActionKind kind, uint32_t about) const {
  return std::any_of(nodes_.begin(), nodes_.end(), [&](const auto& node) {
    return std::any_of(node->queue.begin(), node->queue.end(), [&](const Pending& pending) {
      return pending.claimed && pending.kind == kind && pending.from == static_cast<int>(about);
    });
  });
}

void Cluster::notice(ActionKind kind, uint32_t about, uint32_t to) {
  // A detector takes 1 to 3 units, and does not tell everybody at once.
  const double units = 1 + static_cast<double>(rng_.below(2001)) / 1000;
  add(to, kind, static_cast<int>(about), {}, clock_.now() + units * options_.unit_ms);
}

void Cluster::tell_of_crash(uint32_t position) {
  const int who = static_cast<int>(position);
  std::erase_if(nodes_[position]->queue, [](const Pending& pending) {
    return pending.kind == ActionKind::kDetect || pending.kind == ActionKind::kRestore;
  });
  for (const auto& node : nodes_) {
    // A suspicion that was to be taken back has become right.
    std::erase_if(node->queue, [&](const Pending& pending) {
      return pending.kind == ActionKind::kRestore && pending.from == who;
    });
  }
  std::erase_if(notified_, [&](const auto& pair) { return pair.first == who; });
  if (declaration().detector == Detector::kNone) return;
  for (uint32_t node = 0; node < space_->node_count(); ++node) {
    if (node == position || !nodes_[node]->part.up) continue;
    if (space_->type_of(node).crashed == nullptr) continue;
    if (notified_.contains({static_cast<int>(node), who})) continue;
    notice(ActionKind::kDetect, position, node);
  }
}

void Cluster::tell_of_recovery(uint32_t position) {
  const int who = static_cast<int>(position);
  for (const auto& node : nodes_) {
    std::erase_if(node->queue, [&](const Pending& pending) {
      return pending.kind == ActionKind::kDetect && pending.from == who;
    });
  }
  for (uint32_t node = 0; node < space_->node_count(); ++node) {
    if (notified_.erase({static_cast<int>(node), who}) == 0) continue;
    if (space_->type_of(node).restored != nullptr) notice(ActionKind::kRestore, position, node);
  }
  if (declaration().detector == Detector::kNone) return;
  if (space_->type_of(position).crashed == nullptr) return;
  for (uint32_t node = 0; node < space_->node_count(); ++node) {
    if (node != position && !nodes_[node]->part.up) notice(ActionKind::kDetect, node, position);
  }
}

}  // namespace ordeal::live
