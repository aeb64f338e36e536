#include "serve/event_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "trace/json_read.h"

namespace ordeal::serve {
namespace {

constexpr const char* kBuiltIn = R"([
{"event": "Timeout", "action": "Timeout", "arguments": {"i": "node"}},
{"event": "BecomeLeader", "action": "BecomeLeader", "arguments": {"i": "node"}},
{"event": "ClientRequest", "action": "ClientRequest", "arguments": {"i": "leader", "v": "request"}},
{"event": "Add", "action": "AddToActive", "arguments": {"i": "i"}},
{"event": "Remove", "action": "RemoveFromActive", "arguments": {"i": "i"}},
{"event": "MembershipChange", "where": {"action": "Add"}, "action": "AddToActive",
 "arguments": {"i": "node"}},
{"event": "MembershipChange", "where": {"action": "Remove"}, "action": "RemoveFromActive",
 "arguments": {"i": "node"}},
{"event": "UpdateSnapshot", "where": {"index": null}, "action": "UpdateSnapshotIndex",
 "arguments": {"i": "node", "si": "snapshot_index"}},
{"event": "UpdateSnapshot", "action": "UpdateSnapshotIndex",
 "arguments": {"i": "node", "si": "index"}},
{"event": "DeliverMessage", "where": {"type": "MsgVote"}, "action": "HandleRequestVoteRequest",
 "arguments": {"i": "to", "j": "from", "lTerm": "log_term", "lIndex": "index", "term": "term"}},
{"event": "DeliverMessage", "where": {"type": "MsgVoteResp"},
 "action": "HandleRequestVoteResponse",
 "arguments": {"i": "to", "j": "from", "term": "term", "grant": "!reject"}},
{"event": "DeliverMessage", "where": {"type": "MsgApp", "entries": []},
 "action": "HandleNilAppendEntriesRequest",
 "arguments": {"i": "to", "j": "from", "pLogIndex": "index", "pLogTerm": "log_term",
               "term": "term", "cIndex": "commit"}},
{"event": "DeliverMessage", "where": {"type": "MsgApp"}, "action": "HandleAppendEntriesRequest",
 "arguments": {"i": "to", "j": "from", "pLogIndex": "index", "pLogTerm": "log_term",
               "term": "term", "entryTerm": "entries.0.Term", "entryValue": "entries.0.Data|0",
               "cIndex": "commit"}},
{"event": "DeliverMessage", "where": {"type": "MsgAppResp"},
 "action": "HandleAppendEntriesResponse",
 "arguments": {"i": "to", "j": "from", "term": "term", "success": "!reject", "mIndex": "index"}},
{"event": "SendEvent", "where": {"event": "MicroBenchmark.RegisterWorkerEvent"},
 "action": "WorkerRegister", "arguments": {"w": "worker_id"}},
{"event": "SendEvent", "where": {"event": "MicroBenchmark.RegisterTerminatorEvent"},
 "action": "TerminatorRegister", "arguments": {}},
{"event": "ReceiveEvent", "where": {"event": "MicroBenchmark.ExecuteEvent"},
 "action": "WorkerRcvExecute", "arguments": {"w": "worker_id", "r": "request_id"}},
{"event": "ReceiveEvent", "where": {"event": "MicroBenchmark.TerminateEvent"},
 "action": "TerminatorRcvTerminate", "arguments": {"w": "worker_id"}},
{"event": "ReceiveEvent", "where": {"event": "MicroBenchmark.FlushEvent"},
 "action": "WorkerRcvFlush", "arguments": {"w": "worker_id"}},
{"event": "ReceiveEvent", "where": {"event": "MicroBenchmark.RequestEvent"},
 "action": "MasterRcvRequest", "arguments": {"w": "worker_id", "r": "request_id"}},
{"event": "ReceiveEvent", "where": {"event": "MicroBenchmark.RegisterWorkerEvent"},
 "action": "MasterRegisterWorker", "arguments": {"w": "worker_id"}},
{"event": "InvokedAction", "where": {"action": "HandleRegisterTerminator"},
 "action": "MasterRegisterTerminator", "arguments": {}}
])";

