#include "history/history_edn.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/mutant.h"

namespace ordeal {
namespace {

using edn::Id;
using edn::Kind;
using edn::Position;
using Type = EdnEvent::Type;

constexpr std::string_view kShape = "{:process 0, :type :invoke, :f :write, :value 1}";
constexpr std::string_view kPairTag = "jepsen.independent/tuple";

const char* to_string(Type type) {
  return type == Type::kInvoke ? ":invoke"
         : type == Type::kOk   ? ":ok"
         : type == Type::kFail ? ":fail"
                               : ":info";
}

class Reading {
 public:
  Reading(EdnHistory& history, std::string_view text, bool pairs)
      : history_(history), values_(history.values), reader_(text, history.values), pairs_(pairs) {}

  Result<void> run() {
    while (!reader_.at_end()) {
      const Position open = reader_.position();
      reader_.take_tag();
      const bool vector = reader_.take('[');
      if (vector || reader_.take('(')) {
        while (reader_.another(vector ? ']' : ')', open)) {
          const Position at = reader_.position();
          reader_.take_tag();
          if (Result<void> read = event(at); !read) return read;
        }
      } else if (Result<void> read = event(open); !read) {
        return read;
      }
      if (reader_.failure()) break;
    }
    return misread();
  }

 private:
  struct Fields {
    struct Field {
      Id value = EdnEvent::kAbsent;
      Position at;
    };
    Field process, type, f, value, key, index;

    Field* find(std::string_view name) {
      return name == "process" ? &process
             : name == "type"  ? &type
             : name == "f"     ? &f
             : name == "value" ? &value
             : name == "key"   ? &key
             : name == "index" ? &index
                               : nullptr;
    }
  };

  Error error(const Position& at, std::string_view field, const std::string& what) const {
    return history_.error(at, field, what);
  }
  Result<void> misread() const {
    if (!reader_.failure()) return {};
    return error(reader_.failure()->at, "text", reader_.failure()->what);
  }
  // What stands in a field instead of what should.
  Error wrong(std::string_view field, const Fields::Field& found, const std::string& right) const {
    return error(found.at, field, fmt::format("found {}; {}", values_.show(found.value), right));
  }

  Result<void> event(const Position& at) {
    if (!reader_.take('{')) {
      const std::string found = reader_.found();
      if (reader_.failure()) return misread();
      return error(at, "event", fmt::format("{}; an event reads {}", found, kShape));
    }
    if (at.line == last_line_) history_.one_event_a_line = false;
    last_line_ = at.line;
    Fields fields;
    while (reader_.another('}', at)) {
      const Position name_at = reader_.position();
      const std::optional<std::string_view> name = reader_.take_keyword();
      if (!name) {
        const std::string found = reader_.found();
        if (reader_.failure()) return misread();
        return error(name_at, "field name",
                     fmt::format("{}; the name of a field is a keyword, such as :type", found));
      }
      Fields::Field* field = fields.find(*name);
      if (field == nullptr) {
        if (!reader_.skip()) return misread();
        continue;
      }
      if (field->value != EdnEvent::kAbsent) {
        return error(name_at, "field name", fmt::format(":{} is here twice", *name));
      }
      field->at = reader_.position();
      const std::optional<Id> value = reader_.value();
      if (!value) return misread();
      field->value = *value;
    }
    if (reader_.failure()) return misread();
    return take(at, fields);
  }

