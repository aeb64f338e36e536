#include "system/opaque/opaque_world.h"

#include <unistd.h>

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/guard.h"
#include "base/hash.h"
#include "base/watch.h"
#include "ordeal/value.h"
#include "system/actor/space.h"
#include "system/opaque/opaque_explorer.h"
#include "system/opaque/wire_event.h"
#include "system/opaque/worker.h"

namespace ordeal::actor {
namespace {

// What the checker asks a worker.
enum class Command : uint8_t {
  kReset,
  kApply,
  kAnswer,
  kJudge,
  kExplain,
  kAction,
  kEffects,
  kObserve,
  kTouch,
  kOffers,
  kEvents,
  kOnItsWay,
  kAmend,
  kHolds,
  kDistance,
  kColours
};

struct Request {
  Command command = Command::kReset;
  uint32_t number = 0;  // action, answer, property
  bool terminal = false;
  std::vector<WireChange> changes = {};  // kAmend
  std::string text = {};  // kHolds, kDistance: the predicate; kColours: the colouring
};

// Where the run stands after a reset, an action or an answer.
struct Standing {
  std::string failure;
  uint32_t asking = 0;  // n: the subject waits in choose(n)
  int asking_node = -1;
  uint64_t fingerprint = 0;
  uint64_t digest = 0;
  bool within = true;
  uint64_t handler_calls = 0;
  std::string collision;
  std::vector<Choice> enabled;
  std::vector<Sorts::TimerOf> timers;  // that were set for the first time
  std::vector<Sorts::Ran> ran;         // what ran that is no step of its own
};

struct Explanation {
  bool ok = true;
  std::string why;
  std::vector<int> nodes;
};

template <class T>
std::string encode(const T& value) {
  std::string bytes;
  value::write(value, bytes);
  return bytes;
}

template <class T>
bool decode(std::string_view bytes, T& out) {
  return value::read(bytes, out);
}

// The worker's side: owns the opaque objects.
class Server {
 public:
  Server(const std::shared_ptr<ActorSpace>& space, Line& line)
      : line_(line),
        wire_(space->declaration()),
        sorts_(space->step_sorts()),
        explorer_(space, [this](uint32_t n) { return ask(n); }) {
    explorer_.watch_properties();
  }

  void serve() {
    std::string bytes;
    Request request;
    while (line_.receive(bytes) && decode(bytes, request)) {
      if (!line_.send(answer(request))) return;
    }
  }

 private:
  // In the middle of a handler: the checker picks the answer.
  uint32_t ask(uint32_t n) {
    const Unwatched waiting;
    Standing standing;
    standing.asking = n;
    standing.asking_node = explorer_.running_node();
    std::string bytes;
    Request request;
    if (!line_.send(encode(standing)) || !line_.receive(bytes) || !decode(bytes, request) ||
        request.command != Command::kAnswer) {
      end_process(0);  // the checker is gone or has given this run up
    }
    return request.number;
  }

  std::string answer(const Request& request) {
    switch (request.command) {
      case Command::kReset:
        failure_ = explorer_.restart();
        ++handler_calls_;
        return encode(standing());
      case Command::kApply:
        failure_ = explorer_.take(enabled_[request.number]);
        ++handler_calls_;
        return encode(standing());
      case Command::kJudge: {
        Judgement judgement;
        static_cast<Explorer&>(explorer_).judge(explorer_.state(), request.terminal, judgement);
        return encode(judgement);
      }
      case Command::kExplain: {
        const Outcome outcome =
            explorer_.explain(explorer_.state(), request.terminal, request.number);
        return encode(Explanation{outcome.ok(), outcome.why(), outcome.nodes()});
      }
      case Command::kAction:
        return encode(explorer_.live_action(enabled_[request.number]));
      case Command::kEffects: {
        StepDetail detail;
        explorer_.add_effects(detail);
        return encode(detail);
      }
      case Command::kObserve:
        return encode(explorer_.observe(explorer_.state()));
      case Command::kTouch: {
        Footprint touch;
        explorer_.footprint(explorer_.state(), enabled_[request.number], touch);
        return encode(touch);
      }
      case Command::kOffers: {
        std::vector<Offer> offers;
        for (const Choice& choice : enabled_) {
          offers.push_back(explorer_.offer(explorer_.state(), choice));
        }
        return encode(offers);
      }
      case Command::kEvents:
      case Command::kOnItsWay:
        return encode(tell(request.command));
      case Command::kAmend: {
        std::vector<Amendment> changes;
        for (const WireChange& change : request.changes) changes.push_back(wire_.read(change));
        explorer_.amend_state(changes);
        return encode(standing());
      }
      case Command::kHolds:
      case Command::kDistance: {
        const std::optional<uint32_t> number = number_of(request.text);
        if (request.command == Command::kHolds) {
          return encode(number && explorer_.holds(explorer_.state(), *number));
        }
        const auto far =
            number ? explorer_.distance(explorer_.state(), *number) : std::optional<uint32_t>();
        return encode(far ? uint64_t{*far} + 1 : uint64_t{0});
      }
      case Command::kColours: {
        std::vector<uint64_t> colours;
        const Result<uint32_t> colouring = explorer_.colouring(request.text);
        if (colouring) explorer_.colours(explorer_.state(), *colouring, colours);
        return encode(colours);
      }
      case Command::kAnswer:
        break;
    }
    return "";
  }

