// The nodes of program.h once more, put together at run time: types from a schema, handlers as
// closures that interpret the program they were given. Under the same names, so that people see no
// difference.
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "ordeal/dynamic.h"
#include "ordeal/dynamic_node.h"
#include "ordeal/predicate.h"
#include "ordeal/system.h"
#include "tests/oracle/random/program.h"

namespace ordeal::oracle {

using dynamic::ConstRef;
using dynamic::Ref;

template <class T>
T must(Result<T> result) {
  if (!result) throw std::logic_error(result.error().message);
  return *result;
}

struct MadeTypes {
  using Type = value::Type;

  static const Type* record(const char* name, std::vector<dynamic::Field> fields) {
    return must(dynamic::record(std::string("ordeal::oracle::") + name, std::move(fields)));
  }

  const Type* byte = dynamic::type<uint8_t>();
  const Type* ping = record("Ping", {{"n", byte}});
  const Type* token = record("Token", {{"who", dynamic::type<NodeId>()}, {"n", byte}});
  const Type* note = record("Note", {{"text", dynamic::type<std::string>()}});
  const Type* ask = record("Ask", {{"n", byte}});
  const Type* twin_ping = record("twin::Ping", {{"n", byte}});
  const Type* twin_ask = record("twin::Ask", {{"n", byte}});
  const Type* sealed_ping = record("Sealed<ordeal::oracle::Ping>", {{"n", byte}});
  const Type* sealed_token = record("Sealed<ordeal::oracle::Token>", {{"n", byte}});
  const Type* saved = record("Saved", {{"state", byte}, {"what", byte}});
  const Type* cell = record("Cell", {{"role", byte},
                                     {"state", byte},
                                     {"fuel", byte},
                                     {"plain", dynamic::type<bool>()},
                                     {"busy", dynamic::type<bool>()},
                                     {"last", dynamic::type<NodeId>()},
                                     {"seen", dynamic::list_of<NodeId>()},
                                     {"zero", dynamic::type<double>()}});
  const Type* full = record("Full", {{"cell", cell}});
  const Type* plain = record("Plain", {{"cell", cell}});
  const Type* deaf = record("Deaf", {{"cell", cell}});
  const Type* part = record("Part", {{"cell", cell}});

  dynamic::Place role = must(dynamic::place(cell, "role"));
  dynamic::Place state = must(dynamic::place(cell, "state"));
  dynamic::Place fuel = must(dynamic::place(cell, "fuel"));
  dynamic::Place is_plain = must(dynamic::place(cell, "plain"));
  dynamic::Place busy = must(dynamic::place(cell, "busy"));
  dynamic::Place last = must(dynamic::place(cell, "last"));
  dynamic::Place seen = must(dynamic::place(cell, "seen"));
  dynamic::Place zero = must(dynamic::place(cell, "zero"));

  template <class T>
  const Type* of() const {
    if constexpr (std::is_same_v<T, Full>) return full;
    if constexpr (std::is_same_v<T, Plain>) return plain;
    if constexpr (std::is_same_v<T, Deaf>) return deaf;
    if constexpr (std::is_same_v<T, Part>) return part;
  }
};

inline const MadeTypes& made() {
  static const MadeTypes types;
  return types;
}

// A value of a record whose fields are all numbers below 256.
inline value::Any bytes_of(const value::Type* type,
                           std::initializer_list<std::pair<const char*, uint8_t>> fields) {
  dynamic::Value out(type);
  for (const auto& [name, number] : fields) out[name].set(number);
  return out;
}

// As the factory of the compiled node makes it.
template <class T>
value::Any made_state(const T& node) {
  dynamic::Value out(made().of<T>());
  const Ref cell = out["cell"];
  cell[made().role].set(node.cell.role);
  cell[made().state].set(node.cell.state);
  cell[made().fuel].set(node.cell.fuel);
  cell[made().is_plain].set(node.cell.plain);
  return out;
}

// Follows a program; the state is in a Cell of run time.
class Interpreter {
 public:
  Interpreter(const Program& program, Ref cell, Context& ctx)
      : program_(program), cell_(cell), ctx_(ctx) {}

  uint8_t& state() { return cell_[made().state].as<uint8_t>(); }
  NodeId& last() { return cell_[made().last].as<NodeId>(); }

