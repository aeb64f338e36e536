#include "system/symmetry/symmetry.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>

#include "base/hash.h"
#include "base/mutant.h"
#include "system/actor/foreign.h"

namespace ordeal::actor {

Canonical::Canonical(std::shared_ptr<ActorSpace> space, std::shared_ptr<const Points> points)
    : space_(std::move(space)),
      points_(std::move(points)),
      renamer_(space_, points_),
      labelling_(points_->classes()),
      generation_(space_->generation()),
      ordered_(space_->declaration().network == Network::kOrdered),
      exchange_(points_->size()) {
  std::iota(exchange_.begin(), exchange_.end(), uint8_t{0});
}

void Canonical::refresh() {
  if (generation_ == space_->generation()) return;
  generation_ = space_->generation();
  renamer_.forget();
}

void Canonical::mention(Table table, uint32_t id, uint32_t place) {
  const Renamer::Item& item = renamer_.item(table, id);
  uint64_t rest = item.mentions;
  if (rest == 0) return;
  const uint64_t* view = renamer_.views(item);
  // In a queue, the place counts.
  const uint64_t salt = ordered_ ? mix64(place) : 0;
  if ((rest & (rest - 1)) == 0) {
    colours_[static_cast<size_t>(std::countr_zero(rest))] += mix64(*view ^ salt);
    return;
  }
  many_.push_back({table, id, place, rest});
  for (; rest != 0; rest &= rest - 1) {
    colours_[static_cast<size_t>(std::countr_zero(rest))] += mix64(*view++ ^ salt);
  }
}

void Canonical::look_at(StateRef state) {
  state_ = state;
  colours_.assign(points_->size(), 0);
  many_.clear();
  mention(Table::kEnvironment, state[kEnvironmentWord], 0);
  mention(Table::kHistory, state[kHistoryWord], 0);
  const uint32_t first = kFirstPart + space_->part_count();
  for (uint32_t i = kFirstPart; i < first; ++i) mention(Table::kPart, state[i], 0);
  uint32_t place = 0;
  for (uint32_t i = first; i < state.size(); ++i) {
    if (ordered_) {
      const bool behind =
          i > first && space_->same_queue(space_->event(state[i - 1]), space_->event(state[i]));
      place = behind ? place + 1 : 0;
    }
    mention(Table::kEvent, state[i], place);
  }
}

uint64_t Canonical::share(Table table, uint32_t id, uint32_t place) const {
  switch (table) {
    case Table::kPart:
      return space_->part(id).mixed;
    case Table::kEvent:
      return space_->pending_share(space_->event(id), place);
    case Table::kEnvironment:
      return space_->environment_mixed(id);
    case Table::kHistory:
      return space_->history_mixed(id);
  }
  return 0;
}

uint64_t Canonical::relation(uint8_t a, uint8_t b) {
  const uint64_t both = uint64_t{1} << a | uint64_t{1} << b;
  uint64_t sum = 0;
  for (const Mention& mention : many_) {
    if ((mention.points & both) != both) continue;
    const uint64_t hash = renamer_.relation(mention.table, mention.id, a, b);
    sum += mix64(hash ^ (ordered_ ? mix64(mention.place) : 0));
  }
  return sum;
}

// Asked only where the two have the same colour: what mentions one of them alone is alike already.
bool Canonical::exchangeable(uint8_t a, uint8_t b) {
  const uint64_t either = uint64_t{1} << a | uint64_t{1} << b;
  std::swap(exchange_[a], exchange_[b]);
  uint64_t sum = 0;
  for (const Mention& mention : many_) {
    if ((mention.points & either) == 0) continue;
    const uint32_t image = renamer_.image(mention.table, mention.id, exchange_);
    if (image == mention.id) continue;
    sum += share(mention.table, image, mention.place) -
           share(mention.table, mention.id, mention.place);
  }
  std::swap(exchange_[a], exchange_[b]);
  return sum == 0;
}

uint64_t Canonical::image(const Permutation& to) {
  trial_.clear();
  return move(state_, to, trial_);
}

uint64_t Canonical::find(StateRef state, uint64_t fingerprint, std::vector<uint32_t>& out) {
  refresh();
  look_at(state);
  labelling_.find(colours_, *this, to_);
  return fingerprint + move(state, to_, out);
}

void Canonical::rename(StateRef state, const Permutation& to, std::vector<uint32_t>& out) {
  refresh();
  move(state, to, out);
}

uint64_t Canonical::move(StateRef state, const Permutation& to, std::vector<uint32_t>& out) {
  uint64_t change = 0;
  const auto moved = [&](Table table, uint32_t id) {
    const uint32_t image = renamer_.image(table, id, to);
    if (image != id) change += share(table, image, 0) - share(table, id, 0);
    return image;
  };
  const size_t begin = out.size();
  out.resize(begin + state.size());
  uint32_t* words = out.data() + begin;
  words[kEnvironmentWord] = moved(Table::kEnvironment, state[kEnvironmentWord]);
  words[kHistoryWord] = moved(Table::kHistory, state[kHistoryWord]);
  const uint32_t parts = space_->part_count();
  for (uint32_t i = 0; i < parts; ++i) {
    words[kFirstPart + static_cast<uint32_t>(points_->renamed(static_cast<int>(i), to))] =
        moved(Table::kPart, state[kFirstPart + i]);
  }
  // Queues move as a whole and keep their order; all else is sorted by content.
  const uint32_t first = kFirstPart + parts;
  const uint32_t pending = static_cast<uint32_t>(state.size()) - first;
  uint32_t* const events = words + first;
  if (keys_.size() < pending) keys_.resize(pending);
  uint32_t place = 0;
  for (uint32_t i = 0; i < pending; ++i) {
    const uint32_t id = state[first + i];
    const uint32_t image = renamer_.image(Table::kEvent, id, to);
    const Event& event = space_->event(image);
    if (ordered_) {
      const bool behind =
          i > 0 && space_->same_queue(space_->event(state[first + i - 1]), space_->event(id));
      place = behind ? place + 1 : 0;
    }
    if (image != id) {
      change +=
          space_->pending_share(event, place) - space_->pending_share(space_->event(id), place);
    }
    uint32_t at = i;
    for (; at > 0; --at) {
      if (event.key > keys_[at - 1]) break;
      if (ordered_ && space_->same_queue(event, space_->event(events[at - 1]))) break;
      if (event.key == keys_[at - 1] && !space_->before(image, events[at - 1])) break;
      events[at] = events[at - 1];
      keys_[at] = keys_[at - 1];
    }
    events[at] = image;
    keys_[at] = event.key;
  }
  return change;
}

Choice Canonical::rename(const Choice& choice, const Permutation& to) {
  refresh();
  Choice out = choice;
  switch (choice.kind) {
    case ActionKind::kCrash:
      out.a = static_cast<uint32_t>(points_->renamed(static_cast<int>(choice.a), to));
      break;
    case ActionKind::kPartition:
      out.a = renamer_.split_image(choice.a, to);
      break;
    case ActionKind::kHeal:
      break;
    default:
      out.a = renamer_.image(Table::kEvent, choice.a, to);
  }
  return out;
}

namespace {

// Explores the states that stand for classes. What it says of a state it says of that state itself;
// only what apply() leads to is renamed.
class ClassExplorer : public Explorer {
  static constexpr uint64_t kNoAction = 0x94d049bb133111ebULL;