  Result<void> take(const Position& at, const Fields& fields) {
    const auto missing = [&](std::string_view name) {
      return error(at, "event", fmt::format("{} is missing; an event reads {}", name, kShape));
    };
    if (fields.process.value == EdnEvent::kAbsent) return missing(":process");
    if (fields.type.value == EdnEvent::kAbsent) return missing(":type");
    if (Result<void> ascending = check_index(fields.index); !ascending) return ascending;

    EdnEvent event;
    event.at = at;
    bool known = false;
    for (const Type type : {Type::kInvoke, Type::kOk, Type::kFail, Type::kInfo}) {
      if (!values_.is_keyword(fields.type.value, std::string_view(to_string(type)).substr(1))) {
        continue;
      }
      event.type = type;
      known = true;
    }
    if (!known) return wrong(":type", fields.type, "one of :invoke, :ok, :fail, :info is right");
    const Id process = fields.process.value;
    if (values_.kind(process) == Kind::kKeyword) return leave_out(event, fields.process);
    if (values_.kind(process) != Kind::kInteger || values_.integer_of(process) < 0) {
      return wrong(":process", fields.process,
                   "the number of a client, or a keyword such as :nemesis, should stand here");
    }
    event.process = values_.integer_of(process);
    if (fields.f.value == EdnEvent::kAbsent) return missing(":f");
    if (values_.kind(fields.f.value) != Kind::kKeyword) {
      return wrong(":f", fields.f, "the name of a function, such as :read, should stand here");
    }
    event.f = fields.f.value;
    event.f_at = fields.f.at;
    event.key = fields.key.value;
    event.key_at = fields.key.at;
    event.value = fields.value.value;
    event.value_at = event.value != EdnEvent::kAbsent ? fields.value.at : at;
    if (Result<void> split = take_pair_apart(event); !split) return split;
    return pair(event);
  }

  // Events are in the order in which they happened, and so are their numbers.
  Result<void> check_index(const Fields::Field& field) {
    if (field.value == EdnEvent::kAbsent) return {};
    if (values_.kind(field.value) != Kind::kInteger) {
      return wrong(":index", field, "the number of the event should stand here");
    }
    const int64_t index = values_.integer_of(field.value);
    if (index < 0) return {};  // events without one have -1
    if (last_index_ && index <= *last_index_) {
      return error(field.at, ":index",
                   fmt::format("event {} comes behind event {}; events must be in their order, and "
                               "none twice",
                               index, *last_index_));
    }
    last_index_ = index;
    return {};
  }

  // Faults and other events of the environment are no operations. All they do is :info; if one
  // were an operation of a client after all, it would be lost without a trace.
  Result<void> leave_out(const EdnEvent& event, const Fields::Field& process) {
    if (event.type != Type::kInfo && !values_.is_keyword(process.value, "nemesis")) {
      return wrong(":process", process,
                   fmt::format("a keyword is the name of what is no client and has only :info, but "
                               "this is {}; a client has a number",
                               to_string(event.type)));
    }
    ++history_.left_out;
    auto& others = history_.not_clients;
    if (std::find(others.begin(), others.end(), process.value) == others.end()) {
      others.push_back(process.value);
    }
    return {};
  }

  Result<void> take_pair_apart(EdnEvent& event) const {
    Id pair = event.value;
    bool tagged = false;
    if (event.has_value() && values_.kind(pair) == Kind::kTagged &&
        values_.text_of(values_.items_of(pair)[0]) == kPairTag) {
      pair = values_.items_of(pair)[1];
      tagged = true;
    }
    if (!tagged && !pairs_) return {};
    const bool is_pair = event.has_value() && values_.kind(pair) == Kind::kList &&
                         values_.items_of(pair).size() == 2;
    if (!is_pair) {
      // What did not return says by its call which key it has.
      if (event.type == Type::kFail || event.type == Type::kInfo) return {};
      return error(event.value_at, ":value",
                   event.has_value() ? fmt::format("found {}; a pair [key value] should stand here",
                                                   values_.show(pair))
                                     : "it is missing; a pair [key value] should stand here");
    }
    if (event.has_key()) {
      return error(event.key_at, ":key",
                   "the value is a pair [key value], which has a key already; give one of the two");
    }
    event.key = values_.items_of(pair)[0];
    event.key_at = event.value_at;
    event.value = values_.items_of(pair)[1];
    return {};
  }

  struct Pending {
    uint32_t operation = 0;
    uint32_t info = EdnOperation::kNone;  // the event that left it open for ever
  };

