#include "live/cluster.h"

#include <algorithm>

#include "base/hash.h"
#include "live/left_behind.h"
#include "system/actor/handler_run.h"

namespace ordeal::live {
namespace {

// Nodes wait when the simulator is so many records behind.
constexpr size_t kMostBehind = 1000;

}  // namespace

Cluster::Cluster(std::shared_ptr<actor::ActorSpace> space, const LiveOptions& options,
                 std::vector<uint32_t> start_choices)
    : space_(std::move(space)),
      options_(options),
      start_choices_(std::move(start_choices)),
      rng_(options.seed) {
  for (uint32_t i = 0; i < space_->part_count(); ++i) {
    const int id = space_->id_of(static_cast<int>(i));
    nodes_.push_back(std::make_unique<Node>(declaration().nodes[i], id, space_->peers(i),
                                            space_->group(i), combine(options.seed, i)));
    nodes_[i]->id = id;
    nodes_[i]->part.node = i;
  }
}

std::shared_ptr<Cluster> Cluster::make(std::shared_ptr<actor::ActorSpace> space,
                                       const LiveOptions& options,
                                       std::vector<uint32_t> start_choices) {
  const std::shared_ptr<Cluster> own(
      new Cluster(std::move(space), options, std::move(start_choices)));
  return {own.get(), [own](Cluster* cluster) {
            cluster->halt("");
            cluster->leave();
          }};
}

Result<std::vector<Asked>> Cluster::start() {
  Lock lock(mutex_);
  std::vector<Asked> asked;
  size_t answered = 0;
  for (uint32_t i = 0; i < nodes_.size(); ++i) nodes_[i]->object.renew();
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    Node& node = *nodes_[i];
    const auto answer = [&](uint32_t n) -> uint32_t {
      if (node.object.is_opaque()) return static_cast<uint32_t>(node.answers.below(n));
      return answered < start_choices_.size() ? start_choices_[answered++] : 0;
    };
    actor::Event event;
    event.kind = ActionKind::kStep;
    event.to = static_cast<int16_t>(i);
    const Ran ran = node.object.run(event, -1, {}, answer);
    Record unused;
    const std::string failure = let_all_out(i, ran, unused, lock);
    if (!failure.empty()) {
      return Error{"node " + std::to_string(node.id) + " cannot start: " + failure};
    }
    asked.insert(asked.end(), ran.asked.begin(), ran.asked.end());
  }
  for (uint32_t i = 0; !options_.hold_requests && i < declaration().requests.size(); ++i) {
    const auto& [id, request] = declaration().requests[i];
    add(static_cast<uint32_t>(space_->position_of(id)), ActionKind::kRequest, -1, request,
        clock_.now() + options_.unit_ms * (i + 1));
  }
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i]->thread = std::thread([own = shared_from_this(), i]() mutable {
      const bool left = own->live(i);
      own.reset();
      if (left) end_thread_left_behind();
    });
  }
  return asked;
}

bool Cluster::take(Record& out) {
  Lock lock(mutex_);
  following_ = false;
  taken_ = 0;
  recorded_.wait(lock, [&] { return halted_ || !records_.empty(); });
  if (halted_ && Clock::Real::now() >= halted_at_ + grace()) {
    unrecorded_ += records_.size();
    records_.clear();
  }
  if (records_.empty()) return false;
  out = std::move(records_.front());
  records_.pop_front();
  following_ = true;
  taken_ = 1;
  if (records_.size() + 1 == kMostBehind) changed_.notify_all();
  return true;
}

// --- The end
// ---------------------------------------------------------------------------------------

Clock::Real::duration Cluster::grace() const {
  return std::chrono::duration_cast<Clock::Real::duration>(
      std::chrono::duration<double, std::milli>(options_.grace_ms));
}

void Cluster::halt_now(const std::string& why) {
  if (halted_) return;
  halted_ = true;
  halted_at_ = Clock::Real::now();
  why_ = why;
  changed_.notify_all();
  recorded_.notify_all();
}

void Cluster::halt(const std::string& why) {
  const std::lock_guard lock(mutex_);
  halt_now(why);
}

std::string Cluster::why() const {
  const std::lock_guard lock(mutex_);
  return why_;
}

