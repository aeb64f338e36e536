#include "tests/oracle/scenario/random_scenario.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "ordeal/scenario.h"
#include "tests/oracle/random/generator.h"
#include "tests/oracle/reference/memory.h"

namespace ordeal::oracle {

inline constexpr uint32_t kNumbers = 2;  // that are drawn

// Const functions of the kinds that users write, `which` of them.
inline auto own_condition(int which, const std::string& drawn, const std::string& partition) {
  return [=](const Event& event, const auto& context) -> bool {
    switch (which) {
      case 0:
        return event.kind == EventKind::kSend && context.counter("x") < 2;
      case 1:
        return event.from == event.to;
      case 2:
        return context.recorded("first") != nullptr && context.recorded("first")->to == event.to;
      case 3:
        return context.template kept<int>("kept") != nullptr &&
               *context.template kept<int>("kept") > 1;
      case 4:
        return is_about_message(event.kind) &&
               context.in_set("s",
                              offer_of(ActionKind::kDeliver, event.to, event.from, event.payload));
      case 5:
        return context.set_size("s") + context.machine_state() > 1;
      case 6:
        return !drawn.empty() && event.node == context.drawn(drawn);
      case 7:
        return context.drawn_number("n") == context.counter("x") % kNumbers;
      default:
        return !partition.empty() && context.part(partition, event.node) == 1;
    }
  };
}
inline constexpr int kOwnConditions = 9;

inline auto own_reaction(int which, NodeId node) {
  return [=](const Event& event, auto& context) {
    switch (which) {
      case 0:
        context.count("x", -1);
        return context.drop();
      case 1:
        context.keep("kept", static_cast<int>(context.counter("x")));
        return context.hold("s");
      case 2:
        context.record("first", {node, event.node, value::Any::of(Ping{1})});
        return context.delay(1);
      case 3:
        if (is_about_message(event.kind)) context.replace(value::Any::of(Ping{0}));
        return context.duplicate();
      case 4:
        context.release("s");
        context.crash(node);
        return context.restart(node);
      case 5:
        context.fire(node, "a");
        return context.deliver();
      default:
        if (context.counter("injected") >= 2) return;
        context.count("injected");
        context.inject({node, node, value::Any::of(Ping{1})});
    }
  };
}
inline constexpr int kOwnReactions = 7;

class ScenarioGenerator {
 public:
  ScenarioGenerator(uint64_t seed, const Case& item)
      : rng_(seed), item_(item), out_{Scenario("random"), {}} {}

  RandomScenario generate() {
    draws();
    if (chance(65)) states_ = 2 + static_cast<int>(below(3));
    if (may_wait() && chance(25)) hold_and_release();
    if (!is_timed() && chance(8)) out_.scenario.filter(hold_one_timer());
    if (chance(8)) out_.scenario.filter(change_twice());
    for (uint64_t filters = below(4); filters > 0; --filters) out_.scenario.filter(filter());
    if (chance(5)) out_.scenario.isolate(who());
    if (states_ > 0) out_.scenario.machine(machine());
    if (chance(20)) out_.scenario.script(script());
    if (chance(30)) out_.scenario.faults(Scenario::Faults::kOnlyByFilters);
    if (item_.features.contains("start that chooses") && chance(30)) {
      const auto starts = item_.system.space()->initial();
      if (starts.ok()) out_.scenario.starts_in(static_cast<uint32_t>(below(starts->size())));
    }
    if (chance(15)) out_.scenario.ends_after(1 + static_cast<uint32_t>(below(6)));
    const uint64_t expected = can_succeed() ? below(3) : 0;
    out_.scenario.expect(expected == 0   ? Expect::always()
                         : expected == 1 ? Expect::never()
                                         : Expect::at_least(1));
    for (const Property& property : item_.system.properties()) {
      if (property.kind == PropertyKind::kEventually && chance(25)) {
        out_.scenario.require(property.name);
      }
    }
    return std::move(out_);
  }

 private:
  uint64_t below(uint64_t n) { return rng_.below(n); }
  bool chance(uint64_t percent) { return below(100) < percent; }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[below(list.size())];
  }

