#include "explore/prepare.h"

#include "base/guard.h"
#include "base/text.h"
#include "explore/strategy/claims.h"

namespace ordeal::explore {
namespace {

std::string names_of(bool stateful, bool others) {
  return ordeal::join(strategies_where([&](const Strategy& strategy) {
                        return strategy.needs_space ? stateful : others;
                      }),
                      ", ");
}

Result<void> check_options(const Options& options, const Strategy* strategy, bool forkable) {
  if (strategy == nullptr) {
    return Error{"unknown strategy \"" + options.strategy + "\"; there are " +
                 names_of(true, true)};
  }
  if (strategy->needs_space && !forkable) {
    return Error{"strategy " + strategy->name +
                 " saves states and comes back to them, which opaque nodes cannot; strategies that "
                 "fit: " +
                 names_of(false, true)};
  }
  if (options.symmetry && !strategy->needs_space) {
    return Error{"strategy " + strategy->name +
                 " does not store states, and symmetry is about storing one of many; strategies "
                 "that fit: " +
                 names_of(true, false)};
  }
  if (options.symmetry && options.guide) {
    return Error{
        "symmetry and a guide do not fit together: a guide says which of the nodes that "
        "are alike acts"};
  }
  const auto only_for_search = [&](bool asked, const std::string& what) -> Result<void> {
    if (!asked || strategy->needs_space) return {};
    return Error{what + " is for strategies that store states: " +
                 enumeration(strategies_where([](const Strategy& s) { return s.needs_space; })) +
                 ", not " + strategy->name};
  };
  for (const auto& valid : {only_for_search(options.reduce != "none", "reduce"),
                            only_for_search(options.wide_fingerprints, "128-bit fingerprints"),
                            only_for_search(!options.checkpoint.empty(), "a checkpoint"),
                            check_strategy_options(options)}) {
    if (!valid) return valid.error();
  }
  if (options.max_steps > 0 && !strategy->samples()) {
    return Error{
        "a bound on the steps of all runs is for strategies that pick runs step by step: " +
        enumeration(strategies_where([](const Strategy& s) { return s.samples(); })) + ", not " +
        strategy->name};
  }
  const auto by_levels = [] {
    return enumeration(strategies_where([](const Strategy& s) { return s.by_levels; }));
  };
  if (options.reduce != "none" && options.reduce != "sleep") {
    return Error{"unknown reduction \"" + options.reduce + "\"; there are none and sleep"};
  }
  if (options.reduce == "sleep" && !strategy->by_levels && options.max_depth > 0) {
    return Error{"sleep sets and a maximal depth go together breadth first only; use strategy " +
                 by_levels()};
  }
  if (options.reduce == "sleep" && !options.spill.empty()) {
    return Error{"sleep sets must be at hand for every state: they do not go with spilling"};
  }
  if (!options.spill.empty() && !strategy->by_levels) {
    return Error{"only strategy " + by_levels() + " can go on on disk, not " + strategy->name};
  }
  if (options.checkpoint_seconds < 0) return Error{"checkpoints cannot be less than 0 s apart"};
  if (options.threads < 0 || options.threads > 256) {
    return Error{"threads: " + std::to_string(options.threads) + " is not between 1 and 256"};
  }
  return {};
}

Result<void> check_guide(World& world, const ShortForm& guide) {
  if (guide.initial >= world.initial_count()) {
    return Error{"the guide starts in initial state " + std::to_string(guide.initial) +
                 ", but there are " + std::to_string(world.initial_count())};
  }
  if (auto started = world.reset(guide.initial); !started) return started;
  for (size_t i = 0; i < guide.choices.size(); ++i) {
    const size_t count = world.enabled().size();
    if (guide.choices[i] >= count) {
      return Error{"the guide cannot be followed at step " + std::to_string(i + 1) +
                   ": it takes action " + std::to_string(guide.choices[i]) + " of " +
                   std::to_string(count)};
    }
    // Whether a handler may fail on the way is for the strategy to say.
    if (!world.apply(guide.choices[i])) return {};
  }
  return {};
}

}  // namespace

Result<Prepared> prepared(const Checkable& subject, const Options& given) {
  if (const auto valid = subject.validate(); !valid) return valid.error();
  Prepared out;
  out.options = given;
  out.space = subject.space();
  const bool forkable = out.space != nullptr;
  Options& options = out.options;
  if (options.strategy.empty()) options.strategy = default_strategy(forkable);
  out.strategy = find_strategy(options.strategy);
  if (const auto valid = check_options(options, out.strategy, forkable); !valid) {
    return valid.error();
  }
  if (out.strategy->settle) {
    if (const auto settled = out.strategy->settle(subject, options); !settled) {
      return settled.error();
    }
  }
  const std::string symmetry = options.symmetry ? "--symmetry" : "";
  for (const std::string& way : {options.strategy, "--reduce " + options.reduce, symmetry}) {
    if (const auto kept = may_claim(way, subject, forkable); !kept) return kept.error();
  }
  return out;
}

// What is not in the states cannot be explored by going through them, nor through runs of them.
Result<void> may_enumerate(const Strategy& strategy, const World& world) {
  if (strategy.samples() || world.is_value()) return {};
  return Error{"strategy " + strategy.name +
               " goes through everything that can happen, but a function of the scenario is not "
               "const: what it remembers is in no state. Keep it in the context "
               "(ScenarioContext::keep), or use a strategy that samples"};
}

}  // namespace ordeal::explore

namespace ordeal {

Result<Options> prepare(const Checkable& subject, const Options& options) {
  Result<explore::Prepared> prepared = explore::prepared(subject, options);
  if (!prepared) return prepared.error();
  if (options.symmetry) {
    if (const auto symmetry = subject.symmetry(); !symmetry) return symmetry.error();
  }
  if (prepared->space != nullptr && !options.guide) return std::move(prepared->options);
  Result<void> fits;
  const std::string failure = guarded([&] {
    const std::unique_ptr<World> world = subject.world();
    if (prepared->space == nullptr) fits = explore::may_enumerate(*prepared->strategy, *world);
    if (fits && options.guide) fits = explore::check_guide(*world, *options.guide);
  });
  if (!failure.empty()) return Error{"the subject cannot be run: " + failure};
  if (!fits) return fits.error();
  return std::move(prepared->options);
}

}  // namespace ordeal
