// Messages between processes, in JSON or EDN: one map a message, as nodes read and write them; a
// journal of events that say whether a message was sent or received; or a program's log in which
// such messages stand behind ":send" and ":recv".
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "base/hash.h"
#include "base/text.h"
#include "trace/import.h"
#include "trace/notation.h"

namespace ordeal::trace {
namespace {

using value::Tree;

struct MessageEvent {
  bool sent = false;
  bool received = false;  // a message without a journal is both at once
  std::string src;
  std::string dest;
  std::optional<int64_t> id;
  std::optional<int64_t> time;
  Tree body;
  std::string type;
  Position at;
};

const std::string* text_of(const Tree* tree) {
  return tree != nullptr && tree->kind == Tree::Kind::kText ? &tree->text : nullptr;
}
std::optional<int64_t> number_of(const Tree* tree) {
  if (tree == nullptr || tree->kind != Tree::Kind::kInteger) return std::nullopt;
  return tree->integer;
}

// "n10" behind "n9".
bool in_natural_order(const std::string& a, const std::string& b) {
  const auto split = [](const std::string& name) {
    const size_t digits = name.find_last_not_of("0123456789") + 1;
    return std::tuple(name.substr(0, digits), name.size() - digits, name.substr(digits));
  };
  return split(a) < split(b);
}

// What a name tells about who has it. Clients are c1, c2, …; services have names of their own.
enum class Role { kNode, kService, kClient };
Role role_of(const std::string& name) {
  const bool numbered = name.size() > 1 && name.find_first_not_of("0123456789", 1) == name.npos;
  if (numbered && name[0] == 'c') return Role::kClient;
  const bool is_service = name.ends_with("-kv") || name.ends_with("-tso");
  return is_service ? Role::kService : Role::kNode;
}
const char* to_string(Role role) {
  return role == Role::kClient ? "client" : role == Role::kService ? "service" : "node";
}

class MaelstromImporter {
 public:
  MaelstromImporter(const ImportOptions& options, std::vector<std::string>& notes)
      : options_(options), notes_(notes) {}

  Result<Trace> run(std::string_view text) {
    if (const Result<void> read = read_events(text); !read) return read.error();
    if (events_.empty()) {
      return Error{"the log has no messages; expected {\"src\": …, \"dest\": …, \"body\": …}"};
    }
    if (std::all_of(events_.begin(), events_.end(),
                    [](const MessageEvent& event) { return event.time.has_value(); })) {
      std::stable_sort(
          events_.begin(), events_.end(),
          [](const MessageEvent& a, const MessageEvent& b) { return *a.time < *b.time; });
    }
    if (const Result<void> named = name_nodes(); !named) return named.error();
    trace_.system = options_.name.empty() ? "maelstrom" : options_.name;
    trace_.source = "maelstrom";
    trace_.strategy = "import";
    for (size_t i = 0; i < events_.size(); ++i) {
      if (events_[i].sent) sendings_[key_of(events_[i])].all.push_back(i);
    }
    step_of_.resize(events_.size());
    last_.assign(trace_.nodes.size() + 1, 0);
    for (size_t i = 0; i < events_.size(); ++i) {
      if (events_[i].sent) send(i);
      if (!events_[i].received) continue;
      if (const Result<void> received = receive(i); !received) return received.error();
    }
    if (unsent_ > 0) {
      notes_.push_back(
          counted(unsent_, "message") + (unsent_ == 1 ? " is" : " are") +
          " received and never sent in this log; shown as sent after what the sender did "
          "last");
    }
    return std::move(trace_);
  }

 private:
  Result<void> read_events(std::string_view text) {
    const size_t first = text.find_first_not_of(" \t\r\n");
    if (std::string_view("{[(#;").find(text[first]) != std::string_view::npos) {
      return read_forms(text, {}, [&](Form form) { return take_form(std::move(form), ""); });
    }
    Position at;  // the log of a program
    size_t others = 0;
    for (; !text.empty(); ++at.line) {
      const size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
      bool taken = false;
      for (const char* kind : {"send", "recv"}) {
        const std::string mark = fmt::format(":{} ", kind);
        const size_t begin = line.find(mark);
        if (taken || begin == line.npos) continue;
        at.column = begin + mark.size() + 1;
        const Result<void> read = read_forms(line.substr(begin + mark.size()), at, [&](Form form) {
          return take_form(std::move(form), kind);
        });
        if (!read) return read;
        taken = true;
      }
      if (!taken && line.find_first_not_of(" \t\r") != line.npos) ++others;
    }
    if (others > 0) {
      notes_.push_back(counted(others, "line") + (others == 1 ? " is" : " are") +
                       " about no message");
    }
    return {};
  }