  // Holding stops time in prompt systems, holding a timer in timed ones.
  bool is_timed() const { return item_.features.contains("timed"); }
  bool may_wait() const { return !item_.features.contains("prompt"); }

  bool can_succeed() const {
    const std::vector<Machine>& machine = out_.scenario.declaration().machine;
    if (machine.empty()) return false;
    const std::vector<Machine::State>& states = machine[0].states();
    return std::any_of(states.begin(), states.end(), [](const Machine::State& state) {
      return state.kind == Machine::Kind::kSuccess;
    });
  }

  NodeId node() { return one_of(item_.nodes); }
  Who who() {
    if (!drawn_.empty() && chance(40)) return Who::drawn(drawn_);
    if (item_.component != Case::kNoComponent && chance(5)) return item_.component;
    return node();
  }
  std::string name(const std::vector<std::string>& names) { return one_of(names); }

  // --- What is drawn -----------------------------------------------------------------------------

  void draws() {
    // Own conditions may ask for it.
    out_.scenario.draw_number("n", chance(20) ? kNumbers : 1);
    if (chance(20)) {
      drawn_ = "d";
      std::vector<NodeId> among;  // empty: all
      for (NodeId node : item_.nodes) {
        if (chance(40)) among.push_back(node);
      }
      out_.scenario.draw(drawn_, among);
    }
    const int count = static_cast<int>(item_.nodes.size());
    if (count < 2 || !chance(25)) return;
    partition_ = "p";
    if (chance(50)) {
      const int first = 1 + static_cast<int>(below(static_cast<uint64_t>(count) - 1));
      out_.scenario.partition(partition_, std::vector<int>{first, count - first});
    } else {
      std::vector<std::vector<NodeId>> blocks(2);
      for (NodeId node : item_.nodes) {
        if (chance(85)) blocks[below(2)].push_back(node);
      }
      out_.scenario.partition(partition_, blocks);
    }
  }

  // --- Conditions --------------------------------------------------------------------------------

  Condition condition(int depth) {
    const uint64_t dice = below(100);
    if (!made_.empty() && dice < 6) return one_of(made_);  // the same one twice, its `once` too
    Condition out = leaf();
    if (depth > 0 && dice < 45) {
      out = condition(depth - 1) && condition(depth - 1);
    } else if (depth > 0 && dice < 58) {
      out = condition(depth - 1) || condition(depth - 1);
    } else if (depth > 0 && dice < 66) {
      out = !condition(depth - 1);
    } else if (depth > 0 && dice < 78) {
      out = once(condition(depth - 1));
    }
    made_.push_back(out);
    return out;
  }

  Condition leaf() {
    switch (below(8)) {
      case 0:
        return of_kind();
      case 1:
        return of_message();
      case 2:
        return of_nodes();
      case 3:
        return of_content();
      case 4:
        return of_state();
      case 5:
        return of_memory();
      case 6:
        return of_parts();
      default:
        return own();
    }
  }

  Condition of_kind() {
    switch (below(9)) {
      case 0:
        return anything();
      case 1:
        return is_send();
      case 2:
        return is_receive();
      case 3:
        return is_on_its_way();
      case 4:
        return decides();
      case 5:
        return crashes();
      case 6:
        return recovers();
      case 7:
        return ended();
      default:
        return is_event(static_cast<EventKind>(below(kEventKinds)));
    }
  }

  Condition of_message() {
    const auto n = static_cast<uint8_t>(below(2));
    switch (below(6)) {
      case 0:
        return is_message();
      case 1:
        return is_message<Ping>();
      case 2:
        return is_message<Token>();
      case 3:
        return is_message<Ping>([n](const Ping& ping) { return ping.n == n; });
      case 4:
        return is_message<Note>([](const Note& note) { return note.text == "yes"; });
      default:
        return is_message("Token");
    }
  }

  Condition of_nodes() {
    switch (below(4)) {
      case 0:
        return at(who());
      case 1:
        return from(who());
      case 2:
        return to(who());
      default:
        return between(who(), who());
    }
  }