 public:
  ClassExplorer(const std::shared_ptr<ActorSpace>& space,
                const std::shared_ptr<const Points>& points,
                std::shared_ptr<std::atomic<bool>> images_left_out)
      : images_(points),
        inner_(space),
        canonical_(space, points),
        images_left_out_(std::move(images_left_out)) {
    inner_.hold_to_symmetry(&images_);
  }
  ~ClassExplorer() override {
    if (inner_.left_images_out()) images_left_out_->store(true);
  }

  void enumerate(StateRef state, std::vector<Choice>& out) override {
    inner_.enumerate(state, out);
  }
  uint64_t apply(StateRef state, uint64_t fingerprint, const Choice& choice,
                 std::vector<uint32_t>& out) override {
    successor_.clear();
    const uint64_t reached = inner_.apply(state, fingerprint, choice, successor_);
    return canonical_.find(successor_, reached, out);
  }
  bool within(StateRef state) override { return inner_.within(state); }
  const std::string* trouble() override { return inner_.trouble(); }
  void judge(StateRef state, bool terminal, Judgement& out) override {
    inner_.judge(state, terminal, out);
  }
  Outcome explain(StateRef state, bool terminal, uint32_t property) override {
    return inner_.explain(state, terminal, property);
  }
  Action action(StateRef state, const Choice& choice) override {
    return inner_.action(state, choice);
  }
  StepDetail detail(StateRef state, const Choice& choice) override {
    return inner_.detail(state, choice);
  }
  Snapshot observe(StateRef state) override { return inner_.observe(state); }
  uint64_t fingerprint(StateRef state) override { return inner_.fingerprint(state); }
  uint64_t second_fingerprint(StateRef state) override { return inner_.second_fingerprint(state); }
  void footprint(StateRef state, const Choice& choice, Footprint& out) override {
    inner_.footprint(state, choice, out);
  }
  uint64_t bytes() const override { return inner_.bytes() + canonical_.bytes(); }
  uint64_t key(StateRef state, const Choice& choice) override { return inner_.key(state, choice); }
  uint64_t key_after_apply(StateRef state, const Choice& choice) override {
    const uint64_t key = inner_.key(state, canonical_.rename(choice, canonical_.renaming()));
    // What was the first answer of choose(n) may be the second for a renamed node (the first of its
    // peers, say): the action has no name that is known without running the handler again. One that
    // no action has is on the safe side.
    return inner_.chooses(choice) ? combine(key, kNoAction) : key;
  }