bool Cluster::is_late() const {
  const std::lock_guard lock(mutex_);
  return halted_ && Clock::Real::now() >= halted_at_ + grace();
}

bool Cluster::is_following() const {
  const std::lock_guard lock(mutex_);
  return following_;
}

Clock::Real::time_point Cluster::deadline() const {
  const std::lock_guard lock(mutex_);
  return halted_at_ + grace();
}

Remains Cluster::leave() {
  const std::lock_guard leaving(leaving_);
  Lock lock(mutex_);
  changed_.wait_until(lock, halted_at_ + grace(), [&] {
    return std::none_of(nodes_.begin(), nodes_.end(), [](const auto& node) { return node->busy; });
  });
  for (const auto& node : nodes_) {
    if (!node->busy || !node->thread.joinable()) continue;
    node->left = true;
    leave_thread_behind();
    node->thread.detach();
    unfinished_.push_back({node->running.node, show(node->running)});
  }
  const Remains remains{unfinished_, unrecorded_ + records_.size() + taken_};
  lock.unlock();
  // Who is in no handler sees that it is over, and ends.
  for (const auto& node : nodes_) {
    if (node->thread.joinable()) node->thread.join();
  }
  return remains;
}

// --- The life of a node
// ----------------------------------------------------------------------------

bool Cluster::drops(const Pending& pending, uint32_t to) const {
  if (pending.kind != ActionKind::kDeliver || pending.claimed) return false;
  const auto link = links_.find({pending.from, static_cast<int>(to)});
  return link != links_.end() && link->second.drop;
}

bool Cluster::may_handle(const Node& node) const {
  return node.part.up && !node.paused && records_.size() < kMostBehind;
}

Cluster::Next Cluster::next_of(const Node& node) const {
  Next best;
  const bool handles = may_handle(node);
  const auto offer = [&](Next::What what, double due, uint64_t number) {
    const bool first = best.what == Next::What::kNothing || due < best.due;
    if (first) best = {what, due, number, ""};
    return first;
  };
  // Of what is due at the same time, what was sent first comes first.
  for (const Pending& pending : node.queue) {
    if (drops(pending, node.part.node)) {
      offer(Next::What::kLose, pending.due, pending.number);
    } else if (handles) {
      offer(Next::What::kEvent, pending.due, pending.number);
    }
  }
  for (const auto& [name, due] : node.timers) {
    if (handles && offer(Next::What::kTimer, due, 0)) best.timer = name;
  }
  return best;
}

bool Cluster::live(uint32_t position) {
  Lock lock(mutex_);
  Node& node = *nodes_[position];
  const bool component = space_->is_component(static_cast<int>(position));
  while (!halted_) {
    if (component && committing_) {
      changed_.wait(lock);  // it may be called, and have something else to do afterwards
      continue;
    }
    if (node.wants_recovery) {
      recover(position, lock);
      continue;
    }
    const Next next = next_of(node);
    if (next.what == Next::What::kNothing) {
      changed_.wait(lock);
    } else if (next.due > clock_.now()) {
      changed_.wait_until(lock, clock_.when(next.due));
    } else if (next.what == Next::What::kLose && committing_) {
      changed_.wait(lock);  // what is lost may not be recorded as sent yet
    } else if (next.what == Next::What::kLose) {
      lose(position, next.number);
    } else {
      handle(position, next, lock);
    }
  }
  return node.left;
}

bool Cluster::wait_for_turn(Lock& lock) {
  changed_.wait(lock, [&] { return halted_ || !committing_; });
  return !halted_;
}

Ran Cluster::run(uint32_t position, const actor::Event& event, uint32_t caller, Lock& lock) {
  Node& node = *nodes_[position];
  Node& runner = *nodes_[caller];
  // A component that is called, and not at its own event, has no choice.
  const auto answer = [&](uint32_t n) {
    return position == caller ? static_cast<uint32_t>(node.answers.below(n)) : 0;
  };
  const int from = space_->id_of(event.from);
  const value::Any disk = node.part.disk;
  runner.busy = true;
  runner.running.kind = event.kind;
  runner.running.node = node.id;
  runner.running.from = from;
  runner.running.payload = event.payload;
  lock.unlock();
  if (event.kind == ActionKind::kRecover) node.object.renew();
  Ran ran = node.object.run(event, from, disk, answer);
  lock.lock();
  runner.busy = false;
  changed_.notify_all();
  return ran;
}

