// Equal messages in one queue, of which a scenario holds one back.
#pragma once

#include <string>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/scenario.h"
#include "ordeal/scenario_run.h"
#include "ordeal/system.h"

namespace ordeal::verdicts {

struct Letter {
  char name = 'a';
};

// Sends a, b and a once more; the other end writes down what it gets.
struct Sender {
  using Messages = Types<Letter>;
  std::string got;
  void start(Context& ctx) {
    if (ctx.self() != 1) return;
    for (const char name : {'a', 'b', 'a'}) ctx.send(2, Letter{name});
  }
  void on(Context&, const Letter& letter) { got += letter.name; }
};

inline System letters() {
  System system;
  system.add<Sender>(2).network(Network::kOrdered);
  system.always("nothing arrives",
                [](const View& view) { return view.node<Sender>(2).got.empty(); });
  system.always("in order", [](const View& view) {
    return std::string("aba").starts_with(view.node<Sender>(2).got);
  });
  return system;
}

inline Condition letter(char name) {
  return is_send() && is_message<Letter>([name](const Letter& l) { return l.name == name; });
}

inline std::vector<std::string> every_way() { return {"bfs", "dfs", "prefix", "random", "pctcp"}; }

// "": the first of two equal messages, where it is held, stops all behind it.
inline std::string problem_with_the_first_held() {
  const System system = letters();
  Scenario scenario("the first a waits");
  scenario.filter(when(once(letter('a'))).then(hold("late")));
  for (const std::string& strategy : every_way()) {
    const auto report = run(scenario, system, {.strategy = strategy});
    if (!report.ok()) return strategy + ": " + report.error().message;
    if (report->verdict != Verdict::kHolds) return strategy + ": a letter passes the one held";
  }
  return "";
}

// "": the second of two equal messages, where it is held, lets those before it pass.
inline std::string problem_with_the_second_held() {
  const System system = letters();
  Scenario scenario("the second a waits");
  // The first one is counted, the second held.
  scenario.filter(when(letter('a') && counter("a") == 0).then(count("a")))
      .filter(when(letter('a')).then(hold("late")));
  for (const std::string& strategy : every_way()) {
    const auto report = run(scenario, system, {.strategy = strategy, .keep_going = true});
    if (!report.ok()) return strategy + ": " + report.error().message;
    if (report->verdict != Verdict::kViolated) return strategy + ": no letter arrives";
    for (const Violation& violation : report->violations) {
      if (violation.property != "nothing arrives") return strategy + ": not " + violation.property;
    }
  }
  return "";
}

// "": the first of two equal messages, where it is changed or lost, is the one that is.
inline std::string problem_with_the_first_changed() {
  System system;
  system.add<Sender>(2).network(Network::kOrdered);
  system.always("z first", [](const View& view) {
    return std::string("zba").starts_with(view.node<Sender>(2).got);
  });
  Scenario changed("the first a becomes z");
  changed.filter(when(once(letter('a'))).then(mutate<Letter>([](Letter& l) { l.name = 'z'; })));
  Scenario lost("the first a is lost");
  lost.filter(when(once(letter('a'))).then(drop()));
  for (const std::string& strategy : every_way()) {
    const auto report = run(changed, system, {.strategy = strategy});
    if (!report.ok()) return strategy + ": " + report.error().message;
    if (report->verdict != Verdict::kHolds) return strategy + ": what was changed is not first";
    const auto without = run(lost, system, {.strategy = strategy});
    if (!without.ok()) return strategy + ": " + without.error().message;
    if (without->verdict != Verdict::kViolated) return strategy + ": nothing is lost";
    const std::string first = show(without->violations[0].trace->steps[0].detail.action);
    if (first.find("\"b\"") == first.npos)
      return strategy + ": not b but " + first + " comes first";
  }
  return "";
}

}  // namespace ordeal::verdicts
