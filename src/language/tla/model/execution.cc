#include <fmt/format.h>

#include "language/tla/model/follower.h"
#include "ordeal/tla.h"

namespace ordeal::tla {

struct Execution::Body {
  std::unique_ptr<Follower> follower;
  std::vector<FollowedAction> commands;
};

Execution::Execution(std::unique_ptr<Body> body) : body_(std::move(body)) {}
Execution::Execution(Execution&&) noexcept = default;
Execution& Execution::operator=(Execution&&) noexcept = default;
Execution::~Execution() = default;

Result<Execution> Execution::open(const Options& options) {
  LoadOptions load;
  load.path = options.path;
  load.config = options.config;
  load.constants = options.constants;
  load.libraries = options.libraries;
  Result<std::shared_ptr<Specification>> specification = Specification::load(load);
  if (!specification) return specification.error();
  auto follower = Follower::make(*std::move(specification), options.key);
  if (!follower) return follower.error();
  auto body = std::make_unique<Body>();
  body->follower = *std::move(follower);
  return Execution(std::move(body));
}

std::vector<Execution::Action> Execution::actions() const {
  std::vector<Action> out;
  for (const NamedAction& one : body_->follower->ways().actions()) {
    out.push_back({one.name, one.parameters, one.witnesses});
  }
  return out;
}

Result<Execution::Command> Execution::find(const std::string& action,
                                           const std::map<std::string, std::string>& arguments) {
  std::vector<std::pair<std::string, std::vector<Value>>> values;
  for (const auto& [name, text] : arguments) {
    const Result<Value> value = body_->follower->constant(text);
    if (!value) return Error{fmt::format("argument {}: {}", name, value.error().message)};
    values.push_back({name, {*value}});
  }
  Result<FollowedAction> found = body_->follower->find(action, std::move(values));
  if (!found) return found.error();
  Command out;
  out.number_ = body_->commands.size();
  body_->commands.push_back(*std::move(found));
  return out;
}

Result<Execution::Visit> Execution::take(Command command) {
  if (command.number_ >= body_->commands.size()) {
    return Error{"this command was found by another execution"};
  }
  const Result<Followed> followed = body_->follower->take(body_->commands[command.number_]);
  if (!followed) return followed.error();
  return Visit{followed->taken, followed->unique, body_->follower->key()};
}

Result<void> Execution::reset(size_t initial) { return body_->follower->reset(initial); }

int64_t Execution::key() const { return body_->follower->key(); }

std::string Execution::state() const { return body_->follower->text(); }

value::Tree Execution::tree() const { return body_->follower->tree(); }

Result<std::string> Execution::evaluate(const std::string& expression) {
  const auto compiled = body_->follower->specification().expression(expression);
  if (!compiled) return compiled.error();
  const Result<Value> value = body_->follower->evaluate(**compiled);
  if (!value) return value.error();
  return to_text(*value);
}

Result<std::vector<std::string>> Execution::violated() { return body_->follower->violated(); }

Result<std::vector<Execution::State>> Execution::run(const std::vector<Event>& events) {
  std::vector<State> out;
  const auto show = [&](bool taken, bool unique) {
    out.push_back({state(), key(), taken, unique});
  };
  if (Result<void> done = reset(); !done) return done.error();
  show(true, true);
  for (size_t i = 0; i < events.size(); ++i) {
    const auto fail = [&](const Error& error) {
      return Error{fmt::format("event {}: {}", i + 1, error.message)};
    };
    if (events[i].reset) {
      if (Result<void> done = reset(); !done) return fail(done.error());
      if (i + 1 < events.size()) show(true, true);
      continue;
    }
    const Result<Command> command = find(events[i].name, events[i].arguments);
    if (!command) return fail(command.error());
    const Result<Visit> visit = take(*command);
    if (!visit) return fail(visit.error());
    show(visit->taken, visit->unique);
  }
  return out;
}

}  // namespace ordeal::tla
