#include "serve/model_service.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "language/tla/model/json_value.h"
#include "trace/json_read.h"

namespace ordeal::serve {
namespace {

constexpr size_t kMostEvents = 100'000;

// As the clients write it, or in lower case.
trace::Place field(const trace::Place& event, const char* name, const char* lower) {
  return event[name].absent() ? event[lower] : event[name];
}

struct AskedEvent {
  std::string name;
  Json parameters;
  bool reset = false;
};

Result<std::vector<AskedEvent>> read_events(const std::string& body) {
  const Result<Json> json = trace::parse_json(body, "a request");
  if (!json) return json.error();
  std::optional<Error> error;
  const trace::Place root(*json, "", error, "the request");
  std::vector<AskedEvent> out;
  if (!json->is_array()) root.fail("a list of events");
  root.each([&](const trace::Place& place, size_t) {
    AskedEvent& event = out.emplace_back();
    event.name = field(place, "Name", "name").text_or_empty();
    const trace::Place parameters = field(place, "Params", "params");
    parameters.each_field([](const std::string&, const trace::Place&) {});
    event.parameters = parameters.json();
    const trace::Place reset = field(place, "Reset", "reset");
    if (!reset.absent() && !reset.json().is_boolean()) reset.fail("true or false");
    event.reset = reset.json().is_boolean() && reset.json().get<bool>();
  });
  if (error) return *error;
  return out;
}

}  // namespace

// One request: events followed from the initial state.
class ModelService::Run {
 public:
  Run(const ModelSetup& setup, tla::Follower& follower) : setup_(setup), follower_(follower) {}

  // An Error: some expression has no value.
  Result<Json> follow(const std::vector<AskedEvent>& events) {
    if (Result<void> done = follower_.reset(); !done) return done.error();
    if (Result<void> seen = see(); !seen) return seen.error();
    for (size_t i = 0; i < events.size(); ++i) {
      const Result<void> done =
          events[i].reset ? begin_again(i, i + 1 == events.size()) : take(events[i], i);
      if (!done) {
        return Error{
            fmt::format("event {} ({}): {}", i, one_line(events[i].name), done.error().message)};
      }
    }
    Json out = {{"states", std::move(states_)}, {"keys", std::move(keys_)}};
    out["events"] = std::move(events_);
    out["violated"] = std::move(violated_);
    return out;
  }

 private:
  Result<void> begin_again(size_t number, bool is_last) {
    if (Result<void> done = follower_.reset(); !done) return done.error();
    Json& event = events_.emplace_back(Json{{"event", number}, {"outcome", "reset"}});
    if (is_last) return {};  // for whoever comes next
    first_of_run_ = keys_.size();
    if (Result<void> seen = see(); !seen) return seen.error();
    event["state"] = keys_.size() - 1;
    return {};
  }

  Result<void> take(const AskedEvent& event, size_t number) {
    Json told = {{"event", number}, {"name", event.name}};
    Result<tla::FollowedAction> action = find(event, told);
    if (!action) {
      told["outcome"] = "skipped";
      told["why"] = action.error().message;
      told["state"] = keys_.size() - 1;
      events_.push_back(std::move(told));
      return {};
    }
    const Result<tla::Followed> followed = follower_.take(*action);
    if (!followed) return followed.error();
    if (Result<void> seen = see(); !seen) return seen.error();
    told["outcome"] = followed->taken ? "taken" : "stuttered";
    told["state"] = keys_.size() - 1;
    if (!followed->unique) told["unique"] = false;
    if (followed->outside >= 0) {
      const auto at = static_cast<size_t>(followed->outside);
      told["why"] = fmt::format("{} = {} is not in the set that it is chosen from",
                                action->names[at], line(told["arguments"][action->names[at]]));
    } else if (!followed->taken) {
      told["why"] = "the action is not enabled in this state";
    }
    events_.push_back(std::move(told));
    return {};
  }

  // As it is called, or what the rules say that it stands for.
  Result<tla::FollowedAction> find(const AskedEvent& event, Json& told) {
    std::vector<std::pair<std::string, Json>> arguments;
    for (const auto& [name, value] : event.parameters.items()) {
      if (!value.is_null()) arguments.emplace_back(name, value);
    }
    Result<tla::FollowedAction> direct = look_up(event.name, arguments, told);
    if (direct) return direct;
    for (const EventRules* rules : {&setup_.rules, &EventRules::built_in()}) {
      const Result<std::optional<MappedEvent>> mapped = rules->map(event.name, event.parameters);
      if (!mapped) return has_action(event.name) ? direct : mapped.error();
      if (!*mapped || !has_action((*mapped)->action)) continue;
      return look_up((*mapped)->action, by_their_names((*mapped)->action, (*mapped)->arguments),
                     told);
    }
    return direct;
  }

  bool has_action(const std::string& name) const { return follower_.ways().find(name, {}).ok(); }

