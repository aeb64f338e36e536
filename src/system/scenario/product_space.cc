#include "system/scenario/product_space.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/intern.h"
#include "base/mutant.h"

namespace ordeal::monitor {
namespace {

// A state of the system as the monitor sees it, looked at by an explorer of its own: what another
// one has enumerated stays valid.
class Peek : public Surroundings {
 public:
  explicit Peek(StateSpace& space) : properties_(space.properties()), explorer_(space.explorer()) {}

  void look_at(StateRef state) {
    state_ = state;
    listed_ = false;
  }

  const std::vector<Choice>& enabled() override {
    if (!listed_) {
      enabled_.clear();
      explorer_->enumerate(state_, enabled_);
      listed_ = true;
    }
    return enabled_;
  }
  Offer offer(uint32_t index) override { return explorer_->offer(state_, enabled()[index]); }
  Action action(uint32_t index) override { return explorer_->action(state_, enabled()[index]); }
  void on_its_way(std::vector<Event>& out) override { explorer_->on_its_way(state_, out); }
  uint64_t bytes() const { return explorer_->bytes(); }
  bool holds(uint32_t property, bool over) override {
    const bool later = properties_[property].kind == PropertyKind::kEventually;
    return (later && !over && !mutant(Mutant::kEventuallyAtOnce)) ||
           explorer_->explain(state_, over, property).ok();
  }

 private:
  const std::vector<Property>& properties_;
  std::unique_ptr<Explorer> explorer_;
  StateRef state_;
  std::vector<Choice> enabled_;
  bool listed_ = false;
};

struct Interned {
  uint64_t hash = 0;
  uint64_t second = 0;
  ScenarioContext context;
};

uint64_t owned_bytes(const Interned& entry) { return Monitor::owned_bytes(entry.context); }

class ProductSpace : public StateSpace, public std::enable_shared_from_this<ProductSpace> {
 public:
  ProductSpace(std::shared_ptr<const Monitor> monitor, std::shared_ptr<StateSpace> system,
               Report report)
      : monitor_(std::move(monitor)),
        system_(std::move(system)),
        report_(std::move(report)),
        verdicts_(monitor_->scenario(), system_->properties()) {}

  const std::vector<Property>& properties() const override { return verdicts_.properties; }
  std::string scenario() const override { return monitor_->identity(); }
  Result<std::string> interprets() const override { return system_->interprets(); }
  Result<std::vector<Initial>> initial() override;
  bool judges_outside() const override { return system_->judges_outside(); }
  Result<Liveness> liveness() const override;
  std::unique_ptr<Explorer> explorer() override;
  SpaceStatistics statistics() const override {
    SpaceStatistics out = system_->statistics();
    out.bytes += contexts_.bytes();
    return out;
  }
  std::vector<StepSort> sorts() const override { return system_->sorts(); }
  std::vector<KindRef> kinds() const override { return system_->kinds(); }
  bool can_travel() const override { return system_->can_travel(); }
  void encode(StateRef state, std::string& bytes) override {
    std::string context;
    Monitor::write(contexts_[state[0]].context, context);
    value::write(context, bytes);
    value::write(contexts_[state[0]].hash, bytes);
    system_->encode(state.subspan(1), bytes);
  }
  Result<uint64_t> decode(std::string_view bytes, std::vector<uint32_t>& out) override {
    const size_t first = out.size();
    std::string text;
    uint64_t hash = 0;
    ScenarioContext context;
    bool good = value::read(bytes, text) && value::read(bytes, hash);
    std::string_view rest = text;
    good = good && monitor_->read(rest, context) && rest.empty() && Monitor::hash(context) == hash;
    if (!good) return Error{"these bytes are no state of this scenario"};
    out.push_back(intern(std::move(context)));
    Result<uint64_t> inner = system_->decode(bytes, out);
    if (!inner) {
      out.resize(first);
      return inner;
    }
    return *inner + mix64(hash);
  }
  void forget() override {
    system_->forget();
    contexts_.clear();
  }