void Cluster::handle(uint32_t position, const Next& next, Lock& lock) {
  Node& node = *nodes_[position];
  const auto find = [&] {
    return std::find_if(node.queue.begin(), node.queue.end(),
                        [&](const Pending& pending) { return pending.number == next.number; });
  };
  actor::Event event;
  event.to = static_cast<int16_t>(position);
  const bool is_timer = next.what == Next::What::kTimer;
  if (is_timer) {
    event.kind = ActionKind::kTimer;
    event.payload = value::Any::of(next.timer);
  } else {
    const auto pending = find();
    pending->claimed = true;
    event.kind = pending->kind;
    event.from = static_cast<int16_t>(pending->from);
    event.payload = pending->payload;
  }
  const uint64_t life = node.life;
  // Nobody calls a component while it handles an event of its own.
  const bool component = space_->is_component(static_cast<int>(position));
  if (component) committing_ = true;
  const Ran ran = run(position, event, position, lock);
  if (component) committing_ = false;  // the lock is held from here on: nobody comes between
  const bool going = wait_for_turn(lock);
  const auto pending = is_timer ? node.queue.end() : find();
  if (!going || node.life != life) {
    // It crashed before the handler came to its end: nothing of it happened, and what is on its way
    // still is.
    if (pending != node.queue.end()) pending->claimed = false;
    return;
  }
  if (is_timer) {
    node.timers.erase(next.timer);
    std::erase_if(node.part.timers, [&](const actor::Timer& t) { return t.name == next.timer; });
  } else {
    node.queue.erase(pending);
  }
  if (event.kind == ActionKind::kDetect) notified_.insert({event.to, event.from});
  if (event.kind == ActionKind::kRestore) notified_.erase({event.to, event.from});
  commit(position, event, ran, lock);
}

void Cluster::recover(uint32_t position, Lock& lock) {
  Node& node = *nodes_[position];
  actor::Event event;
  event.kind = ActionKind::kRecover;
  event.to = static_cast<int16_t>(position);
  const Ran ran = run(position, event, position, lock);
  // Who is being told that this node has crashed is told before it is back.
  changed_.wait(lock, [&] {
    return halted_ || (!committing_ && !is_handling(ActionKind::kDetect, position));
  });
  if (halted_) return;
  node.wants_recovery = false;
  node.part.up = true;
  tell_of_recovery(position);
  commit(position, event, ran, lock);
}

// --- What a handler did
// ------------------------------------------------------------------------------

void Cluster::commit(uint32_t position, const actor::Event& event, const Ran& ran, Lock& lock) {
  Record record;
  record.kind = event.kind;
  record.node = nodes_[position]->id;
  record.from = space_->id_of(event.from);
  record.payload = event.payload;
  record.choices = ran.choices;
  record.asked = ran.asked;
  committing_ = true;
  record.failure = let_all_out(position, ran, record, lock);
  committing_ = false;
  changed_.notify_all();
  // It was over before the components had answered.
  if (halted_) return;
  std::sort(record.sent.begin(), record.sent.end());
  const bool failed = !record.failure.empty();
  add_record(std::move(record));
  // Nothing follows on a handler that failed.
  if (failed) halt_now("");
}

std::string Cluster::let_all_out(uint32_t position, const Ran& ran, Record& record, Lock& lock) {
  std::vector<actor::Event> calls;
  if (std::string failure = let_out(position, ran, record, calls); !failure.empty()) return failure;
  note_digest(position, ran, record);
  for (const actor::Event& call : calls) {
    if (halted_) break;  // while the last one was called
    const uint32_t callee = static_cast<uint32_t>(call.to);
    Node& component = *nodes_[callee];
    const Ran called = run(callee, call, position, lock);
    if (!called.choices.empty()) return "a component chooses while it is called";
    std::vector<actor::Event> none;
    if (std::string failure = let_out(callee, called, record, none); !failure.empty()) {
      return failure;
    }
    std::erase_if(record.digests, [&](const auto& known) { return known.first == component.id; });
    note_digest(callee, called, record);
  }
  return "";
}

