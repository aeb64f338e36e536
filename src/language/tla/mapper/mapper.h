// Mapper: how a log of an implementation is read as behaviour of a specification. A small text
// beside the specification, checked when it is loaded; docs/reference/conformance.md has its
// grammar.
//
//   specification Raft
//   on event.kind = "deliver" /\ event.type = "Vote"
//     do HandleVote(i: event.node, j: event.from) then maybe BecomeLeader(event.node) or nothing
//   see currentTerm[event.node] = event.state.term
//
// Events are JSON. Expressions are TLA+ among the names of the specification, in which `event` is
// the event at hand; what follows it after dots is looked for in the JSON and turned into a value,
// and nothing else of the event is.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "language/tla/model/follower.h"

namespace ordeal::tla {

using Event = nlohmann::ordered_json;

// An expression of the mapper.
struct Term {
  std::shared_ptr<Specification::Expression> expression;  // keeps the node
  const Node* node = nullptr;
  std::vector<std::pair<uint32_t, uint32_t>>
      fields;          // slots of its frame, and which field is there
  int each_slot = -1;  // of the name of `for`
  int plain = -1;      // it is this field, and nothing else
  std::string text;
  bool about_states = false;
};

struct MappedArgument {
  std::string name;  // of a parameter or witness
  Term value;
};

// An action, or one for each of several elements.
struct MappedAction {
  bool maybe = false;
  std::string name;
  std::vector<MappedArgument> arguments;
  std::optional<Term> each;  // a sequence, or a set: in its order
  size_t number = 0;         // of all of the mapper
};

// One after the other; no actions: nothing happens.
struct MappedSteps {
  std::vector<MappedAction> actions;
  std::optional<Term> when;  // only in states in which this is true
};

// What the state is like after the event.
struct Seen {
  std::optional<Term> left;  // what must equal `right`; none: `right` must be true
  Term right;
  std::string text;
};

struct MappedRule {
  Term condition;
  // Texts that the event must have there, or the condition is false: asked first.
  std::vector<std::pair<uint32_t, std::string>> texts;
  bool ignored = false;
  std::vector<MappedSteps> steps;  // one of these
  std::vector<Seen> seen;
  size_t line = 0;
};

// Actions that may happen without an event, between two events and behind the last.
struct HiddenActions {
  std::vector<MappedAction> actions;
  uint32_t most = 0;
};

enum class Otherwise : uint8_t {
  kIgnore,  // an event that no rule is about says nothing
  kDepart,  // it cannot be
  kByName   // it names an action, its arguments and variables itself
};

class Mapper {
 public:
  // `path`: of the file, for errors. An Error has the place, and what would be right.
  static Result<std::unique_ptr<Mapper>> parse(Follower& model, const std::string& text,
                                               const std::string& path);
  // What there is without a file: events name actions, arguments and variables.
  static std::unique_ptr<Mapper> by_names(Follower& model);

  const std::vector<MappedRule>& rules() const { return rules_; }
  const std::vector<Seen>& seen() const { return seen_; }  // of every event
  const HiddenActions& hidden() const { return hidden_; }
  Otherwise otherwise() const { return otherwise_; }
  const std::vector<std::vector<std::string>>& fields() const { return fields_; }
  // Whether texts of the log may stand for something else.
  bool renames() const { return !values_.empty(); }

  // The value that JSON stands for: a list is a tuple, or a set where `sets`; a text that is the
  // name of a model value is that; null is the model value `null`. Undefined: it stands for none.
  // May fail (EvalError).
  Value value_of(Heap& heap, const Event& json, bool sets) const;

 private:
  friend class MapperParser;
  friend class TermMaker;
  explicit Mapper(Follower& model);
  uint32_t field_number(const std::vector<std::string>& path);

  std::vector<MappedRule> rules_;
  std::vector<Seen> seen_;
  HiddenActions hidden_;
  Otherwise otherwise_ = Otherwise::kIgnore;
  std::vector<std::vector<std::string>> fields_;
  size_t action_count_ = 0;
  std::unordered_map<std::string, Value> values_;  // `value … is …`, by their JSON
  std::unordered_map<std::string, Value> models_;  // by their names
  std::unique_ptr<Heap> heap_ = std::make_unique<Heap>();
};

// One event, with its fields as values as far as they were asked for.
class EventFields {
 public:
  explicit EventFields(const Mapper& mapper);
  // The event must live as long as it is asked about; so do the values.
  void read(const Event& event);
  const Event& event() const { return *event_; }
  Heap& heap() { return heap_; }

  // Null: the event has no such field.
  const Event* field(uint32_t number);
  // What it may mean, the likeliest first; empty: nothing.
  const std::vector<Value>& forms(uint32_t number);
  bool has_all(const Term& term);
  std::optional<std::string> missing(const Term& term);  // as it is written in the mapper

  // May fail (EvalError). What is not there is the model value `null`.
  Value evaluate(const Term& term, Machine& m, Value each = {});

 private:
  struct Known {
    bool looked = false, read = false;
    const Event* json = nullptr;
    std::vector<Value> forms;
  };
  const Mapper& mapper_;
  const Event* event_ = nullptr;
  std::vector<Known> known_;
  Heap heap_;
};

// What JSON may mean, the likeliest first; empty: nothing. A list is a tuple or a set.
std::vector<Value> forms_of(const Mapper& mapper, Heap& heap, const Event& json);

// JSON of a log line. Nothing that is nested deeper than values can be. An Error says where in the
// line, and what is wrong.
Result<Event> parse_event(std::string_view line);

}  // namespace ordeal::tla