 private:
  Images images_;
  ActorExplorer inner_;
  Canonical canonical_;
  std::shared_ptr<std::atomic<bool>> images_left_out_;
  std::vector<uint32_t> successor_;
};

class ClassSpace : public StateSpace {
 public:
  ClassSpace(std::shared_ptr<ActorSpace> space, std::shared_ptr<const Points> points,
             std::shared_ptr<std::atomic<bool>> images_left_out)
      : space_(std::move(space)),
        points_(std::move(points)),
        images_left_out_(std::move(images_left_out)) {}

  const std::vector<Property>& properties() const override { return space_->properties(); }
  Result<std::vector<Initial>> initial() override {
    Result<std::vector<Initial>> states = space_->initial();
    if (!states) return states.error();
    Canonical canonical(space_, points_);
    std::vector<Initial> out;
    for (Initial& state : *states) {
      Initial one;
      one.fingerprint = canonical.find(state.state, state.fingerprint, one.state);
      one.choices = std::move(state.choices);
      const bool known = std::any_of(out.begin(), out.end(), [&](const Initial& other) {
        return other.fingerprint == one.fingerprint;
      });
      if (!known) out.push_back(std::move(one));
    }
    return out;
  }
  std::unique_ptr<Explorer> explorer() override {
    return std::make_unique<ClassExplorer>(space_, points_, images_left_out_);
  }
  SpaceStatistics statistics() const override { return space_->statistics(); }
  std::vector<StepSort> sorts() const override { return space_->sorts(); }
  std::vector<KindRef> kinds() const override { return space_->kinds(); }
  Result<std::string> interprets() const override { return space_->interprets(); }
  // A class travels as the state that stands for it.
  bool can_travel() const override { return space_->can_travel(); }
  void encode(StateRef state, std::string& bytes) override { space_->encode(state, bytes); }
  Result<uint64_t> decode(std::string_view bytes, std::vector<uint32_t>& out) override {
    return space_->decode(bytes, out);
  }
  void forget() override { space_->forget(); }

