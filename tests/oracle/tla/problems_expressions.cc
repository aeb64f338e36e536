#include <fmt/format.h>

#include <fstream>
#include <optional>

#include "language/tla/model/specification.h"
#include "language/tla/syntax/parse.h"
#include "tests/oracle/tla/naive_eval.h"
#include "tests/oracle/tla/problems.h"
#include "tests/oracle/tla/random_expressions.h"
#include "tests/tools/cli/folder.h"

namespace ordeal::oracle::naive {
namespace {

// A value, or why there is none.
struct Said {
  std::optional<Val> value;
  std::string why;
  bool unread = false;

  std::string text() const { return value ? text_of(*value) : "no value: " + why; }
};

class EngineSide {
 public:
  static Result<std::unique_ptr<EngineSide>> load(const std::string& path, size_t definitions) {
    tla::LoadOptions options;
    options.path = path;
    auto loaded = tla::Specification::load(options);
    if (!loaded) return loaded.error();
    std::unique_ptr<EngineSide> out(new EngineSide);
    out->spec_ = *loaded;
    for (size_t i = 1; i <= definitions; ++i) {
      auto expression = out->spec_->expression(fmt::format("D{}", i));
      if (!expression) return expression.error();
      out->expressions_.push_back(*expression);
    }
    out->machine_ = std::make_unique<tla::Machine>(
        out->spec_->variables().size(), out->spec_->compiler().constants(), out->spec_->host());
    out->spec_->prepare(*out->machine_);
    return out;
  }

  Said value(size_t definition, const std::vector<Val>& state) {
    Said out;
    heap_.clear();
    try {
      std::vector<tla::Value> now;
      for (const Val& value : state) now.push_back(to_engine(heap_, value));
      machine_->use(heap_);
      machine_->now = now.data();
      machine_->next = nullptr;
      const tla::Compiler::Closed& closed = expressions_[definition - 1]->closed;
      const tla::Value value =
          closed.node->eval(*machine_, machine_->frame(nullptr, closed.layout->slots));
      const tla::Value normal = tla::deep_normal(heap_, value);
      out.value = from_engine(normal);
      printed_ = tla::to_text(normal);
    } catch (const tla::EvalError& error) {
      out.why = error.message;
    } catch (const NoValue& error) {
      out.why = error.why;
    }
    return out;
  }

  // The value that was printed last, read again.
  Said read_again() {
    Said out;
    auto expression = spec_->expression(printed_);
    if (!expression) {
      out.why = expression.error().message;
      return out;
    }
    machine_->grow_constants(spec_->compiler().constants());
    const tla::Compiler::Closed& closed = (*expression)->closed;
    try {
      out.value = from_engine(tla::deep_normal(
          heap_, closed.node->eval(*machine_, machine_->frame(nullptr, closed.layout->slots))));
    } catch (const tla::EvalError& error) {
      out.why = error.message;
    }
    return out;
  }

 private:
  std::shared_ptr<tla::Specification> spec_;
  std::vector<std::shared_ptr<tla::Specification::Expression>> expressions_;
  std::unique_ptr<tla::Machine> machine_;
  tla::Heap heap_;
  std::string printed_;
};

Said said_by(Evaluator& naive, const std::string& name, const State& state) {
  Said out;
  try {
    out.value = naive.value_of(name, {&state, nullptr});
    text_of(*out.value);
  } catch (const NoValue& error) {
    out.why = error.why;
    out.unread = error.unread;
  }
  return out;
}

bool agree(const Said& naive, const Said& engine) {
  if (naive.value.has_value() != engine.value.has_value()) return false;
  return !naive.value || text_of(*naive.value) == text_of(*engine.value);
}

std::string problem_with_module(uint64_t seed, const std::string& folder, Tally& tally) {
  const ExpressionModule made = random_expressions(seed);
  const std::string path = folder + "/Expressions.tla";
  std::ofstream(path) << made.text;
  std::ofstream(folder + "/Expressions.cfg")
      << "CONSTANTS m1 = m1 m2 = m2 m3 = m3\nINIT Init\nNEXT Next\n";
  tla::Sources sources;
  Result<tla::Module> module = tla::parse_module(sources, sources.add(path, made.text));
  if (!module) return module.error().message;
  Evaluator naive({&*module},
                  {{"m1", Val::model("m1")}, {"m2", Val::model("m2")}, {"m3", Val::model("m3")}});
  Result<std::unique_ptr<EngineSide>> engine = EngineSide::load(path, made.definitions);
  if (!engine) return engine.error().message;
  for (size_t definition = 1; definition <= made.definitions; ++definition) {
    for (size_t state = 1; state <= made.states; ++state) {
      ++tally.cases;
      const std::string name = fmt::format("D{}", definition);
      std::vector<Val> values;
      is_sequence(naive.value_of(fmt::format("State{}", state), {}), &values);
      const State now(values.begin(), values.end());
      Said slow;
      try {
        slow = said_by(naive, name, now);
      } catch (const TooMuch&) {
        ++tally.skipped;
        continue;
      }
      if (slow.value &&
          (slow.value->is(Val::Kind::kEndlessSet) || slow.value->is(Val::Kind::kEndlessFunction))) {
        ++tally.skipped;
        continue;
      }
      const Said quick = (*engine)->value(definition, values);
      if (!slow.value && slow.unread && quick.value) {
        ++tally.skipped;
        continue;
      }
      ++(slow.value ? tally.values : tally.without_value);
      if (!agree(slow, quick)) {
        return fmt::format("module {}, {} in state {}: {}\nwhere it should be\n{}", seed, name,
                           state, quick.text(), slow.text());
      }
      if (quick.value && state == 1) {
        const Said again = (*engine)->read_again();
        if (!agree(slow, again)) {
          return fmt::format("module {}, {}: what is printed reads as {}\nwhere it should be\n{}",
                             seed, name, again.text(), slow.text());
        }
      }
    }
  }
  for (const auto& [what, count] : naive.seen) tally.seen[what] += count;
  return "";
}

}  // namespace

std::string problem_with_expressions(uint64_t first_seed, uint64_t modules, Tally& tally) {
  const e2e::Folder folder;
  for (uint64_t seed = first_seed; seed < first_seed + modules; ++seed) {
    if (std::string problem = problem_with_module(seed, folder.path(), tally); !problem.empty()) {
      return problem;
    }
  }
  return "";
}

}  // namespace ordeal::oracle::naive