  // Where the model calls its parameters otherwise, they are meant in their order.
  std::vector<std::pair<std::string, Json>> by_their_names(
      const std::string& action, std::vector<std::pair<std::string, Json>> arguments) const {
    const std::vector<tla::NamedAction>& all = follower_.ways().actions();
    const auto known =
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == action; });
    if (known == all.end() || known->parameters.size() != arguments.size()) return arguments;
    for (size_t i = 0; i < arguments.size(); ++i) {
      const auto at =
          std::find(known->parameters.begin(), known->parameters.end(), arguments[i].first);
      if (at != known->parameters.end() && at - known->parameters.begin() != static_cast<long>(i)) {
        return arguments;
      }
    }
    for (size_t i = 0; i < arguments.size(); ++i) arguments[i].first = known->parameters[i];
    return arguments;
  }

  Result<tla::FollowedAction> look_up(const std::string& name,
                                      const std::vector<std::pair<std::string, Json>>& arguments,
                                      Json& told) {
    std::vector<std::pair<std::string, std::vector<tla::Value>>> values;
    Json shown = Json::object();
    for (const auto& [argument, json] : arguments) {
      values.emplace_back(argument, std::vector<tla::Value>());
      shown[argument] = json;
    }
    Result<tla::FollowedAction> found = follower_.find(name, std::move(values));
    if (!found) return found;
    // Texts of what is not asked for become no values.
    for (size_t i = 0; i < arguments.size(); ++i) {
      found->values[i] = tla::values_of_json(heap_, arguments[i].second);
    }
    told["action"] = name;
    told["arguments"] = std::move(shown);
    return found;
  }

  // Consecutive states with one key of the user's are one.
  Result<void> see() {
    const int64_t key = follower_.key();
    if (!setup_.key.empty() && keys_.size() > first_of_run_ && keys_.back() == key) return {};
    states_.push_back(follower_.text());
    keys_.push_back(key);
    const Result<std::vector<std::string>> violated = follower_.violated();
    if (!violated) return violated.error();
    for (const std::string& name : *violated) {
      violated_.push_back({{"state", keys_.size() - 1}, {"invariant", name}});
    }
    return {};
  }

  const ModelSetup& setup_;
  tla::Follower& follower_;
  tla::Heap heap_;
  std::vector<std::string> states_;
  std::vector<int64_t> keys_;
  size_t first_of_run_ = 0;
  Json events_ = Json::array();
  Json violated_ = Json::array();
};

ModelService::ModelService(ModelSetup setup, Door door)
    : setup_(std::move(setup)), gate_(std::move(door)) {}

Result<std::unique_ptr<ModelService>> ModelService::make(ModelSetup setup, Door door) {
  std::unique_ptr<ModelService> out(new ModelService(std::move(setup), std::move(door)));
  auto follower = out->borrow();
  if (!follower) return follower.error();
  out->give_back(*std::move(follower));
  return out;
}

Result<std::unique_ptr<tla::Follower>> ModelService::borrow() {
  const std::lock_guard lock(mutex_);
  if (!idle_.empty()) {
    std::unique_ptr<tla::Follower> out = std::move(idle_.back());
    idle_.pop_back();
    return out;
  }
  // While the lock is held: expressions are compiled by one thread at a time.
  return tla::Follower::make(setup_.specification, setup_.key);
}

void ModelService::give_back(std::unique_ptr<tla::Follower> follower) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(follower));
}

std::optional<Answer> ModelService::refuse(const Ask& ask) const {
  std::optional<Answer> refused = gate_.refuse(ask);
  if (refused) add_safety_headers(kNothingAllowed, *refused);
  return refused;
}

Answer ModelService::handle(const Ask& ask) {
  if (std::optional<Answer> refused = refuse(ask)) return *std::move(refused);
  Answer out = route(ask);
  add_safety_headers(kNothingAllowed, out);
  return out;
}

Answer ModelService::route(const Ask& ask) {
  if (ask.path == "/execute") {
    if (ask.method == "POST") return execute(ask);
    Answer out = problem(405, "events are sent with POST");
    out.headers["Allow"] = "POST";
    return out;
  }
  if (ask.path == "/actions" && ask.method != "POST") return actions();
  return problem(404, fmt::format("there is no {}; there are POST /execute and GET /actions",
                                  cut_to(one_line(ask.path), 100)));
}

Answer ModelService::execute(const Ask& ask) {
  const Result<std::vector<AskedEvent>> events = read_events(ask.body);
  if (!events) return problem(400, events.error().message);
  if (events->size() > kMostEvents) {
    return problem(413, fmt::format("there are {} events; a request may have {}",
                                    grouped(events->size()), grouped(kMostEvents)));
  }
  Result<std::unique_ptr<tla::Follower>> follower = borrow();
  if (!follower) return problem(500, follower.error().message);
  const Result<Json> followed = Run(setup_, **follower).follow(*events);
  give_back(*std::move(follower));
  return followed ? answer(*followed) : problem(500, followed.error().message);
}

Answer ModelService::actions() {
  Result<std::unique_ptr<tla::Follower>> follower = borrow();
  if (!follower) return problem(500, follower.error().message);
  Json out = {{"specification", setup_.specification->name()}, {"actions", Json::array()}};
  for (const tla::NamedAction& one : (*follower)->ways().actions()) {
    out["actions"].push_back(
        {{"name", one.name}, {"parameters", one.parameters}, {"witnesses", one.witnesses}});
  }
  give_back(*std::move(follower));
  return answer(out);
}

}  // namespace ordeal::serve
