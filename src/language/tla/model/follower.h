// Follows named actions through a specification: each is evaluated alone, along the ways that lead
// to it (ways.h), and nothing else is asked for.
//
// A Follower belongs to one thread at a time; several may share a Specification. What its state is
// made of lies in a pool of its own, so that nobody is waited for.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "language/tla/eval/machine.h"
#include "language/tla/model/ways.h"
#include "language/tla/value/pool.h"
#include "ordeal/detail/tree.h"
#include "ordeal/result.h"

namespace ordeal::tla {

// An action with its arguments, found once and taken as often as one likes.
struct FollowedAction {
  std::vector<Way> ways;
  std::vector<std::string> names;  // of the arguments
  std::vector<std::vector<Value>>
      values;  // of each the forms that it may have: the first that fits
};

struct Followed {
  bool taken = false;  // false: the action is not enabled, the state stays as it is
  bool unique = true;  // false: there were other successors; the first was taken
  // An argument that lies outside of its set: why it is not enabled, as far as that is known.
  // -1: there is none.
  int outside = -1;
};

class Follower {
 public:
  // `key`: an expression whose value is what tells states apart; "": the configuration's VIEW if it
  // has one, else all variables.
  static Result<std::unique_ptr<Follower>> make(std::shared_ptr<Specification> specification,
                                                const std::string& key);

  const Ways& ways() const { return ways_; }
  Specification& specification() { return *spec_; }

  // The value of an expression without variables; it is kept.
  Result<Value> constant(const std::string& text);
  // `values`: of each argument, the forms that it may have. They must live as long as the action.
  Result<FollowedAction> find(const std::string& action,
                              std::vector<std::pair<std::string, std::vector<Value>>> arguments);

  // To initial state number `initial`, in the order in which Init says them.
  Result<void> reset(size_t initial = 0);
  // To any state: a value for each variable.
  Result<void> go_to(std::span<const Value> state);
  // An Error: some expression has no value. The state stays as it is.
  Result<Followed> take(const FollowedAction& action);

  // The same for equal states, in every process.
  int64_t key() const { return key_; }
  std::span<const Value> state() const { return now_; }
  // As TLC prints it: a conjunct and a line for each variable.
  std::string text() const;
  value::Tree tree() const;
  // The names of the invariants that are false here.
  Result<std::vector<std::string>> violated();
  // What an expression of the specification is here.
  Result<Value> evaluate(const Specification::Expression& expression);

  uint64_t bytes() const { return pool_.bytes(); }

  // --- Several states at a time (branches.cc) ---
  // A state is a value for each variable, made by this follower; where it stands itself makes no
  // difference. False of `tell`: nobody wants more.
  using Tell = std::function<bool(std::span<const Value>)>;
  // Every initial state, in the order in which Init says them.
  Result<void> each_initial(const Tell& tell);
  // Every successor by the action, in the order of the text; one may be told several times.
  Result<void> each(std::span<const Value> from, const FollowedAction& action, const Tell& tell);
  // Next as a whole.
  FollowedAction any() const;
  // Why the action is not enabled in the state, as far as that can be said: the tests that are
  // false on the ways to it, "Raft.tla:150:6: term >= currentTerm[i]: the left side is …".
  std::vector<std::string> obstacles(std::span<const Value> from, const FollowedAction& action);
  // Evaluates in a state, with `heap` as scratch. An Error: there is no value.
  Result<void> in(std::span<const Value> state, Heap& heap,
                  const std::function<void(Machine&)>& run);
  // Forgets all states but these, which are made anew.
  void keep_only(std::span<std::vector<Value>* const> states);

 private:
  struct Emit;
  struct Rest;
  struct Walk;

  Follower(std::shared_ptr<Specification> specification);

  template <class F>
  Result<void> tried(F&& run);
  void start(size_t initial);
  Result<void> move(const std::function<void()>& find);
  void stop();
  void emit();
  void commit();
  void measure(const Value* values);

  std::shared_ptr<Specification> spec_;
  std::shared_ptr<Specification::Expression> key_expression_;
  Part key_part_;  // node null: all variables
  Ways ways_;
  Machine machine_;
  Pool pool_;
  Heap scratch_;
  Heap kept_;  // arguments
  std::vector<Value> now_, next_, found_;
  std::vector<uint64_t> hashes_;  // of each variable
  uint64_t sum_ = 0;              // of hashes_
  int64_t key_ = 0;
  int successors_ = 0;  // that were found, and are different: 0, 1, or 2 for more
  int outside_ = -1;
  std::vector<std::string>* blamed_ = nullptr;  // obstacles() listens
};

// Of the content of a state alone, in every process.
uint64_t fingerprint_of(std::span<const Value> state);
// What is an object of some pool, as one of no pool.
Value copy_of(Heap& heap, Value value);

}  // namespace ordeal::tla