  void react(int trigger) {
    const Rule& rule = program_.roles[cell_[made().role].as<uint8_t>()]
                           .rules[state()][static_cast<size_t>(trigger)];
    uint8_t& fuel = cell_[made().fuel].as<uint8_t>();
    if (rule.branches.empty() || (rule.costs && fuel == 0)) return;
    if (rule.costs) --fuel;
    const size_t ways = rule.branches.size();
    const size_t way = ways == 1 ? 0 : ctx_.choose(static_cast<uint32_t>(ways));
    for (const Step& step : rule.branches[way]) follow(step);
  }

 private:
  value::Any message(const Step& step) {
    const auto content = static_cast<uint8_t>(step.c == 2 ? state() % 2 : step.c);
    switch (step.b) {
      case kPing:
        return bytes_of(made().ping, {{"n", content}});
      case kTwin:
        return bytes_of(made().twin_ping, {{"n", content}});
      case kToken: {
        dynamic::Value out(made().token);
        out["who"].set(content == 0 ? ctx_.self() : last());
        out["n"].set(content);
        return out;
      }
      default: {
        dynamic::Value out(made().note);
        out["text"].set(content == 0 ? "no" : "yes");
        return out;
      }
    }
  }

  void emit(const Step& step) {
    NodeId to = step.a;
    if (step.a == kToLast) to = last() == 0 ? ctx_.self() : last();
    if (step.a == kToSelf) to = ctx_.self();
    switch (step.what) {
      case Do::kReply:
        return ctx_.reply(message(step));
      case Do::kBroadcast:
        return ctx_.broadcast(message(step));
      case Do::kBroadcastAll:
        return ctx_.broadcast_all(message(step));
      case Do::kPost:
        return ctx_.post(to, message(step));
      default:
        return ctx_.send(to, message(step));
    }
  }

  void decide(const Step& step) {
    const int what = step.a == 2 ? state() : step.a;
    if (step.b == 0) return ctx_.decide(what);
    ctx_.decide(bytes_of(step.b == 1 ? made().sealed_ping : made().sealed_token,
                         {{"n", static_cast<uint8_t>(what)}}));
  }

  void call(const Step& step) {
    bool& busy = cell_[made().busy].as<bool>();
    if (busy) return;
    busy = true;
    if (step.a == 0) {
      ctx_.invoke(reg::Read{});
    } else if (step.b == 0) {
      ctx_.invoke(reg::Write<char>{static_cast<char>('a' + step.a)});
    } else {
      ctx_.invoke(reg::Write<int8_t>{static_cast<int8_t>('a' + step.a)});
    }
    const Ref seen = cell_[made().seen];
    seen.clear();
    for (int i = 0; i < (step.a == 0 ? 1 : 2); ++i) seen.append().set(ctx_.self());
  }

  void give_back(const Step& step) {
    bool& busy = cell_[made().busy].as<bool>();
    if (!busy) return;
    busy = false;
    if (cell_[made().seen].size() == 1) {
      ctx_.returns(reg::ReadOk<char>{step.a == 0 ? char{} : static_cast<char>('a' + step.a)});
    } else {
      ctx_.returns(reg::WriteOk{});
    }
  }

  void follow(const Step& step) {
    switch (step.what) {
      case Do::kState:
        state() = static_cast<uint8_t>(step.a);
        return;
      case Do::kRemember:
        last() = ctx_.sender();
        if (cell_[made().seen].size() < 2) cell_[made().seen].append().set(ctx_.sender());
        return;
      case Do::kSend:
      case Do::kPost:
      case Do::kReply:
      case Do::kBroadcast:
      case Do::kBroadcastAll:
        return emit(step);
      case Do::kSetTimer:
        if (cell_[made().is_plain].as<bool>()) return;
        return ctx_.set_timer(timer_name(step.a),
                              {.after = static_cast<uint32_t>(step.b), .idle = step.c != 0});
      case Do::kCancelTimer:
        return ctx_.cancel_timer(timer_name(step.a));
      case Do::kPersist:
        if (cell_[made().is_plain].as<bool>()) return;
        return ctx_.persist(
            bytes_of(made().saved, {{"state", state()}, {"what", static_cast<uint8_t>(step.a)}}));
      case Do::kDecide:
        return decide(step);
      case Do::kInvoke:
        return call(step);
      case Do::kReturn:
        return give_back(step);
      case Do::kLog:
        return ctx_.log("state " + std::to_string(state()));
      case Do::kChoose:
        state() = static_cast<uint8_t>((state() + ctx_.choose(static_cast<uint32_t>(step.a))) %
                                       static_cast<uint32_t>(program_.states));
        return;
      case Do::kFlip: {
        double& zero = cell_[made().zero].as<double>();
        zero = -zero;
        if (std::signbit(zero)) state() = static_cast<uint8_t>(step.a);
        return;
      }
      default:
        return fail(step);
    }
  }