  Condition of_content() {
    const char* timer = timer_name(static_cast<int>(below(2)));
    switch (below(6)) {
      case 0:
        return carries<Ask>([](const Ask& ask) { return ask.n > 0; });
      case 1:
        return carries<int>([](int decided) { return decided > 0; });
      case 2:
        return carries("Token");
      case 3:
        return timer_set(timer);
      case 4:
        return timer_fires(timer);
      default:
        return logs("state " + std::to_string(below(2)));
    }
  }

  template <class T>
  Condition in_cell_state() {
    const auto state = static_cast<uint8_t>(below(3));
    return state_is<T>([state](const T& node) { return node.cell.state == state; });
  }

  Condition of_state() {
    const auto& properties = item_.system.properties();
    switch (below(6)) {
      case 0:
        return in_cell_state<Plain>();
      case 1:
        return in_cell_state<Deaf>();
      case 2:
        return in_cell_state<Part>();
      case 3:
        return in_cell_state<Full>();
      default:
        return holds(one_of(properties).name);
    }
  }

  Condition of_memory() {
    const auto n = static_cast<int64_t>(below(3));
    const uint64_t dice = below(7);
    if (dice == 0) return in_set(name({"s", "t"}));
    if (dice == 1 && states_ > 0) return in_state(state());
    const Counter what = dice < 4 ? set_size(name({"s", "t"})) : counter(name({"x", "y"}));
    switch (below(6)) {
      case 0:
        return what < n;
      case 1:
        return what <= n;
      case 2:
        return what == n;
      case 3:
        return what != n;
      case 4:
        return what >= n;
      default:
        return what > n;
    }
  }

  Condition of_parts() {
    if (partition_.empty()) return of_message();
    const Partition partition(partition_);
    switch (below(3)) {
      case 0:
        return partition.from_part(static_cast<int>(below(2)));
      case 1:
        return partition.across();
      default:
        return partition.within();
    }
  }

  Condition own() {
    const auto function =
        own_condition(static_cast<int>(below(kOwnConditions)), drawn_, partition_);
    Condition out = ordeal::condition("own", function);
    out_.own.conditions[out.id()] = function;
    return out;
  }

  // --- Reactions ---------------------------------------------------------------------------------

  Filter filter() {
    Condition when = condition(2);
    if (chance(10)) {  // where it matters which half was true
      const Condition half = chance(50) ? of_nodes() : of_message();
      when = (once(is_on_its_way()) && !half) || half;
    }
    if (chance(60)) when = (chance(50) ? is_send() : is_on_its_way()) && when;
    if (is_timed()) when = !is_event(EventKind::kSetTimer) && when;
    Filter out{when, {}, Where::current()};
    for (uint64_t more = 1 + below(3); more > 0; --more) out.reactions.push_back(reaction());
    return out;
  }

  // The most usual pair of filters.
  void hold_and_release() {
    const Condition captured = is_timed() || chance(50) ? is_send() : is_on_its_way();
    const Condition trigger = !is_on_its_way() && (chance(50) ? set_size("s") >= 2 : condition(1));
    out_.scenario.filter(when(chance(50) ? captured : captured && condition(1)).then(hold("s")))
        .filter(when(chance(50) ? trigger : once(trigger)).then(release("s")));
  }

  // If it is set again, it is another.
  Filter hold_one_timer() {
    const Condition first = once(is_event(EventKind::kSetTimer));
    return chance(50) ? when(first).then(hold("t")) : when(first).then(delay(3));
  }

  Filter change_twice() {
    return when(is_send() && (chance(50) ? is_message<Token>() : is_message<Ping>()))
        .then(mutation(), field_mutation(), mutation(), field_mutation());
  }

  Reaction reaction() {
    if (!reactions_.empty() && chance(5)) return one_of(reactions_);
    Reaction out = single();
    if (chance(10)) out = once(out);
    reactions_.push_back(out);
    return out;
  }

  Reaction single() {
    switch (below(17)) {
      case 0:
        return deliver();
      case 1:
        return drop();
      case 2:
      case 3:
        return may_wait() ? hold(name({"s", "t", ""})) : drop();
      case 4:
        return may_wait() ? delay(static_cast<uint32_t>(below(4))) : deliver();
      case 5:
        return duplicate(1 + static_cast<uint32_t>(below(2)));
      case 6:
      case 7:
        return release(name({"s", "t", ""}));
      case 8:
        return count(name({"x", "y"}));
      case 9:
        return record(name({"first", "last"}));
      case 10:
        return seldom(resend(name({"first", "last"})));
      case 11:
        return chance(50) ? mutation() : field_mutation();
      case 12:
        return seldom(injection());
      case 13:
        return crash(who());
      case 14:
        return restart(who());
      case 15:
        return fire(who(), timer_name(static_cast<int>(below(2))));
      default:
        return own_one();
    }
  }