  std::string place(uint32_t event) const {
    const Position& at = history_.events[event].at;
    return history_.one_event_a_line ? fmt::format("line {}", at.line)
                                     : fmt::format("line {}, column {}", at.line, at.column);
  }

  Result<void> pair(const EdnEvent& event) {
    const uint32_t number = static_cast<uint32_t>(history_.events.size());
    auto [slot, fresh] = pending_.try_emplace(event.process);
    Pending& pending = slot->second;
    const bool under_way = !fresh && pending.operation != EdnOperation::kNone;
    if (under_way && pending.info != EdnOperation::kNone) {
      return error(event.at, "event",
                   fmt::format("process {} goes on, but its operation of {} ended with :info on {} "
                               "and may still be under way; from then on the client must have "
                               "another number",
                               event.process, place(history_.operations[pending.operation].invoked),
                               place(pending.info)));
    }
    history_.events.push_back(event);
    if (event.type == Type::kInvoke) {
      if (under_way) {
        return error(
            event.at, "event",
            fmt::format("process {} invokes an operation, but the one it invoked on {} has "
                        "not returned; a process has one operation at a time",
                        event.process, place(history_.operations[pending.operation].invoked)));
      }
      pending.operation = static_cast<uint32_t>(history_.operations.size());
      history_.operations.push_back({number, EdnOperation::kNone});
      return {};
    }
    if (!under_way) {
      return error(event.at, "event",
                   fmt::format("{} for process {}, which has no operation under way; an :invoke "
                               "must come before it",
                               to_string(event.type), event.process));
    }
    EdnOperation& operation = history_.operations[pending.operation];
    const EdnEvent& invoked = history_.events[operation.invoked];
    if (event.f != invoked.f) {
      return error(event.f_at, ":f",
                   fmt::format("{} ends an operation that {} invoked as {}", values_.show(event.f),
                               place(operation.invoked), values_.show(invoked.f)));
    }
    if (event.has_key() && event.key != invoked.key) {
      return error(event.key_at, ":key",
                   fmt::format("{} ends an operation that {} invoked with {}",
                               values_.show(event.key), place(operation.invoked),
                               invoked.has_key() ? values_.show(invoked.key) : "no key"));
    }
    if (event.type == Type::kInfo) {
      pending.info = number;
      return {};
    }
    if (event.type == Type::kOk) {
      operation.returned = number;
    } else if (!mutant(Mutant::kFailMayHaveHappened)) {
      operation.invoked = EdnOperation::kNone;
      ++history_.failed;
    }
    pending.operation = EdnOperation::kNone;
    return {};
  }

  EdnHistory& history_;
  edn::Values& values_;
  edn::Reader reader_;
  bool pairs_;
  std::unordered_map<int64_t, Pending> pending_;
  std::optional<int64_t> last_index_;
  uint32_t last_line_ = 0;
};

}  // namespace

Error EdnHistory::error(const Position& at, std::string_view field, const std::string& what) const {
  return Error{fmt::format("{}:{}: {} (column {}): {}", name, at.line, field, at.column, what)};
}

Result<EdnHistory> read_edn_history(const std::string& name, std::string_view text, bool pairs) {
  EdnHistory history;
  history.name = name;
  if (Result<void> read = Reading(history, text, pairs).run(); !read) return read.error();
  if (history.events.empty()) {
    return Error{name + ": no operation of a client in it; a history has at least one"};
  }
  std::erase_if(history.operations,
                [](const EdnOperation& op) { return op.invoked == EdnOperation::kNone; });
  // Either all operations name their object or none does.
  const EdnEvent& first = history.events[0];
  for (const EdnEvent& event : history.events) {
    if (event.type != Type::kInvoke || event.has_key() == first.has_key()) continue;
    return history.error(
        event.at, "event",
        fmt::format("this operation has {} key, but the first one, on line {}, has "
                    "{}; either all have keys or none",
                    event.has_key() ? "a" : "no", first.at.line, first.has_key() ? "one" : "none"));
  }
  return history;
}

}  // namespace ordeal