bool says_nothing(const Json& json) { return json.is_null() || (json.is_array() && json.empty()); }

const Json& field_of(const Json& json, const std::string& name) {
  static const Json kNone = nullptr;
  if (json.is_object()) {
    const auto at = json.find(name);
    return at == json.end() ? kNone : *at;
  }
  if (json.is_array() && !name.empty() && name.size() < 7 &&
      name.find_first_not_of("0123456789") == name.npos) {
    const size_t index = std::stoul(name);
    return index < json.size() ? json[index] : kNone;
  }
  return kNone;
}

}  // namespace

EventRules::Source EventRules::source_of(const std::string& text) {
  Source out;
  out.text = text;
  std::string path = text;
  if (const size_t bar = path.find('|'); bar != path.npos) {
    Json fallback = Json::parse(path.substr(bar + 1), nullptr, false);
    out.fallback = fallback.is_discarded() ? Json(path.substr(bar + 1)) : std::move(fallback);
    path.resize(bar);
  }
  out.negated = path.starts_with('!');
  if (out.negated) path.erase(0, 1);
  size_t at = 0;
  while (at <= path.size()) {
    const size_t dot = std::min(path.find('.', at), path.size());
    out.path.push_back(path.substr(at, dot - at));
    at = dot + 1;
  }
  return out;
}

Result<EventRules> EventRules::parse(const std::string& text, const std::string& name) {
  const Result<Json> json = trace::parse_json(text, "a list of rules");
  if (!json) return Error{name + ": " + json.error().message};
  std::optional<Error> error;
  EventRules out;
  const trace::Place root(*json, "", error, "the file");
  if (!json->is_array()) root.fail("a list of rules");
  root.each([&](const trace::Place& place, size_t) {
    Rule rule;
    rule.event = place["event"].text();
    rule.action = place["action"].text();
    place["where"].each_field([&](const std::string& key, const trace::Place& value) {
      rule.where.emplace_back(key, value.json());
    });
    place["arguments"].each_field([&](const std::string& key, const trace::Place& value) {
      rule.arguments.emplace_back(key, source_of(value.text()));
    });
    place.each_field([&](const std::string& key, const trace::Place& field) {
      const std::vector<std::string> known = {"event", "where", "action", "arguments"};
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        field.refuse("a rule has event, where, action and arguments" + did_you_mean(key, known));
      }
    });
    out.rules_.push_back(std::move(rule));
  });
  if (error) return Error{name + ": " + error->message};
  return out;
}

const EventRules& EventRules::built_in() {
  static const EventRules rules = *parse(kBuiltIn, "the rules that are built in");
  return rules;
}

Result<std::optional<MappedEvent>> EventRules::map(const std::string& event,
                                                   const Json& parameters) const {
  const auto fits = [&](const Rule& rule) {
    return rule.event == event &&
           std::all_of(rule.where.begin(), rule.where.end(), [&](const auto& one) {
             const Json& found = field_of(parameters, one.first);
             return found == one.second || (says_nothing(found) && says_nothing(one.second));
           });
  };
  const auto rule = std::find_if(rules_.begin(), rules_.end(), fits);
  if (rule == rules_.end()) return std::optional<MappedEvent>();
  MappedEvent out;
  out.action = rule->action;
  for (const auto& [name, source] : rule->arguments) {
    const Json* found = &parameters;
    for (const std::string& part : source.path) found = &field_of(*found, part);
    if (found->is_null() && source.fallback) found = &*source.fallback;
    if (found->is_null()) {
      return Error{
          fmt::format("action {} takes {} from parameter {}, which the event does not have",
                      rule->action, name, source.text)};
    }
    if (!source.negated) {
      out.arguments.emplace_back(name, *found);
    } else if (found->is_boolean()) {
      out.arguments.emplace_back(name, !found->get<bool>());
    } else {
      return Error{fmt::format("parameter {} must be true or false", source.text.substr(1))};
    }
  }
  return std::optional<MappedEvent>(std::move(out));
}

}  // namespace ordeal::serve
