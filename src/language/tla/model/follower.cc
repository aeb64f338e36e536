#include "language/tla/model/follower.h"

#include <algorithm>
#include <array>

#include "language/tla/eval/bindings.h"
#include "language/tla/model/space.h"
#include "ordeal/detail/hash.h"

namespace ordeal::tla {
namespace {

// A pool that has grown to this is emptied at the next reset.
constexpr uint64_t kMostBytes = uint64_t{256} << 20;

uint64_t hash_of_variable(size_t number, Value pooled) {
  return mix64(pooled_hash(pooled) + (number + 1) * 0x9e3779b97f4a7c15ULL);
}

bool is_equal(Machine& m, Value a, Value b) {
  try {
    return equal(m.heap(), a, b);
  } catch (const EvalError&) {
    return false;  // of another type
  }
}

}  // namespace

// --- The way to an action ------------------------------------------------------------------------
struct Follower::Walk {
  Follower& follower;
  const Way& way;
  const FollowedAction& action;

  bool go(Machine& m, size_t at, Frame* f, const Continuation& k) const {
    const WayStep& step = way[at];
    switch (step.kind) {
      case WayStep::Kind::kAll:
        return all(m, at, f, 0, k);
      case WayStep::Kind::kExists:
        return exists(m, at, f, k);
      case WayStep::Kind::kCall:
        return call(m, at, f, k);
      case WayStep::Kind::kIf: {
        const auto& node = static_cast<const IfNode&>(*step.node);
        return node.test->truth(m, f) == (step.item == 0) ? go(m, at + 1, f, k) : true;
      }
      case WayStep::Kind::kCase: {
        const auto& node = static_cast<const CaseNode&>(*step.node);
        return node.pick(m, f) == step.arm ? go(m, at + 1, f, k) : true;
      }
      case WayStep::Kind::kLet:
        static_cast<const LetNode&>(*step.node).bind(m, f);
        return go(m, at + 1, f, k);
      case WayStep::Kind::kDo:
        return step.node->act(m, f, k);
    }
    return true;
  }

  // The items of a conjunction, one after the other, as the evaluator does them.
  bool all(Machine& m, size_t at, Frame* f, size_t item, const Continuation& k) const;

  bool call(Machine& m, size_t at, Frame* f, const Continuation& k) const {
    const WayStep& step = way[at];
    const auto& node = static_cast<const CallNode&>(*step.node);
    m.enter();
    Frame* const frame = node.enter(m, f);
    try {
      for (uint32_t i = 0; i < step.given.size(); ++i) {
        if (step.given[i] < 0) continue;
        Value passed = frame->slot(i);
        if (passed.is_pending()) passed = force(m, passed);
        if (!fits(m, step.given[i], passed)) return true;
      }
      return go(m, at + 1, frame, k);
    } catch (EvalError& error) {
      constexpr size_t kShown = 64;
      if (error.calls.size() < kShown) error.calls.emplace_back(node.op->name, node.place);
      throw;
    }
  }

  bool fits(Machine& m, int given, Value value) const {
    const std::vector<Value>& forms = action.values[static_cast<size_t>(given)];
    return std::any_of(forms.begin(), forms.end(),
                       [&](Value form) { return is_equal(m, form, value); });
  }

  static constexpr size_t kMostBounds = 16;
  using Sets = std::array<Value, kMostBounds>;

  bool exists(Machine& m, size_t at, Frame* f, const Continuation& k) const {
    const auto& node = static_cast<const QuantifierNode&>(*way[at].node);
    if (node.bounds.size() > kMostBounds) fail("\\E binds names of more than 16 sets");
    Sets sets;
    return bind_from(m, at, f, 0, 0, 0, sets, k);
  }

