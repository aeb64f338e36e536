// Action: one step that a world can take, in words that survive a change of program.
//
// A world lists its enabled actions in a canonical order that depends on the state alone. In memory
// an action is a Choice (a few integers that only its world understands); in traces and reports it
// is an Action: what kind, which node, which message, which payload, which inner choices. Two
// programs that agree on the Action agree on the step, whatever integers they use inside.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ordeal/result.h"
#include "ordeal/value.h"

namespace ordeal {

enum class ActionKind : uint8_t {
  // Progress: what keeps a run going.
  kDeliver,  // a message reaches a node
  kRequest,  // a client request reaches a node
  kEvent,    // an event of a mocked component reaches a node
  kTimer,    // a timer fires
  kDetect,   // the failure detector tells a node that another has crashed
  kRestore,  // the failure detector takes a suspicion back
  kStep,     // an action of a raw model
  kChoose,   // an opaque node asks choose(n) in the middle of a handler
  // Faults: they have budgets, and unspent ones do not keep a run alive.
  kCrash,
  kRecover,
  kDrop,
  kDuplicate,
  kPartition,
  kHeal,
  kSuspect,  // the failure detector suspects a node wrongly
  // Of a kind that its world describes: see DescribedKind.
  kDescribed,
};

bool is_progress(ActionKind kind);       // REQUIRES: kind != kDescribed
const char* to_string(ActionKind kind);  // "deliver", "crash", …
// The kind that has this name; none of those above: kDescribed.
ActionKind kind_named(const std::string& name);
const std::vector<std::string>& kind_names();  // all of them but kDescribed

// A kind of action besides those above, said by the world that has it ("lock", "spawn"). Traces
// keep what is said, and views and reports take their words, marks and colours from it.
struct DescribedKind {
  enum class Colour : uint8_t { kPlain, kMuted, kBlue, kViolet, kAmber, kRed };

  std::string name;  // small letters, digits and '-'; of no other kind
  // How an action of it is told: "{node} locks {what}". {node} and {from} are who takes part,
  // {what} is Action::type with what it carries. Empty: the name, then what, then who.
  std::string words = {};
  std::string mark = {};  // one character that diagrams draw; empty: a dot
  Colour colour = Colour::kPlain;
  bool fault = false;  // nobody wishes for it, and it does not keep a run alive

  friend bool operator==(const DescribedKind&, const DescribedKind&) = default;
};
using KindRef = std::shared_ptr<const DescribedKind>;

const char* to_string(DescribedKind::Colour colour);  // "plain", "muted", …
// An Error says which makes no sense, and what would.
Result<void> validate_kinds(const std::vector<KindRef>& kinds);

// One enabled action, as its world knows it. Meaningful to the world that listed it, for the state
// in which it was listed.
struct Choice {
  ActionKind kind = ActionKind::kStep;
  bool progress = true;  // keeps the run alive (false for faults and for timers declared idle)
  bool fails = false;    // the handler throws, asserts or dies: the run ends in a violation
  // The step lies outside of the declared constraint: it is taken, counted and judged with the
  // state that it leads to, and nothing goes on from there.
  bool outside = false;
  uint16_t sort = 0;  // what steps are counted by: see StepSort
  uint32_t a = 0;
  uint32_t b = 0;
  uint32_t c = 0;

  bool is_fault() const { return kind == ActionKind::kDescribed ? !progress : !is_progress(kind); }
};

// The stable identity of an action, and what is needed to show it. Node numbers are as people see
// them; -1 means none.
struct Action {
  ActionKind kind = ActionKind::kStep;
  int node = -1;        // who acts (the receiver, the owner of the timer, the crashing node)
  int from = -1;        // the sender; whom a detector speaks about
  std::string type;     // message type, timer name, label of a raw action, shape of a partition
  value::Tree payload;  // what the message carries
  uint64_t payload_digest = 0;
  std::vector<uint32_t> choices;  // what choose(n) answered inside the handler, in order
  int crash_at_persist = 0;       // k > 0: the node crashes right after its k-th persist
  KindRef described = {};         // of kDescribed, and of no other
};

bool same_identity(const Action& a, const Action& b);
std::string kind_name(const Action& action);  // "deliver", "lock"
bool is_fault(const Action& action);

// "deliver Prepare{ballot: 1} 1→2", "timer election at 3", "crash 2": one line for people.
std::string show(const Action& action);
// The same with other words for who takes part (of kinds that are described): names in place of
// numbers.
std::string show_described(const Action& action, const std::string& node, const std::string& from);

// The same with the digest of what the action carries in place of its content: a line that stays
// the same when fields are renamed. "deliver Prepare #0123456789abcdef 1→2"
std::string show_by_digest(const Action& action);

// What a step did besides changing its node, for traces, diagrams and explanations.
struct Sent {
  ActionKind kind = ActionKind::kDeliver;  // the action that would consume it
  int from = -1;
  int to = -1;
  std::string type;
  std::string text;  // the payload, readable
  uint64_t payload_digest = 0;
};

struct HistoryEvent {
  int client = -1;
  bool is_return = false;
  std::string text;
};

struct StepDetail {
  Action action;
  std::vector<Sent> sent;
  std::vector<std::string> log;      // what the handler logged
  std::vector<std::string> decided;  // values decided in this step
  std::vector<std::string> timers;   // timers set ("+name") and cancelled ("-name"), in order
  std::vector<HistoryEvent> history;
  std::vector<std::string> scenario;  // what filters and the property machine did about it
  std::vector<Sent> lost;             // what filters took away of all that is on its way
  std::string failure;                // why the handler failed; empty if it did not
};

}  // namespace ordeal