  static Error wrong(const Position& at, const std::string& what) {
    return Error{fmt::format("{}: {}", show(at), what)};
  }

  Result<void> take_form(Form form, const std::string& kind) {
    MessageEvent event;
    event.at = form.at;
    if (form.tree.kind != Tree::Kind::kRecord) {
      return wrong(form.at,
                   fmt::format("found {}; expected a message {{\"src\": …, \"dest\": …, "
                               "\"body\": …}} or an event {{\"type\": \"send\" or \"recv\", "
                               "\"message\": …}}",
                               in_quotes(value::show(form.tree))));
    }
    const Tree* message = &form.tree;
    if (const Tree* inside = form.tree.find("message");
        inside != nullptr && !form.tree.find("src")) {
      const std::string* type = text_of(form.tree.find("type"));
      const bool known = type != nullptr && (*type == "send" || *type == "recv" ||
                                             *type == ":send" || *type == ":recv");
      if (!known) {
        return wrong(form.at, fmt::format("the type of the event is {}; expected send or recv",
                                          type == nullptr ? "missing" : in_quotes(*type)));
      }
      event.sent = type->ends_with("send");
      event.received = !event.sent;
      event.time = number_of(form.tree.find("time"));
      message = inside;
    } else {
      event.sent = kind != "recv";
      event.received = kind != "send";
    }
    if (message->kind != Tree::Kind::kRecord) {
      return wrong(form.at,
                   "the message is no map; expected {\"src\": …, \"dest\": …, \"body\": …}");
    }
    for (const auto& [name, out] : {std::pair("src", &event.src), std::pair("dest", &event.dest)}) {
      const std::string* text = text_of(message->find(name));
      if (text == nullptr || text->empty()) {
        const Tree* found = message->find(name);
        return wrong(
            form.at,
            fmt::format("the {} of the message is {}; expected a name such as \"n1\"", name,
                        found == nullptr ? "missing" : in_quotes(value::show(*found))));
      }
      *out = *text;
    }
    event.id = number_of(message->find("id"));
    if (event.id && *event.id < 0) event.id.reset();  // "none", in Maelstrom
    const Tree* body = message->find("body");
    if (body == nullptr || body->kind != Tree::Kind::kRecord) {
      return wrong(form.at,
                   fmt::format("the body of the message is {}; expected a map with a type",
                               body == nullptr ? "missing" : in_quotes(value::show(*body))));
    }
    const std::string* type = text_of(body->find("type"));
    event.type = type == nullptr ? "message" : *type;
    event.body = *body;
    event.body.text = event.type;
    if (type != nullptr) {
      const auto at = std::find(event.body.names.begin(), event.body.names.end(), "type");
      event.body.items.erase(event.body.items.begin() + (at - event.body.names.begin()));
      event.body.names.erase(at);
    }
    events_.push_back(std::move(event));
    if (events_.size() > kMostEvents) {
      return wrong(form.at, fmt::format("there are more than {} messages", grouped(kMostEvents)));
    }
    return {};
  }

  // Nodes first, then services and clients.
  Result<void> name_nodes() {
    std::vector<std::string> names;
    std::map<std::string, int>& numbers = numbers_;
    for (const MessageEvent& event : events_) {
      for (const std::string& name : {event.src, event.dest}) {
        if (!numbers.emplace(name, 0).second) continue;
        names.push_back(name);
        if (names.size() > kMostHosts) {
          return wrong(event.at,
                       fmt::format("there are more than {} nodes and clients", kMostHosts));
        }
      }
    }
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
      const Role role_a = role_of(a);
      const Role role_b = role_of(b);
      if (role_a != role_b) return role_a < role_b;
      if (in_natural_order(a, b)) return true;
      return !in_natural_order(b, a) && a < b;
    });
    for (const std::string& name : names) {
      const int number = static_cast<int>(trace_.nodes.size()) + 1;
      numbers[name] = number;
      trace_.nodes.push_back(number);
      trace_.node_names[number] = name;
      trace_.node_types[number] = to_string(role_of(name));
    }
    return {};
  }

