// Which action of a model an event of an implementation stands for: a list of rules as JSON.
//
//   {"event": "DeliverMessage", "where": {"type": "MsgVote"}, "action": "HandleRequestVoteRequest",
//    "arguments": {"i": "to", "j": "from", "term": "term"}}
//
// The first rule that fits counts. `where`: parameters of the event that must have this value;
// nothing, null and an empty list are the same. `arguments`: what is bound, and the parameter of
// the event that says to what: "entries.0.Term" goes into lists and objects, "!reject" is the
// contrary, "entries.0.Data|0" has a value for where there is none.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/result.h"
#include "serve/ask.h"

namespace ordeal::serve {

struct MappedEvent {
  std::string action;
  std::vector<std::pair<std::string, Json>> arguments;
};

class EventRules {
 public:
  // Those that clients of ModelFuzz rely on: Raft, and the micro benchmark.
  static const EventRules& built_in();
  // `name`: of the file, for errors.
  static Result<EventRules> parse(const std::string& text, const std::string& name);

  // Nothing: no rule fits. An Error: one does, and the event lacks what it needs.
  Result<std::optional<MappedEvent>> map(const std::string& event, const Json& parameters) const;

 private:
  struct Source {
    std::vector<std::string> path;
    bool negated = false;
    std::optional<Json> fallback;
    std::string text;
  };
  struct Rule {
    std::string event;
    std::vector<std::pair<std::string, Json>> where;
    std::string action;
    std::vector<std::pair<std::string, Source>> arguments;
  };
  static Source source_of(const std::string& text);

  std::vector<Rule> rules_;
};

}  // namespace ordeal::serve