  void fail(const Step& step) {
    switch (step.what) {
      case Do::kAssert:
        return must_be_in(state(), step.a);
      case Do::kThrow:
        throw std::runtime_error("a handler that throws");
      case Do::kChooseZero:
        ctx_.choose(0);
        return;
      case Do::kSendNowhere:
        return ctx_.send(99, dynamic::Value(made().ping));
      case Do::kPersistWrongType:
        return ctx_.persist(dynamic::Value(made().token));
      case Do::kSendUnhandled:
        return ctx_.send(ctx_.self(), dynamic::Value(made().saved));
      case Do::kSetTimerAnyway:
        return ctx_.set_timer("c");
      case Do::kInvokeTwice:
        ctx_.invoke(reg::Read{});
        return ctx_.invoke(reg::Read{});
      default:
        ctx_.invoke(reg::Read{});
        ctx_.returns(reg::WriteOk{});
        return ctx_.returns(reg::WriteOk{});
    }
  }

  const Program& program_;
  const Ref cell_;
  Context& ctx_;
};

// The node type of one of the structs of program.h. REQUIRES: the program lives as long.
template <class T>
dynamic::NodeType made_node(const Program* program) {
  const value::Type* const state = made().of<T>();
  const dynamic::Place cell = must(dynamic::place(state, "cell"));
  const auto interpret = [=](Ref self, Context& ctx) {
    return Interpreter(*program, self[cell], ctx);
  };
  const auto on_ping = [=](Ref self, Context& ctx, NodeId, ConstRef m) {
    interpret(self, ctx).react(m["n"].as<uint8_t>() == 0 ? kOnPing0 : kOnPing1);
  };
  const auto plainly = [=](int trigger) {
    return [=](Ref self, Context& ctx, NodeId, ConstRef) { interpret(self, ctx).react(trigger); };
  };
  constexpr bool kFull = std::is_same_v<T, Full>;
  constexpr bool kDeaf = std::is_same_v<T, Deaf>;
  constexpr bool kPlain = std::is_same_v<T, Plain>;
  dynamic::NodeType out(std::string(value::type_name<T>()), state);
  if (!kDeaf) out.start([=](Ref self, Context& ctx) { interpret(self, ctx).react(kOnStart); });
  out.on(made().ping, on_ping);
  out.on(made().token, [=](Ref self, Context& ctx, NodeId, ConstRef m) {
    Interpreter interpreter = interpret(self, ctx);
    if (kFull && m["n"].integer() != 0) interpreter.last() = m["who"].as<NodeId>();
    interpreter.react(kOnToken);
  });
  if (!kDeaf && !kPlain) out.on(made().note, plainly(kOnNote));
  if (kFull) out.on(made().twin_ping, plainly(kOnTwin));
  if (kFull || kDeaf) {
    out.request(made().ask, [=](Ref self, Context& ctx, ConstRef ask) {
      Interpreter interpreter = interpret(self, ctx);
      const auto n = ask["n"].as<uint8_t>();
      if (kFull && n < program->states) interpreter.state() = n;
      interpreter.react(kOnRequest);
    });
    out.disk(made().saved);
  }
  if (!kPlain) {
    out.timer([=](Ref self, Context& ctx, const std::string& name) {
      interpret(self, ctx).react(name == "a" ? kOnTimerA : kOnTimerB);
    });
  }
  if (kPlain) {
    out.crashed([=](Ref self, Context& ctx, NodeId) { interpret(self, ctx).react(kOnCrashed); });
  }
  if (!kFull) return out;
  out.request(made().twin_ask,
              [=](Ref self, Context& ctx, ConstRef) { interpret(self, ctx).react(kOnTwin); });
  out.crashed([=](Ref self, Context& ctx, NodeId who) {
    Interpreter interpreter = interpret(self, ctx);
    interpreter.last() = who;
    interpreter.react(kOnCrashed);
  });
  out.restored([=](Ref self, Context& ctx, NodeId) { interpret(self, ctx).react(kOnRestored); });
  out.recover([=](Ref self, Context& ctx, ConstRef disk) {
    Interpreter interpreter = interpret(self, ctx);
    if (disk["what"].integer() != 0) interpreter.state() = disk["state"].as<uint8_t>();
    interpreter.react(kOnRecover);
  });
  return out;
}

}  // namespace ordeal::oracle