  // What tells messages apart.
  static std::string key_of(const MessageEvent& event) {
    if (event.id) return fmt::format("#{}", *event.id);
    return event.src + '\n' + event.dest + '\n' + value::show(event.body);
  }
  static uint64_t digest_of(const std::string& key) {
    detail::Hasher hasher;
    hasher.bytes(key.data(), key.size());
    hasher.word(key.size());
    return hasher.finish();
  }

  uint32_t next_step() const { return static_cast<uint32_t>(trace_.steps.size()) + 1; }

  Sent sending(const MessageEvent& event) const {
    return {ActionKind::kDeliver, numbers_.at(event.src),  numbers_.at(event.dest),
            event.type,           value::show(event.body), digest_of(key_of(event))};
  }

  void add(TraceStep step) {
    uint32_t& last = last_[static_cast<size_t>(step.detail.action.node)];
    step.causes.push_back(last);
    std::sort(step.causes.begin(), step.causes.end());
    step.causes.erase(std::unique(step.causes.begin(), step.causes.end()), step.causes.end());
    last = next_step();
    trace_.steps.push_back(std::move(step));
  }

  void send(size_t index) {
    const MessageEvent& event = events_[index];
    TraceStep step;
    step.detail.action.node = numbers_.at(event.src);
    step.detail.action.type = "send " + event.type;
    step.detail.sent.push_back(sending(event));
    const auto id = number_of(event.body.find("msg_id"));
    if (role_of(event.src) == Role::kClient && role_of(event.dest) != Role::kClient && id) {
      const int client = step.detail.action.node;
      step.detail.history.push_back({client, false, without_ids(event.body)});
      calls_[client] = *id;
    }
    step_of_[index] = next_step();
    add(std::move(step));
  }

  Result<void> receive(size_t index) {
    const MessageEvent& event = events_[index];
    TraceStep step;
    Action& action = step.detail.action;
    action.kind = ActionKind::kDeliver;
    action.node = numbers_.at(event.dest);
    action.from = numbers_.at(event.src);
    action.type = event.type;
    action.payload = event.body;
    const Sent sent = sending(event);
    action.payload_digest = sent.payload_digest;
    Sendings& sendings = sendings_[key_of(event)];
    if (sendings.all.empty()) {
      const uint32_t last = last_[static_cast<size_t>(action.from)];
      (last == 0 ? trace_.initially_sent : trace_.steps[last - 1].detail.sent).push_back(sent);
      step.causes.push_back(last);
      ++unsent_;
    } else {
      // The oldest that has not arrived; of those that all have arrived, the first once more.
      const bool again =
          sendings.arrived == sendings.all.size() || sendings.all[sendings.arrived] > index;
      const size_t origin = sendings.all[again ? 0 : sendings.arrived];
      if (origin > index) {
        return wrong(event.at,
                     fmt::format("the message is received here and sent at {}, later; "
                                 "expected the events in the order in which they happened",
                                 show(events_[origin].at)));
      }
      if (!again) ++sendings.arrived;
      step.causes.push_back(step_of_[origin]);
    }
    const auto reply_to = number_of(event.body.find("in_reply_to"));
    const auto call = calls_.find(action.node);
    if (reply_to && call != calls_.end() && call->second == *reply_to) {
      step.detail.history.push_back({action.node, true, without_ids(event.body)});
      calls_.erase(call);
    }
    add(std::move(step));
    return {};
  }

  // What a client means, without what finds the way back to it.
  static std::string without_ids(const Tree& body) {
    Tree plain = Tree::record(body.text);
    for (size_t i = 0; i < body.items.size(); ++i) {
      if (body.names[i] == "msg_id" || body.names[i] == "in_reply_to") continue;
      plain.add(body.names[i], body.items[i]);
    }
    return value::show(plain);
  }

  struct Sendings {
    std::vector<size_t> all;  // events, in order
    size_t arrived = 0;       // how many of them have been received
  };

  const ImportOptions& options_;
  std::vector<std::string>& notes_;
  std::vector<MessageEvent> events_;
  std::map<std::string, int> numbers_;
  std::map<std::string, Sendings> sendings_;
  std::vector<uint32_t> step_of_;  // of events that send
  std::vector<uint32_t> last_;     // of each node
  std::map<int, int64_t> calls_;   // the message that each client waits for an answer to
  size_t unsent_ = 0;
  Trace trace_;
};

}  // namespace

Result<Trace> import_maelstrom(std::string_view text, const ImportOptions& options,
                               std::vector<std::string>& notes) {
  return MaelstromImporter(options, notes).run(valid_utf8(text));
}

}  // namespace ordeal::trace
