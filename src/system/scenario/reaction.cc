#include <fmt/format.h>

#include "ordeal/filter.h"
#include "system/scenario/who.h"

namespace ordeal {
namespace {

using monitor::show_who;

Reaction named_reaction(Reaction::Kind kind, std::string name, Where where) {
  return Reaction({.kind = kind, .where = where, .name = std::move(name)});
}

}  // namespace

std::string show(const Reaction& reaction) {
  const Reaction::Node& node = reaction.node();
  switch (node.kind) {
    case Reaction::Kind::kDeliver:
      return "deliver()";
    case Reaction::Kind::kDrop:
      return "drop()";
    case Reaction::Kind::kHold:
      return fmt::format("hold(\"{}\")", node.name);
    case Reaction::Kind::kDelay:
      return fmt::format("delay({})", node.number);
    case Reaction::Kind::kDuplicate:
      return node.number == 1 ? "duplicate()" : fmt::format("duplicate({})", node.number);
    case Reaction::Kind::kRelease:
      return fmt::format("release(\"{}\")", node.name);
    case Reaction::Kind::kCount:
      return fmt::format("count(\"{}\")", node.name);
    case Reaction::Kind::kRecord:
      return fmt::format("record(\"{}\")", node.name);
    case Reaction::Kind::kResend:
      return fmt::format("resend(\"{}\")", node.name);
    case Reaction::Kind::kMutate:
      return node.path.empty()
                 ? fmt::format("mutate<{}>(…)", node.name)
                 : fmt::format("mutate_field(\"{}\", {})", node.path, value::show(node.tree));
    case Reaction::Kind::kInject:
      return fmt::format("inject({}, {}, {})", show_who(node.who), show_who(node.to),
                         value::show(node.payload.tree()));
    case Reaction::Kind::kCrash:
      return fmt::format("crash({})", show_who(node.who));
    case Reaction::Kind::kRestart:
      return fmt::format("restart({})", show_who(node.who));
    case Reaction::Kind::kFire:
      return fmt::format("fire({}, \"{}\")", show_who(node.who), node.name);
    case Reaction::Kind::kCustom:
      return node.name;
    case Reaction::Kind::kOnce:
      return fmt::format("once({})", show(node.inner[0]));
  }
  return "";
}

std::string show(const Filter& filter) {
  std::string reactions;
  for (const Reaction& reaction : filter.reactions) {
    reactions += (reactions.empty() ? "" : ", ") + show(reaction);
  }
  return fmt::format("when({}).then({})", show(filter.condition), reactions);
}

Reaction deliver(Where where) {
  return Reaction({.kind = Reaction::Kind::kDeliver, .where = where});
}
Reaction drop(Where where) { return Reaction({.kind = Reaction::Kind::kDrop, .where = where}); }
Reaction hold(std::string set, Where where) {
  return named_reaction(Reaction::Kind::kHold, std::move(set), where);
}
Reaction delay(uint32_t steps, Where where) {
  return Reaction({.kind = Reaction::Kind::kDelay, .where = where, .number = steps});
}
Reaction duplicate(uint32_t copies, Where where) {
  return Reaction({.kind = Reaction::Kind::kDuplicate, .where = where, .number = copies});
}
Reaction release(std::string set, Where where) {
  return named_reaction(Reaction::Kind::kRelease, std::move(set), where);
}
Reaction count(std::string counter, Where where) {
  return named_reaction(Reaction::Kind::kCount, std::move(counter), where);
}
Reaction record(std::string label, Where where) {
  return named_reaction(Reaction::Kind::kRecord, std::move(label), where);
}
Reaction resend(std::string label, Where where) {
  return named_reaction(Reaction::Kind::kResend, std::move(label), where);
}
Reaction crash(Who node, Where where) {
  return Reaction({.kind = Reaction::Kind::kCrash, .where = where, .who = std::move(node)});
}
Reaction restart(Who node, Where where) {
  return Reaction({.kind = Reaction::Kind::kRestart, .where = where, .who = std::move(node)});
}
Reaction fire(Who node, std::string timer, Where where) {
  return Reaction({.kind = Reaction::Kind::kFire,
                   .where = where,
                   .name = std::move(timer),
                   .who = std::move(node)});
}
Reaction inject(const Who& from, const Who& to, value::Any message, Where where) {
  const value::Type* const type = message.type();
  return Reaction({.kind = Reaction::Kind::kInject,
                   .where = where,
                   .who = from,
                   .to = to,
                   .type = type,
                   .payload = std::move(message)});
}
Reaction mutate_field(std::string path, value::Tree content, Where where) {
  return Reaction({.kind = Reaction::Kind::kMutate,
                   .where = where,
                   .path = std::move(path),
                   .tree = std::move(content)});
}
Reaction once(Reaction reaction, Where where) {
  return Reaction({.kind = Reaction::Kind::kOnce, .where = where, .inner = {std::move(reaction)}});
}

}  // namespace ordeal