  // None: there is no such predicate; the checker has seen that there is one.
  std::optional<uint32_t> number_of(const std::string& text) {
    const auto known = predicates_.find(text);
    if (known != predicates_.end()) return known->second;
    const Result<uint32_t> predicate = explorer_.predicate(text);
    if (!predicate) return std::nullopt;
    predicates_.emplace(text, *predicate);
    return *predicate;
  }

  std::vector<WireEvent> tell(Command command) {
    std::vector<ordeal::Event> events;
    if (command == Command::kEvents) {
      explorer_.last_events(events);
    } else {
      explorer_.on_its_way(explorer_.state(), events);
    }
    std::vector<WireEvent> out;
    for (const ordeal::Event& event : events) out.push_back(wire_.write(event));
    return out;
  }

  Standing standing() {
    Standing out;
    out.failure = failure_;
    out.handler_calls = handler_calls_;
    out.collision = explorer_.collision();
    if (!failure_.empty()) return out;
    out.fingerprint = explorer_.current_fingerprint();
    out.digest = explorer_.current_digest();
    out.within = explorer_.within(explorer_.state());
    enabled_.clear();
    explorer_.enumerate(explorer_.state(), enabled_);
    out.enabled = enabled_;
    out.timers = sorts_.timers(timers_told_);
    timers_told_ += out.timers.size();
    out.ran = sorts_.ran_since(ran_told_);
    return out;
  }

  Line& line_;
  EventWire wire_;
  Sorts& sorts_;
  size_t timers_told_ = 0;
  std::vector<uint8_t> ran_told_;
  OpaqueExplorer explorer_;
  std::map<std::string, uint32_t> predicates_;
  std::vector<Choice> enabled_;
  std::string failure_;
  uint64_t handler_calls_ = 0;
};

// The checker's side.
class OpaqueWorld : public World {
  static constexpr uint32_t kStart = ~0U;  // in place of the index of an action

 public:
  OpaqueWorld(std::shared_ptr<const detail::Declaration> declaration,
              std::vector<Property> properties)
      : declaration_(std::move(declaration)),
        properties_(std::move(properties)),
        wire_(*declaration_),
        sorts_(*declaration_) {}

  const std::vector<Property>& properties() const override { return properties_; }
  uint32_t initial_count() override { return 1; }

  Result<void> reset(uint32_t initial) override {
    if (initial != 0) return Error{"a system with opaque nodes has one initial state"};
    // A worker that waits in the middle of a handler cannot go back: it is given up.
    if (standing_.asking > 0) worker_.reset();
    standing_ = {};
    snapshot_ = nobody_started();
    begin_step(kStart);
    stepped_ = false;
    if (!worker_) {
      auto started = Worker::start([this](Line& line) {
        Server(std::make_shared<ActorSpace>(declaration_, properties_), line).serve();
      });
      if (!started) return started.error();
      worker_.emplace(std::move(*started));
      timers_.clear();
    }
    return stand(call({Command::kReset, 0, false}), "while the nodes started");
  }

  const std::vector<Choice>& enabled() override { return standing_.enabled; }

  Result<void> apply(uint32_t index) override {
    const bool answering = standing_.asking > 0;
    stepped_ = true;
    if (answering) {
      way_.fingerprint = combine(way_.fingerprint, index + 1);
      way_.digest = combine(way_.digest, index + 1);
    } else {
      begin_step(index);
    }
    return stand(call({answering ? Command::kAnswer : Command::kApply, index, false}), "");
  }

  uint64_t fingerprint() override { return standing_.fingerprint; }
  bool within() override { return standing_.within; }

  void judge(bool terminal, Judgement& out) override {
    if (standing_.asking > 0) return;  // in the middle of a handler there is no state to judge
    const auto reply = call({Command::kJudge, 0, terminal});
    if (reply) decode(*reply, out);
  }

