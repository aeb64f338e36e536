#include "system/scenario/product.h"

#include <algorithm>

#include "base/hash.h"
#include "base/mutant.h"
#include "system/scenario/product_space.h"

namespace ordeal::monitor {

// The system as the monitor sees it: without filters.
class MonitoredWorld::System : public Surroundings {
 public:
  explicit System(World& world) : world_(world) {}

  const std::vector<Choice>& enabled() override { return world_.enabled(); }
  Offer offer(uint32_t index) override { return world_.offer(index); }
  Action action(uint32_t index) override { return world_.action(index); }
  void on_its_way(std::vector<Event>& out) override { world_.on_its_way(out); }
  bool holds(uint32_t property, bool over) override {
    const bool later = world_.properties()[property].kind == PropertyKind::kEventually;
    return (later && !over && !mutant(Mutant::kEventuallyAtOnce)) ||
           world_.explain(over, property).ok();
  }

 private:
  World& world_;
};

MonitoredWorld::MonitoredWorld(std::shared_ptr<const Monitor> monitor,
                               std::unique_ptr<World> system,
                               std::function<void(const Tally&)> report)
    : monitor_(std::move(monitor)),
      system_(std::move(system)),
      surroundings_(std::make_unique<System>(*system_)),
      verdicts_(monitor_->scenario(), system_->properties()),
      evaluator_(monitor_->lexicon()),
      tally_(monitor_->new_tally()),
      report_(std::move(report)) {}

MonitoredWorld::~MonitoredWorld() {
  if (report_) report_(tally_);
}

uint32_t MonitoredWorld::initial_count() {
  return starts() * static_cast<uint32_t>(monitor_->cards().size());
}

uint32_t MonitoredWorld::starts() {
  return monitor_->scenario().starts_in ? 1 : system_->initial_count();
}

Result<void> MonitoredWorld::reset(uint32_t initial) {
  const uint32_t count = std::max<uint32_t>(1, starts());
  const uint32_t way = initial / count;
  if (way >= monitor_->cards().size()) {
    return Error{"there is no initial state number " + std::to_string(initial) + ": there are " +
                 std::to_string(initial_count())};
  }
  const uint32_t start = monitor_->scenario().starts_in.value_or(initial % count);
  if (auto known = Monitor::has_start(start, system_->initial_count()); !known) return known;
  if (auto done = system_->reset(start); !done) return done;
  evaluator_.start_afresh();
  context_ = monitor_->begin(way);
  monitor_events(true);
  return {};
}

void MonitoredWorld::monitor_events(bool begins) {
  events_.clear();
  changes_.clear();
  story_.clear();
  end_.reset();
  if (begins) {
    system_->on_its_way(events_);
  } else {
    system_->events(events_);
  }
  monitor_->observe(context_, events_, evaluator_, *surroundings_, changes_, tally_,
                    tells_ ? &story_ : nullptr);
  tells_ = false;
  if (!changes_.empty()) system_->amend(changes_);
  monitor_->settle(context_, *surroundings_, tally_);
  listed_ = false;
}

const std::vector<Choice>& MonitoredWorld::enabled() {
  if (!listed_) {
    monitor_->visible(context_, *surroundings_, visible_);
    enabled_.clear();
    const std::vector<Choice>& all = system_->enabled();
    for (uint32_t i : visible_) enabled_.push_back(all[i]);
    if (monitor_->is_forced(context_)) {
      for (Choice& choice : enabled_) choice.progress = true;
    }
    listed_ = true;
  }
  return enabled_;
}

uint32_t MonitoredWorld::inner(uint32_t index) {
  enabled();
  return visible_[index];
}

Result<void> MonitoredWorld::apply(uint32_t index) {
  const uint32_t chosen = inner(index);
  const bool was_answer = system_->enabled()[chosen].kind == ActionKind::kChoose;
  // An opaque node that asks in the middle of a handler is still in the same step.
  if (!was_answer) {
    monitor_->take(context_, system_->enabled()[chosen].kind, system_->offer(chosen));
  }
  if (auto done = system_->apply(chosen); !done) return done;
  monitor_events(false);
  return {};
}

uint64_t MonitoredWorld::fingerprint() {
  return system_->fingerprint() + mix64(Monitor::hash(context_));
}

uint32_t MonitoredWorld::last_state() {
  if (!end_) {
    End end{0, monitor_->new_tally()};
    end.machine = monitor_->machine_at_end(context_, evaluator_, *surroundings_, &end.tally);
    end_ = std::move(end);
  }
  return end_->machine;
}

Standing MonitoredWorld::standing(bool over) {
  return monitor_->standing(context_, over ? last_state() : context_.machine_state());
}

Machine::Kind MonitoredWorld::machine_kind(bool over) {
  return monitor_->kind_of(over ? last_state() : context_.machine_state());
}

std::string MonitoredWorld::machine_state(bool over) {
  return monitor_->name_of(over ? last_state() : context_.machine_state());
}

uint32_t MonitoredWorld::finish() {
  const uint32_t last = last_state();
  tally_.add(end_->tally);
  return last;
}

void MonitoredWorld::judge(bool terminal, Judgement& out) {
  Judgement system;
  system_->judge(terminal, system);
  verdicts_.take_over(system, out);
  verdicts_.judge(standing(terminal), terminal, out);
}

void MonitoredWorld::judge_step(Judgement& out) {
  Judgement system;
  system_->judge_step(system);
  verdicts_.take_over(system, out);
}

Outcome MonitoredWorld::explain(bool terminal, uint32_t property) {
  const uint32_t of_system = verdicts_.of_system[property];
  if (of_system != Verdicts::kNone) return system_->explain(terminal, of_system);
  return verdicts_.explain(standing(terminal), property);
}

void MonitoredWorld::footprint(uint32_t, Footprint& out) {
  out.clear();
  out.everything = true;  // a filter may react to anything
}

void MonitoredWorld::after_step(StepDetail& detail) {
  system_->after_step(detail);
  const TypeNames& names = monitor_->names();
  const auto add = [&names](const Amendment& change, const value::Any& payload,
                            std::vector<Sent>& list) {
    Sent sent;
    sent.kind = change.what;
    sent.from = change.from.value;
    sent.to = change.to.value;
    sent.type = names.of(payload);
    sent.text = value::show(names.tree(payload));
    sent.payload_digest = payload.digest();
    list.push_back(std::move(sent));
  };
  for (const Amendment& change : changes_) {
    if (change.what == ActionKind::kTimer) continue;  // the story tells
    switch (change.kind) {
      case Amendment::Kind::kRemove:
        add(change, change.payload, detail.lost);
        break;
      case Amendment::Kind::kReplace:
        add(change, change.payload, detail.lost);
        add(change, change.other, detail.sent);
        break;
      case Amendment::Kind::kCopy:
      case Amendment::Kind::kAdd:
        add(change, change.payload, detail.sent);
        break;
    }
  }
  detail.scenario = story_;
}

Snapshot MonitoredWorld::observe() {
  Snapshot out = system_->observe();
  Snapshot::Part part;
  part.name = "scenario";
  part.digest = Monitor::digest(context_);
  out.digest += mix64(part.digest);
  part.tree = monitor_->tree(context_);
  out.parts.push_back(std::move(part));
  return out;
}

// --- Product ------------------------------------------------------------------------------------

Product::Product(std::shared_ptr<const Monitor> monitor, const Checkable& subject)
    : monitor_(std::move(monitor)),
      subject_(subject),
      verdicts_(monitor_->scenario(), subject.properties()),
      searched_(std::make_shared<Searched>()) {}

std::unique_ptr<MonitoredWorld> Product::monitored_world() const {
  return std::make_unique<MonitoredWorld>(monitor_, subject_.world());
}

// A monitor that is no value has no states to search.
std::shared_ptr<StateSpace> Product::space() const {
  std::shared_ptr<StateSpace> system = subject_.space();
  if (system == nullptr || !monitor_->is_value()) return nullptr;
  return product_space(monitor_, std::move(system),
                       [searched = searched_](const Tally& tally) { searched->add(tally); });
}

std::unique_ptr<World> Product::world() const {
  return std::make_unique<MonitoredWorld>(
      monitor_, subject_.world(),
      [searched = searched_](const Tally& tally) { searched->add(tally); });
}

void Product::Searched::add(const Tally& more) {
  std::lock_guard lock(mutex);
  tally.add(more);
}

Tally Product::searched() const {
  std::lock_guard lock(searched_->mutex);
  return searched_->tally;
}

Result<std::shared_ptr<Symmetry>> Product::symmetry() const {
  return Error{"scenarios tell nodes apart: they do not go with symmetry"};
}

}  // namespace ordeal::monitor
