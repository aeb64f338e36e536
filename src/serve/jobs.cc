#include "serve/jobs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "explore/strategy/strategy.h"
#include "serve/job_work.h"

namespace ordeal::serve {
namespace {

constexpr size_t kMostRunning = 4;
constexpr size_t kMostKept = 20;

double read_seconds(const trace::Place& place) {
  if (place.absent()) return 0;
  if (!place.json().is_number() || place.json() < 0 || place.json() > 1e9) {
    place.fail("a number of seconds, at least 0");
    return 0;
  }
  return place.json();
}

bool read_flag(const trace::Place& place) {
  if (!place.absent() && !place.json().is_boolean()) place.fail("true or false");
  return place.json() == true;
}

// As text; none: it is not given.
std::optional<std::string> read_value(const explore::StrategyOption& option,
                                      const trace::Place& place) {
  const Json& json = place.json();
  if (place.absent() || (option.zero_is_none && json == 0)) return std::nullopt;
  switch (option.kind) {
    case explore::StrategyOption::Kind::kNumber:
      return std::to_string(place.number<uint64_t>(option.least, option.most));
    case explore::StrategyOption::Kind::kReal:
      if (json.is_number() && json >= option.from && json <= option.to) return json.dump();
      place.fail(fmt::format("a number from {} to {}", option.from, option.to));
      return std::nullopt;
    case explore::StrategyOption::Kind::kFlag:
      return read_flag(place) ? "yes" : "no";
    case explore::StrategyOption::Kind::kText:
      return place.text();
    case explore::StrategyOption::Kind::kFile:
      place.fail("nothing: files of this machine are not for pages to name");
      return std::nullopt;
    case explore::StrategyOption::Kind::kWord:
      break;
  }
  const std::string word = place.text();
  const bool known =
      std::find(option.words.begin(), option.words.end(), word) != option.words.end();
  if (!known) place.fail(enumeration(option.words));
  return word;
}

Options read_options(const trace::Place& place) {
  Options options;
  options.states = true;
  if (place.absent()) return options;
  options.strategy = place["strategy"].text_or_empty();
  options.seed = place["seed"].number_or<uint64_t>(0, 0, UINT64_MAX);
  options.max_runs = place["max_runs"].number_or<uint64_t>(0, 0, UINT64_MAX);
  options.max_states = place["max_states"].number_or<uint64_t>(0, 0, UINT64_MAX);
  options.max_steps = place["max_steps"].number_or<uint64_t>(0, 0, UINT64_MAX);
  options.max_depth = place["max_depth"].count();
  options.max_seconds = read_seconds(place["max_seconds"]);
  options.keep_going = read_flag(place["keep_going"]);
  options.threads = place["threads"].number_or<int>(0, 0, 1024);
  for (const auto& [option, users] : explore::strategy_options()) {
    const std::optional<std::string> value = read_value(option, place[option.field.c_str()]);
    if (value && !place.failed()) option.set(*value, options);
  }
  if (!place["reduce"].absent()) options.reduce = place["reduce"].text();
  options.symmetry = read_flag(place["symmetry"]);
  options.require_coverage = read_flag(place["require_coverage"]);
  return options;
}

}  // namespace

Jobs::Jobs(const Suite& suite) : suite_(suite), jobs_(kMostKept) {}

Result<std::shared_ptr<Job>> Jobs::start(const trace::Place& asked) {
  const std::string kind = asked["kind"].text();
  if (kind == "check") return start_check(asked);
  if (kind == "scenarios") return start_scenarios(asked);
  asked["kind"].fail("\"check\" or \"scenarios\"");
  return Error{};
}

Result<std::shared_ptr<Job>> Jobs::start_check(const trace::Place& asked) {
  const Address address = read_address(asked["address"]);
  Options options = read_options(asked["options"]);
  if (asked.failed()) return Error{};
  Result<Chosen> chosen = choose(suite_, address, "address.");
  if (!chosen) return chosen.error();
  chosen->label(options);
  if (!address.way.choices.empty() || address.way.initial != 0) options.guide = address.way;
  // Mistakes are told at once, not by a job that fails.
  if (const auto fits = prepare(chosen->explored(), options); !fits) {
    return Error{"options: " + fits.error().message};
  }
  const std::string what = chosen->command_words +
                           (address.scenario.empty() ? "" : " under " + address.scenario) +
                           (options.strategy.empty() ? "" : " with " + options.strategy);
  auto shared = std::make_shared<Chosen>(*std::move(chosen));
  return add("check", what,
             [shared, options](Job& job) { return run_check(*shared, options, job); });
}

Result<std::shared_ptr<Job>> Jobs::start_scenarios(const trace::Place& asked) {
  const trace::Place more = asked["options"];
  Options options = read_options(more);
  std::string bug;
  if (!more.absent()) {
    bug = more["bug"].text_or_empty();
    if (bug == "none") bug.clear();
    options.max_runs = more["iterations"].number_or<uint64_t>(options.max_runs, 0, UINT64_MAX);
  }
  if (asked["names"].absent()) asked["names"].fail("a list of names, or [\"all\"]");
  std::vector<std::string> names = asked["names"].texts();
  if (asked.failed()) return Error{};
  if (names == std::vector<std::string>{"all"}) {
    names.clear();
    for (const SuiteScenario& one : suite_.scenarios()) names.push_back(one.name);
  }
  if (names.empty()) return Error{"names: there is none; give at least one, or [\"all\"]"};
  auto ready = std::make_shared<std::vector<Ready>>();
  for (const std::string& name : names) {
    const Result<const SuiteScenario*> declared = find_scenario(suite_, name);
    if (!declared) return Error{"names: " + declared.error().message};
    Result<Ready> one = make_ready(suite_, **declared, {{"bug", bug}});
    if (!one) return Error{"names: " + one.error().message};
    ready->push_back(*std::move(one));
  }
  const std::string what = names.size() == 1 ? names[0] : counted(names.size(), "scenario");
  return add("scenarios", what + (bug.empty() ? "" : " --bug " + bug),
             [ready, options](Job& job) { return run_scenarios(*ready, options, job); });
}

bool Jobs::full() const { return jobs_.running() >= kMostRunning; }

Result<std::shared_ptr<Job>> Jobs::add(const std::string& kind, const std::string& what,
                                       Job::Work work) {
  const std::shared_ptr<Job> job = jobs_.add([&](const std::string& id) {
    auto made = std::make_shared<Job>(id, kind, what);
    made->start(std::move(work));
    return made;
  });
  if (job == nullptr) return Error{"too many jobs are running"};
  return job;
}

void Jobs::stop() {
  for (const auto& job : all()) job->stop();
  for (const auto& job : all()) job->wait();
}

}  // namespace ordeal::serve
