#include "language/tla/model/follower.h"

#include <algorithm>

#include "language/tla/model/follower_walk.h"
#include "language/tla/model/space.h"
#include "ordeal/detail/hash.h"

namespace ordeal::tla {
namespace {

// A pool that has grown to this is emptied at the next reset.
constexpr uint64_t kMostBytes = uint64_t{256} << 20;

uint64_t hash_of_variable(size_t number, Value pooled) {
  return mix64(pooled_hash(pooled) + (number + 1) * 0x9e3779b97f4a7c15ULL);
}

}  // namespace

uint64_t fingerprint_of(std::span<const Value> state) {
  uint64_t sum = 0;
  for (size_t i = 0; i < state.size(); ++i) sum += hash_of_variable(i, state[i]);
  return mix64(sum);
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