  const Monitor& monitor() const { return *monitor_; }
  StateSpace& system() { return *system_; }
  const Verdicts& verdicts() const { return verdicts_; }
  const Interned& context(uint32_t id) const { return contexts_[id]; }
  void report(const Tally& tally) const { report_(tally); }

  uint32_t intern(ScenarioContext context) {
    Interned entry{Monitor::hash(context), Monitor::second_hash(context), std::move(context)};
    const uint64_t hash = entry.hash;
    return contexts_.intern(hash, std::move(entry), [](const Interned& a, const Interned& b) {
      return a.second == b.second;
    });
  }

 private:
  std::shared_ptr<const Monitor> monitor_;
  std::shared_ptr<StateSpace> system_;
  Report report_;
  Verdicts verdicts_;
  InternTable<Interned> contexts_;
};

class ProductExplorer : public Explorer {
 public:
  explicit ProductExplorer(std::shared_ptr<ProductSpace> space)
      : space_(std::move(space)),
        system_(space_->system().explorer()),
        peek_(space_->system()),
        evaluator_(space_->monitor().lexicon()),
        tally_(space_->monitor().new_tally()) {}
  ~ProductExplorer() override { space_->report(tally_); }

  void enumerate(StateRef state, std::vector<Choice>& out) override {
    const ScenarioContext& context = context_of(state);
    all_.clear();
    system_->enumerate(inner(state), all_);
    if (system_->trouble() != nullptr) return;
    Listed listed(*system_, inner(state), all_);
    space_->monitor().visible(context, listed, visible_);
    const bool forced = space_->monitor().is_forced(context);
    for (uint32_t i : visible_) {
      out.push_back(all_[i]);
      out.back().progress = out.back().progress || forced;
    }
  }

  uint64_t apply(StateRef state, uint64_t fingerprint, const Choice& choice,
                 std::vector<uint32_t>& out) override {
    const Monitor& monitor = space_->monitor();
    const Interned& before = space_->context(state[0]);
    ScenarioContext context = before.context;
    monitor.take(context, choice.kind, system_->offer(inner(state), choice));
    next_.clear();
    uint64_t inner_fingerprint =
        system_->apply(inner(state), fingerprint - mix64(before.hash), choice, next_);
    events_.clear();
    system_->events(inner(state), choice, next_, events_);
    return arrive(std::move(context), inner_fingerprint, out);
  }

  // What begins a run in a state of the system.
  uint64_t begin(const StateSpace::Initial& initial, uint32_t draw, std::vector<uint32_t>& out) {
    next_ = initial.state;
    events_.clear();
    system_->on_its_way(next_, events_);
    return arrive(space_->monitor().begin(draw), initial.fingerprint, out);
  }

  bool within(StateRef state) override { return system_->within(inner(state)); }

  Result<uint32_t> predicate(const std::string& text) override { return system_->predicate(text); }
  bool holds(StateRef state, uint32_t predicate) override {
    return system_->holds(inner(state), predicate);
  }
  std::optional<uint32_t> distance(StateRef state, uint32_t predicate) override {
    return system_->distance(inner(state), predicate);
  }
  Result<uint32_t> colouring(const std::string& name) override { return system_->colouring(name); }
  void colours(StateRef state, uint32_t colouring, std::vector<uint64_t>& out) override {
    system_->colours(inner(state), colouring, out);
  }
  void show_colours(StateRef state, uint32_t colouring, std::vector<value::Tree>& out) override {
    system_->show_colours(inner(state), colouring, out);
  }

  void judge(StateRef state, bool terminal, Judgement& out) override {
    Judgement system;
    system_->judge(inner(state), terminal, system);
    if (system_->trouble() != nullptr) return;
    space_->verdicts().take_over(system, out);
    space_->verdicts().judge(standing(state, terminal), terminal, out);
  }