  // `number`: of the name among all of the quantifier.
  bool bind_from(Machine& m, size_t at, Frame* f, size_t bound, size_t name, size_t number,
                 Sets& sets, const Continuation& k) const {
    const WayStep& step = way[at];
    const auto& node = static_cast<const QuantifierNode&>(*step.node);
    if (bound == node.bounds.size()) return go(m, at + 1, f, k);
    const BoundSet& here = node.bounds[bound];
    const bool last = here.is_tuple || name + 1 == here.slots.size();
    const size_t after = number + (here.is_tuple ? here.slots.size() : 1);
    const auto on = [&] {
      return last ? bind_from(m, at, f, bound + 1, 0, after, sets, k)
                  : bind_from(m, at, f, bound, name + 1, after, sets, k);
    };
    if (const int given = step.given[number]; !here.is_tuple && given >= 0) {
      for (const Value form : action.values[static_cast<size_t>(given)]) {
        if (!is_member(m, f, *here.set, form)) continue;
        f->slot(here.slots[name]) = form;
        return on();
      }
      follower.outside_ = given;
      return true;
    }
    if (!sets[bound].defined()) sets[bound] = set_of(m, f, *here.set);
    return for_each_element(m, sets[bound], [&](Value element) {
      bind(m, f, here, name, element);
      for (size_t i = 0; here.is_tuple && i < here.slots.size(); ++i) {
        const int given = step.given[number + i];
        if (given >= 0 && !fits(m, given, f->slot(here.slots[i]))) return true;
      }
      return on();
    });
  }

  static bool is_member(Machine& m, Frame* f, const Node& set, Value value) {
    try {
      return set.has_member(m, f, value);
    } catch (const EvalError& error) {
      // It cannot be compared with what lies there; but the set must have a value.
      set_of(m, f, set);
      return false;
    }
  }