std::string Cluster::let_out(uint32_t position, const Ran& ran, Record& record,
                             std::vector<actor::Event>& calls) {
  if (!ran.failure.empty()) return ran.failure;
  Node& node = *nodes_[position];
  for (const Effect& effect : ran.effects) {
    switch (effect.kind) {
      case Effect::Kind::kSend:
      case Effect::Kind::kPost:
        if (space_->position_of(effect.to) < 0) return "it sends to a node that does not exist";
        send(position, effect, record, calls);
        break;
      case Effect::Kind::kSetTimer: {
        // Where a protocol leaves the time open, nodes differ: else their timers fire together.
        const double random = static_cast<double>(rng_.below(1000)) / 1000;
        const double after = effect.after > 0 ? effect.after : 1 + random;
        node.timers[effect.text] = clock_.now() + after * options_.unit_ms;
        actor::set_timer(node.part.timers, {effect.text, 0, effect.idle});
        break;
      }
      case Effect::Kind::kCancelTimer:
        node.timers.erase(effect.text);
        std::erase_if(node.part.timers,
                      [&](const actor::Timer& timer) { return timer.name == effect.text; });
        break;
      case Effect::Kind::kPersist:
        if (effect.value.type() != space_->type_of(position).disk) return "that is not its Disk";
        node.part.disk = effect.value;
        break;
      case Effect::Kind::kDecide:
        node.part.decisions.push_back(effect.value);
        break;
      case Effect::Kind::kInvoke:
      case Effect::Kind::kReturn: {
        // The simulator keeps the history; here it is enough to know what makes no sense.
        const bool returns = effect.kind == Effect::Kind::kReturn;
        if (node.has_operation != returns) return "the client history makes no sense";
        node.has_operation = !returns;
        break;
      }
      case Effect::Kind::kLog:
        break;
    }
  }
  return "";
}

void Cluster::send(uint32_t position, const Effect& effect, Record& record,
                   std::vector<actor::Event>& calls) {
  const int self = static_cast<int>(position);
  const int to = space_->position_of(effect.to);
  if (space_->is_component(to) && !space_->is_component(self)) {
    actor::Event& call = calls.emplace_back();
    call.kind = ActionKind::kEvent;
    call.from = static_cast<int16_t>(self);
    call.to = static_cast<int16_t>(to);
    call.payload = effect.value;
    return;
  }
  record.sent.emplace_back(effect.to.value, effect.value.digest());
  const bool message = effect.kind == Effect::Kind::kSend && !space_->is_component(self);
  double due = clock_.now() + latency();
  if (message) {
    Link& link = links_[{self, to}];
    due += link.delay;
    if (declaration().network == Network::kOrdered) due = std::max(due, link.last_due);
    link.last_due = due;
  }
  add(static_cast<uint32_t>(to), message ? ActionKind::kDeliver : ActionKind::kEvent, self,
      effect.value, due);
}

void Cluster::note_digest(uint32_t position, const Ran& ran, Record& record) const {
  const Node& node = *nodes_[position];
  if (ran.audited) {
    record.digests.emplace_back(node.id, actor::part_digest(node.part, ran.state_digest));
  }
}

// --- What is on its way
// ------------------------------------------------------------------------------

double Cluster::latency() {
  const double part = static_cast<double>(rng_.below(1001)) / 1000;
  return options_.latency_low_ms + part * (options_.latency_high_ms - options_.latency_low_ms);
}

void Cluster::add(uint32_t to, ActionKind kind, int from, const value::Any& payload, double due) {
  nodes_[to]->queue.push_back({++count_, kind, from, payload, due, false});
  changed_.notify_all();
}

void Cluster::add_record(Record record) {
  records_.push_back(std::move(record));
  recorded_.notify_all();
  changed_.notify_all();
}

void Cluster::lose(uint32_t position, uint64_t number) {
  Node& node = *nodes_[position];
  const auto lost = std::find_if(node.queue.begin(), node.queue.end(),
                                 [&](const Pending& pending) { return pending.number == number; });
  // A network that keeps messages loses one by never delivering it.
  if (declaration().network != Network::kSet) {
    Record record;
    record.kind = ActionKind::kDrop;
    record.node = node.id;
    record.from = space_->id_of(lost->from);
    record.payload = lost->payload;
    add_record(std::move(record));
  }
  node.queue.erase(lost);
}

}  // namespace ordeal::live
