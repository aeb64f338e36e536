// Opaque objects that remember what they were answered, and say nothing about themselves.
#pragma once

#include <memory>
#include <string>

#include "ordeal/check.h"
#include "ordeal/system.h"

namespace ordeal::verdicts {

struct Toss {};

// Remembers an answer, and says nothing about itself.
class Silent {
 public:
  using Requests = Types<Toss>;
  void request(Context& ctx, const Toss&) { heads_ += static_cast<int>(ctx.choose(2)); }
  int heads() const { return heads_; }

 private:
  int heads_ = 0;
};

template <class Node>
System tossing(int tosses) {
  System system;
  system.add_opaque<Node>(1, [](NodeId) { return std::make_unique<Node>(); });
  for (int i = 0; i < tosses; ++i) system.request(1, Toss{});
  return system;
}

// "": no strategy takes two that were answered differently for one.
inline std::string problem_with_answers() {
  System system = tossing<Silent>(2);
  system.always("at most one head", each<Silent>([](const Silent& s) { return s.heads() < 2; }));
  for (const std::string strategy : {"prefix", "dpor", "random"}) {
    const auto report = check(system, {.strategy = strategy});
    if (!report.ok()) return strategy + ": " + report.error().message;
    if (report->verdict != Verdict::kViolated) return strategy + " forgets what was answered";
  }
  return "";
}

}  // namespace ordeal::verdicts
