#include "ordeal/condition.h"

#include <fmt/format.h>

#include "ordeal/scenario.h"
#include "system/scenario/who.h"

namespace ordeal {
namespace {

using Kind = Condition::Kind;
using monitor::show_who;

Condition of_kinds(std::vector<EventKind> kinds, Where where) {
  return Condition({.kind = Kind::kEventKind, .where = where, .kinds = std::move(kinds)});
}

Condition with_text(EventKind kind, std::string text, Where where) {
  return of_kinds({kind}, where) &&
         Condition({.kind = Kind::kText, .where = where, .name = std::move(text)});
}

Condition joined(Kind kind, std::vector<Condition> inner) {
  const Where where = inner[0].node().where;
  return Condition({.kind = kind, .where = where, .inner = std::move(inner)});
}

Condition named(Kind kind, std::string name, Where where) {
  return Condition({.kind = kind, .where = where, .name = std::move(name)});
}

const char* sign(Compare compare) {
  switch (compare) {
    case Compare::kLess:
      return "<";
    case Compare::kLessEqual:
      return "<=";
    case Compare::kEqual:
      return "==";
    case Compare::kNotEqual:
      return "!=";
    case Compare::kGreaterEqual:
      return ">=";
    case Compare::kGreater:
      return ">";
  }
  return "";
}

// "EventKind::kSetTimer"
std::string enumerator(EventKind kind) {
  if (kind == EventKind::kPosted) return "EventKind::kPosted";
  std::string out = "EventKind::k";
  bool begins = true;
  for (const char* c = to_string(kind); *c != '\0'; ++c) {
    if (*c != ' ') out += begins ? static_cast<char>(*c - 'a' + 'A') : *c;
    begins = *c == ' ';
  }
  return out;
}

std::string show_kinds(const std::vector<EventKind>& kinds) {
  if (kinds.size() != 1) {
    return kinds.size() > 4 ? "is_on_its_way()" : "is_message()";
  }
  switch (kinds[0]) {
    case EventKind::kSend:
      return "is_send()";
    case EventKind::kReceive:
      return "is_receive()";
    case EventKind::kDecide:
      return "decides()";
    case EventKind::kCrash:
      return "crashes()";
    case EventKind::kRecover:
      return "recovers()";
    case EventKind::kEnd:
      return "ended()";
    default:
      return fmt::format("is_event({})", enumerator(kinds[0]));
  }
}

// How tightly it binds: what binds less than its surroundings needs parentheses.
int rank(const Condition& condition) {
  switch (condition.node().kind) {
    case Kind::kOr:
      return 0;
    case Kind::kAnd:
      return 1;
    case Kind::kCounter:
    case Kind::kSetSize:
      return 2;
    default:
      return 3;
  }
}

std::string show_within(const Condition& condition, int least) {
  const std::string text = show(condition);
  return rank(condition) < least ? "(" + text + ")" : text;
}

// A kind and a text are one thing to who wrote them: timer_fires("election").
std::string show_pair(const Condition& a, const Condition& b) {
  if (a.node().kind != Kind::kEventKind || b.node().kind != Kind::kText) return "";
  const std::string& text = b.node().name;
  switch (a.node().kinds[0]) {
    case EventKind::kSetTimer:
      return fmt::format("timer_set(\"{}\")", text);
    case EventKind::kTimer:
      return fmt::format("timer_fires(\"{}\")", text);
    case EventKind::kLog:
      return fmt::format("logs(\"{}\")", text);
    default:
      return "";
  }
}

}  // namespace

std::string show(const Condition& condition) {
  const Condition::Node& node = condition.node();
  const char* tested = node.test ? "…" : "";
  switch (node.kind) {
    case Kind::kAnything:
      return "anything()";
    case Kind::kEventKind:
      return show_kinds(node.kinds);
    case Kind::kAt:
      return fmt::format("at({})", show_who(node.who));
    case Kind::kMessageType:
      return fmt::format("is_message<{}>({})", node.name, tested);
    case Kind::kPayloadType:
      return fmt::format("carries<{}>({})", node.name, tested);
    case Kind::kFrom:
      return fmt::format("from({})", show_who(node.who));
    case Kind::kTo:
      return fmt::format("to({})", show_who(node.who));
    case Kind::kBetween:
      return fmt::format("between({}, {})", show_who(node.who), show_who(node.other));
    case Kind::kText:
      return fmt::format("text \"{}\"", node.name);
    case Kind::kCounter:
      return fmt::format("counter(\"{}\") {} {}", node.name, sign(node.compare), node.number);
    case Kind::kSetSize:
      return fmt::format("set_size(\"{}\") {} {}", node.name, sign(node.compare), node.number);
    case Kind::kInSet:
      return fmt::format("in_set(\"{}\")", node.name);
    case Kind::kInState:
      return fmt::format("in_state(\"{}\")", node.name);
    case Kind::kFromPart:
      return fmt::format("{}.from_part({})", node.name, node.number);
    case Kind::kAcross:
      return fmt::format("{}.across()", node.name);
    case Kind::kWithin:
      return fmt::format("{}.within()", node.name);
    case Kind::kState:
      return fmt::format("state_is<{}>({})", node.name, tested);
    case Kind::kHolds:
      return fmt::format("holds(\"{}\")", node.name);
    case Kind::kCustom:
      return node.name;
    case Kind::kAnd:
      if (std::string pair = show_pair(node.inner[0], node.inner[1]); !pair.empty()) return pair;
      return show_within(node.inner[0], 1) + " && " + show_within(node.inner[1], 1);
    case Kind::kOr:
      return show_within(node.inner[0], 0) + " || " + show_within(node.inner[1], 0);
    case Kind::kNot: {
      const bool is_pair =
          node.inner[0].node().kind == Kind::kAnd &&
          !show_pair(node.inner[0].node().inner[0], node.inner[0].node().inner[1]).empty();
      return "!" + (is_pair ? show(node.inner[0]) : show_within(node.inner[0], 3));
    }
    case Kind::kOnce:
      return fmt::format("once({})", show(node.inner[0]));
  }
  return "";
}

Condition operator&&(const Condition& a, const Condition& b) { return joined(Kind::kAnd, {a, b}); }
Condition operator||(const Condition& a, const Condition& b) { return joined(Kind::kOr, {a, b}); }
Condition operator!(const Condition& a) { return joined(Kind::kNot, {a}); }

Condition anything(Where where) { return Condition({.kind = Kind::kAnything, .where = where}); }
Condition is_event(EventKind kind, Where where) { return of_kinds({kind}, where); }
Condition is_send(Where where) { return of_kinds({EventKind::kSend}, where); }
Condition is_receive(Where where) { return of_kinds({EventKind::kReceive}, where); }
Condition is_on_its_way(Where where) {
  return of_kinds({EventKind::kSend, EventKind::kSubmit, EventKind::kPost, EventKind::kSetTimer,
                   EventKind::kNotice},
                  where);
}
Condition at(Who node, Where where) {
  return Condition({.kind = Kind::kAt, .where = where, .who = std::move(node)});
}
Condition ended(Where where) { return of_kinds({EventKind::kEnd}, where); }

Condition is_message(Where where) {
  return of_kinds({EventKind::kSend, EventKind::kReceive, EventKind::kDrop, EventKind::kDuplicate},
                  where);
}
Condition is_message(const char* type, Where where) {
  return named(Kind::kMessageType, type, where);
}
Condition from(Who node, Where where) {
  return Condition({.kind = Kind::kFrom, .where = where, .who = std::move(node)});
}
Condition to(Who node, Where where) {
  return Condition({.kind = Kind::kTo, .where = where, .who = std::move(node)});
}
Condition between(Who a, Who b, Where where) {
  return Condition(
      {.kind = Kind::kBetween, .where = where, .who = std::move(a), .other = std::move(b)});
}

Condition carries(const char* type, Where where) { return named(Kind::kPayloadType, type, where); }
Condition timer_set(std::string name, Where where) {
  return with_text(EventKind::kSetTimer, std::move(name), where);
}
Condition timer_fires(std::string name, Where where) {
  return with_text(EventKind::kTimer, std::move(name), where);
}
Condition logs(std::string line, Where where) {
  return with_text(EventKind::kLog, std::move(line), where);
}
Condition decides(Where where) { return of_kinds({EventKind::kDecide}, where); }
Condition crashes(Where where) { return of_kinds({EventKind::kCrash}, where); }
Condition recovers(Where where) { return of_kinds({EventKind::kRecover}, where); }

Condition holds(std::string property, Where where) {
  return named(Kind::kHolds, std::move(property), where);
}

Condition Counter::compare(Compare how, int64_t n) const {
  return Condition({.kind = kind_, .where = where_, .name = name_, .compare = how, .number = n});
}
Counter counter(std::string name, Where where) { return {Kind::kCounter, std::move(name), where}; }
Counter set_size(std::string name, Where where) { return {Kind::kSetSize, std::move(name), where}; }
Condition in_set(std::string name, Where where) {
  return named(Kind::kInSet, std::move(name), where);
}
Condition in_state(std::string state, Where where) {
  return named(Kind::kInState, std::move(state), where);
}
Condition once(Condition condition, Where where) {
  return Condition({.kind = Kind::kOnce, .where = where, .inner = {std::move(condition)}});
}

Condition Partition::from_part(int part, Where where) const {
  return Condition({.kind = Kind::kFromPart, .where = where, .name = name_, .number = part});
}
Condition Partition::across(Where where) const { return named(Kind::kAcross, name_, where); }
Condition Partition::within(Where where) const { return named(Kind::kWithin, name_, where); }

}  // namespace ordeal
