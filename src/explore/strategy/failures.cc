#include "explore/strategy/failures.h"

#include <algorithm>

#include "base/guard.h"
#include "base/mutant.h"
#include "base/out_of_memory.h"
#include "base/stack.h"
#include "ordeal/detail/hash.h"

namespace ordeal::explore {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Numbers come from values, which differ from state to state where the mistake is one.
void add_words(std::string_view text, detail::Hasher& out) {
  for (size_t i = 0; i < text.size();) {
    const bool is_line = i > 0 && text[i - 1] == ':';
    if (!is_digit(text[i]) || is_line) {
      do {
        out.word(static_cast<unsigned char>(text[i++]));
      } while (is_line && i < text.size() && is_digit(text[i]));
      continue;
    }
    while (i < text.size() && is_digit(text[i])) ++i;
    out.word('0');
  }
  out.word(text.npos);
}

}  // namespace

uint64_t failure_kind(const Action& action, std::string_view why) {
  if (mutant(Mutant::kFailuresAreOne)) return 1;
  detail::Hasher out;
  out.word(static_cast<uint64_t>(action.kind));
  add_words(action.type, out);
  add_words(without_place(why), out);
  return std::max<uint64_t>(out.finish(), 1);
}

uint64_t failure_kind(World& world, const ShortForm& run) {
  if (!world.reset(run.initial)) return 1;
  for (size_t i = 0; i < run.choices.size(); ++i) {
    if (run.choices[i] >= world.enabled().size()) return 1;
    const bool last = i + 1 == run.choices.size();
    const Action action = last ? world.action(run.choices[i]) : Action{};
    const Result<void> done = world.apply(run.choices[i]);
    if (!done) return failure_kind(action, done.error().message);
  }
  return 1;
}

std::string out_of_memory() {
  return std::string(kOutOfMemory) +
         ": the machine, or a limit on this process, gave no more. A search with --max-memory "
         "stops "
         "before that and reports what it has found, and with --spill it goes on on disk";
}

std::string in_run(const ShortForm& run) {
  Trace trace;
  trace.initial = run.initial;
  for (const uint32_t choice : run.choices) trace.steps.emplace_back().choice = choice;
  return "; the run that leads there: " + short_form(trace);
}

std::string broken_off(const std::string& failure, const ShortForm& run) {
  if (failure == kOutOfMemory) return out_of_memory();
  return "a property, a constraint or the model itself failed: " + failure + in_run(run);
}

void break_off(const std::string& failure, const ShortForm& run, Exploration& out) {
  if (is_abandoned(failure)) {
    out.bound({Bound::Kind::kInterrupted});
  } else if (out.findings.empty()) {
    out.error = broken_off(failure, run);
  } else {
    out.bound({.kind = Bound::Kind::kBroken, .text = broken_off(failure, run)});
  }
}

}  // namespace ordeal::explore