  // What adds messages whenever it is done has no end.
  Reaction seldom(Reaction reaction) { return chance(80) ? once(std::move(reaction)) : reaction; }

  Reaction injection() {
    const Who to = node();
    const Who from = who();
    if (chance(50)) return inject(from, to, Ping{static_cast<uint8_t>(below(2))});
    if (chance(70)) return inject(from, to, Token{node(), 1});
    return inject(from, to, Note{"yes"});  // not everybody handles it
  }

  template <class M, class F>
  Reaction mutation_by(F change) {
    Reaction out = mutate<M>(change);
    out_.own.reactions[out.id()] = [change](const Event& event, reference::Memory& memory) {
      const M* message = event.payload.try_get<M>();
      if (message == nullptr) return;
      M changed = *message;
      change(changed);
      memory.replace(value::Any::of(changed));
    };
    return out;
  }

  Reaction mutation() {
    if (chance(60)) return mutation_by<Ping>([](Ping& ping) { ping.n ^= 1; });
    return mutation_by<Token>([who = node()](Token& token) { token.who = who; });
  }

  Reaction field_mutation() {
    switch (below(3)) {
      case 0:
        return mutate_field("n", static_cast<uint8_t>(below(2)));
      case 1:
        return mutate_field("who", node());
      default:
        return mutate_field("text", std::string("no"));
    }
  }

  Reaction own_one() {
    int which = static_cast<int>(below(kOwnReactions));
    if ((which == 1 || which == 2) && !may_wait()) which = 0;
    const auto function = own_reaction(which, node());
    Reaction out = ordeal::reaction("own", function);
    out_.own.reactions[out.id()] = function;
    return out;
  }

  // --- The machine and the script ----------------------------------------------------------------

  std::string state() {
    const uint64_t number = below(static_cast<uint64_t>(states_));
    return number == 0 ? "start" : "state " + std::to_string(number);
  }

  Machine machine() {
    Machine out("start");
    for (int i = 1; i < states_; ++i) {
      const std::string state = "state " + std::to_string(i);
      // Declared even if no transition leads there: filters may ask for it.
      out.on("start", condition(2), state);
      const uint64_t kind = below(10);
      if (kind < 4) out.success(state);
      if (kind == 9) out.failure(state);
    }
    for (uint64_t more = below(4); more > 0; --more) out.on(state(), condition(2), state());
    if (chance(30)) out.on(state(), ended() && condition(1), Machine::kSuccess);
    if (chance(15)) out.on(state(), ended() && condition(1), Machine::kFailure);
    return out;
  }

  // The beginning of some run, with gaps, and with something that is seldom possible.
  std::vector<std::string> script() {
    std::vector<std::string> out;
    const std::unique_ptr<World> world = item_.system.world();
    if (!world->reset(0)) return out;
    for (int step = 0; step < 6 && !world->enabled().empty(); ++step) {
      const auto index = static_cast<uint32_t>(below(world->enabled().size()));
      if (world->enabled()[index].fails) break;
      const std::string may_miss = chance(60) ? "? " : "";
      if (chance(80)) out.push_back(may_miss + show(world->action(index)));
      if (chance(10)) out.push_back("? crash " + std::to_string(node().value));
      if (!world->apply(index)) break;
    }
    return out;
  }

  Rng rng_;
  const Case& item_;
  RandomScenario out_;
  std::string drawn_;
  std::string partition_;
  int states_ = 0;  // of the machine; 0: there is none
  std::vector<Condition> made_;
  std::vector<Reaction> reactions_;
};

RandomScenario generate_scenario(uint64_t seed, const Case& item) {
  return ScenarioGenerator(seed ^ 0x5ce9a810, item).generate();
}

}  // namespace ordeal::oracle