  Outcome explain(bool terminal, uint32_t property) override {
    Explanation explanation;
    if (standing_.asking > 0 || property == kNoFailure) return true;
    const auto reply = call({Command::kExplain, property, terminal});
    if (!reply || !decode(*reply, explanation) || explanation.ok) return true;
    Outcome outcome = violated(explanation.why);
    for (int node : explanation.nodes) outcome = std::move(outcome).node(node);
    return outcome;
  }

  Action action(uint32_t index) override {
    Action out;
    if (standing_.asking > 0) {
      out.kind = ActionKind::kChoose;
      out.node = standing_.asking_node;
      out.type = std::to_string(index) + " of " + std::to_string(standing_.asking);
      return out;
    }
    const auto reply = call({Command::kAction, index, false});
    if (reply) decode(*reply, out);
    return out;
  }

  StepDetail detail(uint32_t index) override {
    StepDetail out;
    out.action = action(index);
    return out;
  }

  // In the middle of a handler everything depends on the answer.
  void footprint(uint32_t index, Footprint& out) override {
    out.clear();
    out.everything = true;
    if (standing_.asking > 0) return;
    const auto reply = call({Command::kTouch, index, false});
    if (!reply || !decode(*reply, out)) out.everything = true;
  }
  uint64_t key(uint32_t index) override { return value::hash(show(action(index))); }

  void after_step(StepDetail& detail) override {
    StepDetail effects;
    if (standing_.asking > 0) return;
    const auto reply = call({Command::kEffects, 0, false});
    if (!reply || !decode(*reply, effects)) return;
    effects.action = std::move(detail.action);
    detail = std::move(effects);
  }

  Snapshot observe() override {
    if (standing_.asking == 0) {
      const auto reply = call({Command::kObserve, 0, false});
      if (reply) decode(*reply, snapshot_);
    }
    snapshot_.digest = standing_.digest;
    return snapshot_;
  }

  SpaceStatistics statistics() const override {
    SpaceStatistics out;
    out.handler_calls = standing_.handler_calls;
    out.collision = collision_;
    return out;
  }

  std::vector<StepSort> sorts() const override { return sorts_.all(); }

  Offer offer(uint32_t index) override {
    if (standing_.asking > 0) return World::offer(index);
    if (offers_.empty()) {
      const auto reply = call({Command::kOffers, 0, false});
      if (!reply || !decode(*reply, offers_) || index >= offers_.size()) return {};
    }
    return offers_[index];
  }
  // In the middle of a handler nothing has happened yet: all of it comes with the last answer.
  void events(std::vector<ordeal::Event>& out) override {
    if (stepped_) listen(Command::kEvents, out);
  }
  void on_its_way(std::vector<ordeal::Event>& out) override { listen(Command::kOnItsWay, out); }
  void amend(std::span<const Amendment> changes) override {
    if (standing_.asking > 0) return;
    Request request{Command::kAmend, 0, false};
    for (const Amendment& change : changes) request.changes.push_back(wire_.write(change));
    // A worker that is gone is noticed by the next step.
    (void)stand(call(request), "");
  }

  // Each worker makes predicates ready for itself, by their texts.
  Result<uint32_t> predicate(const std::string& text) override {
    Result<uint32_t> known =
        std::make_shared<ActorSpace>(declaration_, properties_)->explorer()->predicate(text);
    if (!known) return known;
    predicates_.push_back(text);
    const std::string name = parse_predicate(text)->name;
    const auto& families = declaration_->predicates;
    graded_.push_back(std::any_of(families.begin(), families.end(), [&](const auto& one) {
      return one.family.name == name && one.family.graded;
    }));
    return static_cast<uint32_t>(predicates_.size() - 1);
  }
  bool holds(uint32_t predicate) override {
    if (standing_.asking > 0) return false;
    Request request{Command::kHolds, 0, false};
    request.text = predicates_[predicate];
    bool out = false;
    const auto reply = call(request);
    return reply && decode(*reply, out) && out;
  }
  // In the middle of a handler nothing is told of it.
  std::optional<uint32_t> distance(uint32_t predicate) override {
    if (standing_.asking > 0 || !graded_[predicate]) return std::nullopt;
    Request request{Command::kDistance, 0, false};
    request.text = predicates_[predicate];
    uint64_t out = 0;
    const auto reply = call(request);
    if (!reply || !decode(*reply, out) || out == 0) return std::nullopt;
    return static_cast<uint32_t>(out - 1);
  }
  Result<uint32_t> colouring(const std::string& name) override {
    Result<uint32_t> known =
        std::make_shared<ActorSpace>(declaration_, properties_)->explorer()->colouring(name);
    if (!known) return known;
    colourings_.push_back(name);
    return static_cast<uint32_t>(colourings_.size() - 1);
  }
  // In the middle of a handler: as before it began.
  void colours(uint32_t colouring, std::vector<uint64_t>& out) override {
    if (standing_.asking == 0) {
      Request request{Command::kColours, 0, false};
      request.text = colourings_[colouring];
      const auto reply = call(request);
      if (reply) decode(*reply, colours_);
    }
    out.insert(out.end(), colours_.begin(), colours_.end());
  }