  Outcome explain(StateRef state, bool terminal, uint32_t property) override {
    const uint32_t of_system = space_->verdicts().of_system[property];
    if (of_system != Verdicts::kNone) return system_->explain(inner(state), terminal, of_system);
    return space_->verdicts().explain(standing(state, terminal), property);
  }

  const std::string* trouble() override { return system_->trouble(); }
  // Of the step as the system took it: only nodes have anything that filters could amend, and no
  // properties of steps.
  void judge_step(StateRef before, const Choice& choice, StateRef after, Judgement& out) override {
    Judgement system;
    system_->judge_step(inner(before), choice, inner(after), system);
    space_->verdicts().take_over(system, out);
  }
  Outcome explain_step(StateRef before, const Choice& choice, StateRef after,
                       uint32_t property) override {
    return system_->explain_step(inner(before), choice, inner(after),
                                 space_->verdicts().of_system[property]);
  }

  void atoms_of_state(StateRef state, bool terminal, std::vector<bool>& out) override {
    system_->atoms_of_state(inner(state), terminal, out);
    out.back() = standing(state, terminal).kind == Machine::Kind::kSuccess;
  }
  void atoms_of_step(StateRef before, const Choice& choice, StateRef after,
                     std::vector<bool>& out) override {
    system_->atoms_of_step(inner(before), choice, inner(after), out);
  }
  Duty duty(StateRef state, const Choice& choice) override {
    return system_->duty(inner(state), choice);
  }

  Action action(StateRef state, const Choice& choice) override {
    return system_->action(inner(state), choice);
  }
  StepDetail detail(StateRef state, const Choice& choice) override {
    return system_->detail(inner(state), choice);
  }

  Snapshot observe(StateRef state) override {
    Snapshot out = system_->observe(inner(state));
    Snapshot::Part part;
    part.name = "scenario";
    part.digest = Monitor::digest(context_of(state));
    out.digest += mix64(part.digest);
    part.tree = space_->monitor().tree(context_of(state));
    out.parts.push_back(std::move(part));
    return out;
  }

  uint64_t fingerprint(StateRef state) override {
    return system_->fingerprint(inner(state)) + mix64(Monitor::hash(context_of(state)));
  }
  uint64_t second_fingerprint(StateRef state) override {
    return system_->second_fingerprint(inner(state)) + mix64(space_->context(state[0]).second);
  }
  uint64_t bytes() const override { return system_->bytes() + peek_.bytes(); }
  uint64_t key(StateRef state, const Choice& choice) override {
    return system_->key(inner(state), choice);
  }
  Offer offer(StateRef state, const Choice& choice) override {
    return system_->offer(inner(state), choice);
  }
  // As the filters saw them: `after` is what they have made of it.
  void events(StateRef before, const Choice& choice, StateRef, std::vector<Event>& out) override {
    next_.clear();
    system_->apply(inner(before), system_->fingerprint(inner(before)), choice, next_);
    system_->events(inner(before), choice, next_, out);
  }
  void on_its_way(StateRef state, std::vector<Event>& out) override {
    system_->on_its_way(inner(state), out);
  }

 private:
  // What system_ has just enumerated.
  class Listed : public Surroundings {
   public:
    Listed(Explorer& explorer, StateRef state, const std::vector<Choice>& enabled)
        : explorer_(explorer), state_(state), enabled_(enabled) {}
    const std::vector<Choice>& enabled() override { return enabled_; }
    Offer offer(uint32_t index) override { return explorer_.offer(state_, enabled_[index]); }
    Action action(uint32_t index) override { return explorer_.action(state_, enabled_[index]); }
    void on_its_way(std::vector<Event>& out) override { explorer_.on_its_way(state_, out); }
    bool holds(uint32_t, bool) override { return true; }  // only events ask

   private:
    Explorer& explorer_;
    StateRef state_;
    const std::vector<Choice>& enabled_;
  };

