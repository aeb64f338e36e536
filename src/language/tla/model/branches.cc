// A Follower that goes through several states at a time: where a log says less than the
// specification, more than one may be meant.
#include <fmt/format.h>

#include "base/text.h"
#include "language/tla/model/follower_walk.h"
#include "language/tla/model/reasons.h"

namespace ordeal::tla {
namespace {

struct TellBranch final : Continuation {
  TellBranch(Specification& spec, Pool& pool, std::span<const Value> from, const Value* next,
             const Follower::Tell& tell)
      : spec(spec), pool(pool), from(from), next(next), tell(tell), found(from.size()) {}
  bool go(Machine& m) const override {
    for (size_t i = 0; i < from.size(); ++i) {
      const Value value = next[i];
      if (!value.defined()) {
        fail("the action does not say what " + spec.variables()[i] +
             "' is; if it stays as it is, say UNCHANGED " + spec.variables()[i]);
      }
      found[i] = same(value, from[i]) ? value : pool.intern(m.heap(), value);
    }
    wanted = tell(found);
    return wanted;
  }
  Specification& spec;
  Pool& pool;
  std::span<const Value> from;
  const Value* next;
  const Follower::Tell& tell;
  mutable std::vector<Value> found;
  mutable bool wanted = true;
};

struct TellInitial final : Continuation {
  TellInitial(const std::vector<Part>& parts, size_t at, const Continuation& last)
      : parts(parts), at(at), last(last) {}
  bool go(Machine& m) const override {
    if (at == parts.size()) return last.go(m);
    const Part& part = parts[at];
    return part.node->act(m, m.frame(nullptr, part.layout->slots),
                          TellInitial(parts, at + 1, last));
  }
  const std::vector<Part>& parts;
  size_t at;
  const Continuation& last;
};

// The formula as it stands in the text, on one line.
std::string text_of(const Sources& sources, const Place& place) {
  constexpr size_t kWidth = 100;
  const std::string_view line = sources.line(place.file, place.line);
  const size_t first = std::min<size_t>(place.column - 1, line.size());
  const bool is_one = place.end_line == place.line && place.end_column >= place.column;
  std::string out(line.substr(first, is_one ? place.end_column - place.column + 1 : line.npos));
  return cut_to(out, kWidth);
}

}  // namespace

void Follower::Walk::blame(Machine& m, Frame* f, const Node& test) const {
  const Reason reason = reason_of(m, test, f);
  const Sources& sources = follower.spec_->sources();
  const std::string values = reason.values.empty() ? "" : ": " + reason.values;
  follower.blamed_->push_back(fmt::format("{}: {} is false{}", sources.position(reason.node->place),
                                          text_of(sources, reason.node->place), values));
}

// That there is no witness, where each one is to blame.
bool Follower::Walk::blames_witnesses(Machine& m, Frame* f, const QuantifierNode& exists) const {
  const bool is_simple = exists.which == Quantifier::kExists && exists.bounds.size() == 1 &&
                         !exists.bounds[0].is_tuple && exists.bounds[0].slots.size() == 1 &&
                         exists.bounds[0].set->level < Level::kAction;
  if (!is_simple) return false;
  const size_t before = follower.blamed_->size();
  const bool none = for_each_element(m, set_of(m, f, *exists.bounds[0].set), [&](Value element) {
    f->slot(exists.bounds[0].slots[0]) = element;
    return blames(m, f, *exists.body);
  });
  follower.blamed_->resize(before);
  if (!none) return false;
  const Sources& sources = follower.spec_->sources();
  follower.blamed_->push_back(fmt::format("{}: there is none: {}", sources.position(exists.place),
                                          text_of(sources, exists.place)));
  return true;
}

bool Follower::Walk::blames(Machine& m, Frame* f, const Node& body) const {
  if (!body.branches && body.level < Level::kAction) {
    if (body.truth(m, f)) return false;
    blame(m, f, body);
    return true;
  }
  if (const auto* list = dynamic_cast<const ListNode*>(&body)) {
    const auto is_blamed = [&](const NodeRef& item) { return blames(m, f, *item); };
    if (list->is_and) return std::any_of(list->items.begin(), list->items.end(), is_blamed);
    const size_t before = follower.blamed_->size();
    if (std::all_of(list->items.begin(), list->items.end(), is_blamed)) return true;
    follower.blamed_->resize(before);  // another disjunct may be possible
    return false;
  }
  if (const auto* test = dynamic_cast<const IfNode*>(&body)) {
    if (test->test->level >= Level::kAction) return false;
    return blames(m, f, test->test->truth(m, f) ? *test->then : *test->otherwise);
  }
  if (const auto* let = dynamic_cast<const LetNode*>(&body)) {
    let->bind(m, f);
    return blames(m, f, *let->body);
  }
  if (const auto* exists = dynamic_cast<const QuantifierNode*>(&body)) {
    return blames_witnesses(m, f, *exists);
  }
  if (const auto* call = dynamic_cast<const CallNode*>(&body)) {
    if (call->op->body == nullptr || call->op->constant >= 0) return false;
    return blames(m, call->enter(m, f), *call->op->body);
  }
  return false;
}

Result<void> Follower::in(std::span<const Value> state, Heap& heap,
                          const std::function<void(Machine&)>& run) {
  machine_.settle_on_thread();
  machine_.grow_constants(spec_->compiler().constants());
  machine_.use(heap);
  machine_.now = const_cast<Value*>(state.data());
  machine_.next = nullptr;
  try {
    run(machine_);
    stop();
    return {};
  } catch (const EvalError& error) {
    stop();
    return Error{spec_->describe(error)};
  }
}

Result<void> Follower::each_initial(const Tell& tell) {
  scratch_.clear();
  std::fill(next_.begin(), next_.end(), Value());
  return in(next_, scratch_, [&](Machine& m) {
    m.starting = true;
    const std::vector<Value> nothing(next_.size());
    const TellBranch last(*spec_, pool_, nothing, next_.data(), tell);
    TellInitial(spec_->init, 0, last).go(m);
  });
}

Result<void> Follower::each(std::span<const Value> from, const FollowedAction& action,
                            const Tell& tell) {
  scratch_.clear();
  return in(from, scratch_, [&](Machine& m) {
    std::fill(next_.begin(), next_.end(), Value());
    const TellBranch last(*spec_, pool_, from, next_.data(), tell);
    for (const Way& way : action.ways) {
      m.next = next_.data();
      const Walk walk{*this, way, action};
      walk.go(m, 0, m.frame(nullptr, spec_->next.layout->slots), last);
      if (!last.wanted) break;
    }
  });
}

FollowedAction Follower::any() const {
  FollowedAction out;
  out.ways.push_back({{WayStep::Kind::kDo, spec_->next.node, 0, nullptr, {}}});
  return out;
}

std::vector<std::string> Follower::obstacles(std::span<const Value> from,
                                             const FollowedAction& action) {
  std::vector<std::string> out;
  outside_ = -1;
  blamed_ = &out;
  const Result<void> done = each(from, action, [](std::span<const Value>) { return false; });
  blamed_ = nullptr;
  if (!done) out.push_back(done.error().message);
  if (out.empty() && outside_ >= 0) {
    out.push_back(fmt::format("the specification has no such {}",
                              action.names[static_cast<size_t>(outside_)]));
  }
  return out;
}

Value copy_of(Heap& heap, Value value) {
  if (!value.is_object() || value.object()->size == 0) return value;
  const Object& from = *value.object();
  Object* const made = make_object(heap, from.kind, from.size);
  made->negative = from.negative;
  made->hash = from.hash;
  if (from.kind == ObjectKind::kBig) {
    std::memcpy(static_cast<void*>(made->data()), &from + 1, from.size * sizeof(Value));
    return Value::of(made);
  }
  if (from.kind == ObjectKind::kFunction) {
    made->keys = copy_of(heap, Value::of(from.keys)).object();
  }
  for (uint32_t i = 0; i < from.size; ++i) made->data()[i] = copy_of(heap, from.item(i));
  return Value::of(made);
}

void Follower::keep_only(std::span<std::vector<Value>* const> states) {
  Heap copies;
  for (std::vector<Value>* const state : states) {
    for (Value& value : *state) value = copy_of(copies, value);
  }
  for (Value& value : now_) value = copy_of(copies, value);
  pool_.clear();
  const auto again = [&](Value& value) { value = pool_.intern(copies, value); };
  for (std::vector<Value>* const state : states) {
    for (Value& value : *state) again(value);
  }
  for (Value& value : now_) again(value);
}

}  // namespace ordeal::tla