 private:
  void listen(Command command, std::vector<ordeal::Event>& out) {
    if (standing_.asking > 0) return;
    const auto reply = call({command, 0, false});
    if (!reply || !decode(*reply, heard_)) return;
    for (const WireEvent& event : heard_) out.push_back(wire_.read(event));
  }

  Result<std::string> call(const Request& request) {
    if (!worker_) return Error{"the worker process is gone"};
    // One that does not answer is of no use any more, whether it is dead or nobody waits for it.
    Worker worker = *std::move(worker_);
    worker_.reset();
    Result<std::string> reply = worker.call(encode(request));
    if (reply) worker_.emplace(std::move(worker));
    return reply;
  }

  // In the middle of a handler there is no state. Where the run stands is told by the state before
  // the step, which action it is, and what was answered since.
  void begin_step(uint32_t index) {
    way_.fingerprint = combine(standing_.fingerprint, index);
    way_.digest = standing_.digest;
  }

  // The nodes before they have started, as far as that can be said without any.
  Snapshot nobody_started() const {
    Snapshot out;
    for (size_t i = 0; i < declaration_->nodes.size(); ++i) {
      const detail::NodeDeclaration& node = declaration_->nodes[i];
      Snapshot::Part part;
      part.node = declaration_->first_id + static_cast<int>(i);
      part.component = node.component;
      part.name = node.component ? node.name : "node " + std::to_string(part.node);
      part.type = std::string(node.type->name);
      out.parts.push_back(std::move(part));
    }
    return out;
  }

  Result<void> stand(const Result<std::string>& reply, const std::string& where) {
    Standing now;
    offers_.clear();
    if (!reply) {
      standing_ = {};
      return Error{"the process died" + (where.empty() ? "" : " " + where) + ": " +
                   reply.error().message};
    }
    if (!decode(*reply, now)) return Error{"the worker process sent nonsense"};
    standing_ = std::move(now);
    number_timers();
    for (const Sorts::Ran& ran : standing_.ran) sorts_.ran(ran.sort, ran.skipped);
    if (!standing_.collision.empty()) collision_ = standing_.collision;
    if (!standing_.failure.empty()) return Error{standing_.failure};
    if (standing_.asking > 0) {
      standing_.fingerprint = combine(way_.fingerprint, standing_.asking);
      standing_.digest = combine(way_.digest, standing_.asking);
      standing_.enabled.assign(standing_.asking, Choice{ActionKind::kChoose, true});
    }
    return {};
  }

  // Every worker numbers the sorts of its timers as it meets them.
  void number_timers() {
    for (const Sorts::TimerOf& timer : standing_.timers) {
      timers_.push_back(sorts_.of_timer(timer));
    }
    for (Choice& choice : standing_.enabled) {
      if (choice.sort >= sorts_.first_timer()) {
        choice.sort = timers_[choice.sort - sorts_.first_timer()];
      }
    }
  }

  std::shared_ptr<const detail::Declaration> declaration_;
  std::vector<Property> properties_;
  EventWire wire_;
  Sorts sorts_;
  std::vector<uint16_t> timers_;  // sorts, by what the worker numbers them
  std::optional<Worker> worker_;
  Standing standing_;
  Snapshot snapshot_;
  std::vector<Offer> offers_;            // of the enabled actions; empty until asked for
  std::vector<WireEvent> heard_;         // what the last events refer to
  std::vector<std::string> predicates_;  // by number
  std::vector<bool> graded_;
  std::vector<std::string> colourings_;
  std::vector<uint64_t> colours_;  // as they were last
  struct Way {
    uint64_t fingerprint = 0;
    uint64_t digest = 0;
  };
  Way way_;  // of the step that is being taken
  std::string collision_;
  bool stepped_ = false;
};

}  // namespace

std::unique_ptr<World> opaque_world(std::shared_ptr<const detail::Declaration> declaration,
                                    std::vector<Property> properties) {
  return std::make_unique<OpaqueWorld>(std::move(declaration), std::move(properties));
}

}  // namespace ordeal::actor