  static Value set_of(Machine& m, Frame* f, const Node& node) {
    const Value set = node.eval(m, f);
    if (!is_set(set) || !is_enumerable(set)) {
      node.fail_here("names are bound to the elements of sets that can be enumerated, not of " +
                     describe(set));
    }
    return set;
  }
};

struct Follower::Rest final : Continuation {
  Rest(const Walk& walk, size_t at, Frame* f, size_t item, const Continuation& k)
      : walk(walk), at(at), f(f), item(item), k(k) {}
  bool go(Machine& m) const override { return walk.all(m, at, f, item, k); }
  const Walk& walk;
  size_t at;
  Frame* f;
  size_t item;
  const Continuation& k;
};

bool Follower::Walk::all(Machine& m, size_t at, Frame* f, size_t item,
                         const Continuation& k) const {
  const auto& list = static_cast<const ListNode&>(*way[at].node);
  const size_t through = way[at].item;
  for (; item < list.items.size(); ++item) {
    const bool last = item + 1 == list.items.size();
    if (item == through) {
      return last ? go(m, at + 1, f, k) : go(m, at + 1, f, Rest(*this, at, f, item + 1, k));
    }
    const Node& node = *list.items[item];
    const bool is_test = !node.branches && node.level < Level::kAction;
    if (is_test || (item > through && m.is_complete())) {
      if (!node.truth(m, f)) return true;
      continue;
    }
    return last ? node.act(m, f, k) : node.act(m, f, Rest(*this, at, f, item + 1, k));
  }
  return k.go(m);
}

struct Follower::Emit final : Continuation {
  explicit Emit(Follower& follower) : follower(follower) {}
  bool go(Machine&) const override {
    follower.emit();
    return follower.successors_ < 2;
  }
  Follower& follower;
};

// --- Follower ------------------------------------------------------------------------------------
Follower::Follower(std::shared_ptr<Specification> specification)
    : spec_(std::move(specification)),
      ways_(spec_->next),
      machine_(spec_->variables().size(), spec_->compiler().constants(), spec_->host()),
      now_(spec_->variables().size()),
      next_(now_.size()),
      found_(now_.size()),
      hashes_(now_.size()) {
  spec_->prepare(machine_);
}

Result<std::unique_ptr<Follower>> Follower::make(std::shared_ptr<Specification> specification,
                                                 const std::string& key) {
  if (!specification->has_behaviour) {
    return Error{specification->name() +
                 ": there are no behaviours to follow; its configuration says neither "
                 "SPECIFICATION nor INIT and NEXT"};
  }
  std::shared_ptr<Specification::Expression> expression;
  if (!key.empty()) {
    auto compiled = specification->expression(key);
    if (!compiled) return compiled.error();
    expression = *std::move(compiled);
    if (expression->closed.node->level > Level::kState) {
      return Error{"the key of a state is told from that state alone; " + key +
                   " is about more than one"};
    }
  }
  std::unique_ptr<Follower> out(new Follower(std::move(specification)));
  out->key_part_ = out->spec_->view;
  if (expression != nullptr) {
    out->key_part_ = {expression->closed.node.get(), expression->closed.layout.get(), "key"};
    out->key_expression_ = std::move(expression);
  }
  if (Result<void> started = out->reset(); !started) return started.error();
  return out;
}

template <class F>
Result<void> Follower::tried(F&& run) {
  machine_.settle_on_thread();
  try {
    scratch_.clear();
    machine_.use(scratch_);
    machine_.now = now_.data();
    machine_.next = nullptr;
    run();
    stop();
    return {};
  } catch (const EvalError& error) {
    stop();
    return Error{spec_->describe(error)};
  }
}

void Follower::stop() {
  machine_.now = now_.data();
  machine_.next = nullptr;
  machine_.starting = false;
}

Result<Value> Follower::constant(const std::string& text) {
  const auto expression = spec_->expression(text);
  if (!expression) return expression.error();
  const Compiler::Closed& closed = (*expression)->closed;
  if (closed.node->level > Level::kConstant) {
    return Error{"'" + text + "' depends on the state; give a value"};
  }
  machine_.grow_constants(spec_->compiler().constants());
  Value out;
  const Result<void> done = tried([&] {
    machine_.use(kept_);
    const Value value = closed.node->eval(machine_, machine_.frame(nullptr, closed.layout->slots));
    out = deep_normal(kept_, value);
  });
  if (!done) return done.error();
  return out;
}

Result<FollowedAction> Follower::find(
    const std::string& action, std::vector<std::pair<std::string, std::vector<Value>>> arguments) {
  FollowedAction out;
  for (auto& [name, values] : arguments) {
    out.names.push_back(std::move(name));
    out.values.push_back(std::move(values));
  }
  Result<std::vector<Way>> ways = ways_.find(action, out.names);
  if (!ways) return ways.error();
  out.ways = *std::move(ways);
  return out;
}

namespace {

struct InitParts final : Continuation {
  InitParts(const std::vector<Part>& parts, size_t at, const Continuation& k)
      : parts(parts), at(at), k(k) {}
  bool go(Machine& m) const override {
    if (at == parts.size()) return k.go(m);
    const Part& part = parts[at];
    return part.node->act(m, part.frame(m), InitParts(parts, at + 1, k));
  }
  const std::vector<Part>& parts;
  size_t at;
  const Continuation& k;
};

}  // namespace

void Follower::start(size_t initial) {
  struct Reached final : Continuation {
    Reached(Follower& follower, size_t initial) : follower(follower), initial(initial) {}
    bool go(Machine& m) const override {
      if (seen++ < initial) return true;
      for (size_t i = 0; i < follower.found_.size(); ++i) {
        if (!m.now[i].defined()) {
          fail("variable " + follower.spec_->variables()[i] +
               " has no value in an initial state: " + follower.spec_->init[0].name +
               " does not say what it is");
        }
        follower.found_[i] = follower.pool_.intern(m.heap(), m.now[i]);
      }
      reached = true;
      return false;
    }
    Follower& follower;
    size_t initial;
    mutable size_t seen = 0;
    mutable bool reached = false;
  };
  std::fill(next_.begin(), next_.end(), Value());
  machine_.now = next_.data();
  machine_.starting = true;
  const Reached reached(*this, initial);
  InitParts(spec_->init, 0, reached).go(machine_);
  stop();
  if (reached.reached) return;
  if (reached.seen == 0) {
    fail("there is no initial state: " + spec_->init[0].name + " is never true");
  }
  fail("there is no initial state number " + std::to_string(initial) +
       "; they are numbered from 0 to " + std::to_string(reached.seen - 1));
}

Result<void> Follower::reset(size_t initial) {
  if (pool_.bytes() > kMostBytes) {
    std::fill(now_.begin(), now_.end(), Value());
    pool_.clear();
  }
  return move([&] { start(initial); });
}

Result<void> Follower::go_to(std::span<const Value> state) {
  return move([&] {
    for (size_t i = 0; i < found_.size(); ++i) found_[i] = pool_.intern(scratch_, state[i]);
  });
}

// To what `find` finds; where that fails, everything stays as it is.
Result<void> Follower::move(const std::function<void()>& find) {
  return tried([&] {
    find();
    const int64_t key = key_;
    const uint64_t sum = sum_;
    sum_ = 0;
    for (size_t i = 0; i < found_.size(); ++i) sum_ += hash_of_variable(i, found_[i]);
    try {
      measure(found_.data());
    } catch (const EvalError&) {
      key_ = key;
      sum_ = sum;
      throw;
    }
    now_ = found_;
    for (size_t i = 0; i < now_.size(); ++i) hashes_[i] = hash_of_variable(i, now_[i]);
  });
}

void Follower::measure(const Value* values) {
  if (key_part_.node == nullptr) {
    key_ = static_cast<int64_t>(mix64(sum_));
    return;
  }
  machine_.now = const_cast<Value*>(values);
  machine_.next = nullptr;
  const Value key =
      key_part_.node->eval(machine_, machine_.frame(nullptr, key_part_.layout->slots));
  key_ = static_cast<int64_t>(pooled_hash(pool_.intern(machine_.heap(), key)));
}

void Follower::emit() {
  const bool is_first = successors_ == 0;
  bool is_other = false;
  for (size_t i = 0; i < next_.size(); ++i) {
    const Value value = next_[i];
    if (!value.defined()) {
      fail("the action does not say what " + spec_->variables()[i] +
           "' is; if it stays as it is, say UNCHANGED " + spec_->variables()[i]);
    }
    const Value pooled = same(value, now_[i]) ? value : pool_.intern(machine_.heap(), value);
    if (is_first) {
      found_[i] = pooled;
    } else {
      is_other = is_other || !same(pooled, found_[i]);
    }
  }
  if (is_first || is_other) ++successors_;
}

Result<Followed> Follower::take(const FollowedAction& action) {
  Followed out;
  successors_ = 0;
  outside_ = -1;
  const Result<void> done = tried([&] {
    std::fill(next_.begin(), next_.end(), Value());
    const Emit emit(*this);
    for (const Way& way : action.ways) {
      machine_.next = next_.data();
      const Walk walk{*this, way, action};
      walk.go(machine_, 0, machine_.frame(nullptr, spec_->next.layout->slots), emit);
      if (successors_ > 1) break;
    }
    if (successors_ > 0) commit();
  });
  if (!done) return done.error();
  out.taken = successors_ > 0;
  out.unique = successors_ < 2;
  if (!out.taken) out.outside = outside_;
  return out;
}

void Follower::commit() {
  // What has no value there must not change what is here.
  const uint64_t before = sum_;
  if (key_part_.node != nullptr) {
    measure(found_.data());
    machine_.now = now_.data();
  }
  sum_ = before;
  for (size_t i = 0; i < now_.size(); ++i) {
    if (same(now_[i], found_[i])) continue;
    now_[i] = found_[i];
    const uint64_t hash = hash_of_variable(i, now_[i]);
    sum_ += hash - hashes_[i];
    hashes_[i] = hash;
  }
  if (key_part_.node == nullptr) key_ = static_cast<int64_t>(mix64(sum_));
}

std::string Follower::text() const {
  std::string out;
  const std::vector<std::string>& names = spec_->variables();
  for (size_t i = 0; i < names.size(); ++i) {
    if (names.size() > 1) out += "/\\ ";
    out += names[i] + " = ";
    print(now_[i], out);
    out += '\n';
  }
  return out;
}

value::Tree Follower::tree() const {
  value::Tree out = value::Tree::record("");
  const std::vector<std::string>& names = spec_->variables();
  for (size_t i = 0; i < names.size(); ++i) out.add(names[i], tree_of(now_[i]));
  return out;
}

Result<std::vector<std::string>> Follower::violated() {
  std::vector<std::string> out;
  const Result<void> done = tried([&] {
    for (const Invariant& invariant : spec_->invariants) {
      const auto is_true = [&](const Part& part) {
        return part.node->truth(machine_, part.frame(machine_));
      };
      const bool holds = is_true(invariant.part) &&
                         std::all_of(invariant.others.begin(), invariant.others.end(), is_true);
      if (!holds) out.push_back(invariant.name);
    }
  });
  if (!done) return done.error();
  return out;
}

Result<Value> Follower::evaluate(const Specification::Expression& expression) {
  Value out;
  machine_.grow_constants(spec_->compiler().constants());
  const Result<void> done = tried([&] {
    const Value value = expression.closed.node->eval(
        machine_, machine_.frame(nullptr, expression.closed.layout->slots));
    out = pool_.intern(scratch_, value);
  });
  if (!done) return done.error();
  return out;
}

}  // namespace ordeal::tla