 private:
  std::shared_ptr<ActorSpace> space_;
  std::shared_ptr<const Points> points_;
  std::shared_ptr<std::atomic<bool>> images_left_out_;
};

}  // namespace

ActorSymmetry::ActorSymmetry(std::shared_ptr<ActorSpace> space, Points points)
    : space_(std::move(space)),
      points_(std::make_shared<const Points>(std::move(points))),
      canonical_(space_, points_),
      explorer_(space_) {}

std::shared_ptr<StateSpace> ActorSymmetry::classes() {
  return std::make_shared<ClassSpace>(space_, points_, images_left_out_);
}

void ActorSymmetry::renamed(StateRef state, const Permutation& to, std::vector<uint32_t>& out) {
  canonical_.rename(state, to, out);
}

uint64_t ActorSymmetry::class_of(StateRef state) {
  std::vector<uint32_t> ignored;
  return canonical_.find(state, space_->fingerprint(state), ignored);
}

uint64_t ActorSymmetry::renamed_key(StateRef state, const Choice& choice, const Permutation& to) {
  return explorer_.key(state, canonical_.rename(choice, to));
}

bool ActorSymmetry::is_alike_by_form(uint32_t property) const {
  if (property == kNoFailure) return true;
  const auto& properties = space_->declaration().properties;
  if (property > properties.size()) return false;  // a constraint
  // A function of what can hold no id cannot tell one from another. One that can is found out: of
  // single nodes by the search itself, of more than that on samples.
  const auto& form = properties[property - 1].predicate.form();
  if (const auto* global = std::get_if<Predicate::Global>(&form)) return global->treats_nodes_alike;
  if (const auto* binary = std::get_if<Predicate::Binary>(&form)) return !sees_names(binary->type);
  if (const auto* history = std::get_if<Predicate::OverHistory>(&form)) return !history->sees_names;
  return true;
}

bool ActorSymmetry::sees_names(const detail::TypeId& type) const {
  for (uint32_t node = 0; node < space_->node_count(); ++node) {
    const detail::NodeType& declared = space_->type_of(node);
    if (declared.id == type) return declared.type->holds_names();
  }
  return false;  // there are none
}

std::vector<std::string> ActorSymmetry::tried_in_part() const {
  std::vector<std::string> out;
  if (!images_left_out_->load()) return out;
  for (const auto& named : space_->declaration().properties) {
    const auto* unary = std::get_if<Predicate::Unary>(&named.predicate.form());
    if (unary != nullptr && sees_names(unary->type)) out.push_back(named.property.name);
  }
  return out;
}

std::string ActorSymmetry::names_a_node(StateRef state, bool terminal, uint32_t property) {
  const detail::Declaration& declaration = space_->declaration();
  ForeignView view(*space_, *points_, state, terminal);
  if (property > declaration.properties.size()) {
    const auto& constraint = declaration.constraints[property - 1 - declaration.properties.size()];
    return view.asked_for([&](const View& seen) { constraint(seen); });
  }
  const Predicate& predicate = declaration.properties[property - 1].predicate;
  const auto* global = std::get_if<Predicate::Global>(&predicate.form());
  if (global == nullptr) return "";
  return view.asked_for([&](const View& seen) { global->holds(seen); });
}

// What holds in every state must not tell them apart: how they are made (a crash makes them anew),
// who may crash, how the network may split. Requests may: they are part of the state.
Result<void> ActorSymmetry::validate() {
  for (const std::vector<uint8_t>& one : points_->classes()) {
    for (size_t i = 1; i < one.size(); ++i) {
      if (auto valid = validate_exchange(one[0], one[i]); !valid) return valid;
    }
  }
  return {};
}

Result<void> ActorSymmetry::validate_exchange(uint8_t a, uint8_t b) {
  const detail::Declaration& declaration = space_->declaration();
  Permutation to(points_->size());
  std::iota(to.begin(), to.end(), uint8_t{0});
  std::swap(to[a], to[b]);
  const value::Renaming renaming = points_->renaming(to);
  const std::string who =
      points_->name(a) + " and " + points_->name(b) + " are declared alike, but ";
  for (uint32_t node = 0; node < space_->part_count(); ++node) {
    const uint32_t target = static_cast<uint32_t>(points_->renamed(static_cast<int>(node), to));
    const value::Any made = space_->fresh_part(target).state;
    const value::Any expected = space_->fresh_part(node).state.renamed(renaming);
    if (made.equal(expected)) continue;
    const std::vector<value::Change> changes = value::diff(expected.tree(), made.tree());
    std::string what = changes.empty() ? ""
                                       : ": " + changes[0].path + " is " + changes[0].after +
                                             ", not " + changes[0].before;
    return Error{who + "node " + std::to_string(space_->id_of(static_cast<int>(target))) +
                 " is not made as that says" + what};
  }
  for (uint32_t node = 0; node < space_->node_count(); ++node) {
    const uint32_t target = static_cast<uint32_t>(points_->renamed(static_cast<int>(node), to));
    if (space_->may_crash(node) && !space_->may_crash(target)) {
      return Error{who + "node " + std::to_string(space_->id_of(static_cast<int>(node))) +
                   " may crash and node " +
                   std::to_string(space_->id_of(static_cast<int>(target))) + " may not"};
    }
  }
  Renamer renamer(space_, points_);
  for (uint32_t split = 0; split < declaration.partitions.size(); ++split) {
    const uint32_t there = renamer.split_image(split, to);
    if (renamer.split_image(there, to) == split && renamer.is_image(split, there, to)) continue;
    return Error{who + "the network may split in a way in which it may not with the two exchanged"};
  }
  return {};
}

}  // namespace ordeal::actor