  static StateRef inner(StateRef state) { return state.subspan(1); }
  const ScenarioContext& context_of(StateRef state) { return space_->context(state[0]).context; }

  // What the run has come to; `terminal`: the machine has seen its last event.
  Standing standing(StateRef state, bool terminal) {
    const ScenarioContext& context = context_of(state);
    if (!terminal) return space_->monitor().standing(context, context.machine_state());
    peek_.look_at(inner(state));
    return space_->monitor().standing(context,
                                      space_->monitor().machine_at_end(context, evaluator_, peek_));
  }

  // The system is in next_ after events_: lets the monitor have its say, and packs the result.
  uint64_t arrive(ScenarioContext context, uint64_t fingerprint, std::vector<uint32_t>& out) {
    const Monitor& monitor = space_->monitor();
    changes_.clear();
    peek_.look_at(next_);
    monitor.observe(context, events_, evaluator_, peek_, changes_, tally_);
    if (!changes_.empty() && !mutant(Mutant::kAmendmentsLost)) {
      amended_.clear();
      fingerprint = system_->amend(next_, changes_, amended_);
      std::swap(next_, amended_);
      peek_.look_at(next_);
    }
    monitor.settle(context, peek_, tally_);
    const uint32_t id = space_->intern(std::move(context));
    out.push_back(id);
    out.insert(out.end(), next_.begin(), next_.end());
    return fingerprint + mix64(space_->context(id).hash);
  }

  std::shared_ptr<ProductSpace> space_;
  std::unique_ptr<Explorer> system_;
  Peek peek_;
  Evaluator evaluator_;
  Tally tally_;
  std::vector<Choice> all_;
  std::vector<uint32_t> visible_;
  std::vector<uint32_t> next_;
  std::vector<uint32_t> amended_;
  std::vector<Event> events_;
  std::vector<Amendment> changes_;
};

std::unique_ptr<Explorer> ProductSpace::explorer() {
  return std::make_unique<ProductExplorer>(shared_from_this());
}

// What the system says of those of its properties that count, and that the machine comes to success
// where that is asked for: there is one more atom for it, the last.
Result<Liveness> ProductSpace::liveness() const {
  Result<Liveness> system = system_->liveness();
  if (!system) return system.error();
  Liveness out = *system;
  out.claims.clear();
  for (uint32_t i = 0; i < verdicts_.properties.size(); ++i) {
    for (const Liveness::Claim& claim : system->claims) {
      if (verdicts_.of_system[i] == claim.property) out.claims.push_back({i, claim.formula});
    }
  }
  const uint32_t success = out.state_atoms++;
  if (verdicts_.succeeds != Verdicts::kNone) {
    out.claims.push_back({verdicts_.succeeds, formula::eventually(formula::state(success))});
  }
  return out;
}

Result<std::vector<StateSpace::Initial>> ProductSpace::initial() {
  auto states = system_->initial();
  if (!states) return states.error();
  if (const std::optional<uint32_t> start = monitor_->scenario().starts_in) {
    const auto count = static_cast<uint32_t>(states->size());
    if (const auto known = Monitor::has_start(*start, count); !known) return known.error();
    states = std::vector<Initial>{(*states)[*start]};
  }
  ProductExplorer explorer(shared_from_this());
  std::vector<Initial> out;
  for (uint32_t draw = 0; draw < monitor_->cards().size(); ++draw) {
    for (const Initial& state : *states) {
      Initial begun;
      begun.choices = state.choices;
      begun.fingerprint = explorer.begin(state, draw, begun.state);
      out.push_back(std::move(begun));
    }
  }
  return out;
}

}  // namespace

std::shared_ptr<StateSpace> product_space(std::shared_ptr<const Monitor> monitor,
                                          std::shared_ptr<StateSpace> system, Report report) {
  return std::make_shared<ProductSpace>(std::move(monitor), std::move(system), std::move(report));
}

}  // namespace ordeal::monitor
