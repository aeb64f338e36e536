// What operations in EDN mean, a class for each kind of object: typed calls and results from
// events, and words for them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/text.h"
#include "history/history_edn.h"
#include "ordeal/detail/object_specs.h"
#include "ordeal/detail/queue_specs.h"

namespace ordeal::edn_models {

using edn::Id;
using edn::Kind;

// Of a long list, as much as fits a line.
inline std::string show_items(const edn::Values& values, const std::vector<Id>& items) {
  constexpr size_t kShown = 60;
  std::string out;
  for (const Id item : items) {
    if (out.size() >= kShown) return fmt::format("{} … ({} in all)", out, grouped(items.size()));
    if (!out.empty()) out += ' ';
    out += values.show(item, kShown);
  }
  return out;
}

// A call, and what it returned; none: it did not, or nobody knows what.
template <SequentialSpec Spec>
struct Typed {
  typename Spec::Call call;
  std::optional<typename Spec::Return> result;
};

// What the models share: where values come from, and errors go to.
//
// Each makes a typed operation of two events, the second of them null if the operation never
// returned, and has words for calls, results and states: state() for a table, situation() for a
// sentence.
class Model {
 public:
  explicit Model(const EdnHistory& history) : history_(history), values_(history.values) {}

  static constexpr bool kHasOwnKeys = false;  // in its calls
  static constexpr const char* kPart = "";    // of what the specification checks by itself

 protected:
  bool calls(const EdnEvent& event, std::string_view function) const {
    return values_.text_of(event.f) == function;
  }
  std::string show(Id value) const { return values_.show(value); }
  Error wrong(const EdnEvent& event, const std::string& right) const {
    return history_.error(event.value_at, ":value",
                          event.has_value() ? fmt::format("found {}; {}", show(event.value), right)
                                            : fmt::format("it is missing; {}", right));
  }
  // An operation returns with the arguments that it was invoked with, or without any.
  Result<void> same(const EdnEvent& invoked, const EdnEvent* returned) const {
    if (returned == nullptr || !returned->has_value() || returned->value == invoked.value)
      return {};
    return other(invoked, *returned);
  }
  Error other(const EdnEvent& invoked, const EdnEvent& returned) const {
    return history_.error(
        returned.value_at, ":value",
        fmt::format("process {} returns another operation than the one that it invoked on line {}, "
                    "with {}; function and arguments must be the same",
                    returned.process, invoked.at.line, show(invoked.value)));
  }
  bool is_list(Id value, size_t size) const {
    return values_.kind(value) == Kind::kList && values_.items_of(value).size() == size;
  }

  const EdnHistory& history_;
  const edn::Values& values_;
};

class RegisterModel : public Model {
 public:
  using Spec = RegisterSpec<Id>;
  static constexpr const char* kThing = "register";

  RegisterModel(const EdnHistory& history, bool nil_is_unknown)
      : Model(history), nil_is_unknown_(nil_is_unknown) {}

  Result<Typed<Spec>> operation(const EdnEvent& invoked, const EdnEvent* returned) const {
    if (calls(invoked, "read")) return read(invoked, returned);
    Typed<Spec> out;
    if (calls(invoked, "write")) {
      if (!invoked.has_value()) {
        return wrong(invoked, "the value that is written should stand here");
      }
      out.call = reg::Write<Id>{invoked.value};
      if (returned != nullptr) out.result = reg::WriteOk{};
    } else {
      if (!invoked.has_value() || !is_list(invoked.value, 2)) {
        return wrong(invoked, "a :cas has two values, as in [1 2] (expected, new)");
      }
      const auto items = values_.items_of(invoked.value);
      out.call = reg::Cas<Id>{items[0], items[1]};
      if (returned != nullptr) out.result = reg::CasOk{};
    }
    if (Result<void> right = same(invoked, returned); !right) return right.error();
    return out;
  }

  std::string call(const Spec::Call& call) const {
    if (const auto* write = std::get_if<reg::Write<Id>>(&call)) {
      return "write " + show(write->value);
    }
    if (const auto* cas = std::get_if<reg::Cas<Id>>(&call)) {
      return fmt::format("cas {} -> {}", show(cas->from), show(cas->to));
    }
    return "read";
  }
  std::string result(const Spec::Return& result) const {
    const auto* read = std::get_if<reg::ReadOk<Id>>(&result);
    return read != nullptr ? show(read->value) : "ok";
  }
  std::string state(Id held) const { return show(held); }
  std::string situation(Id held) const { return "the register holds " + show(held); }

 private:
  Result<Typed<Spec>> read(const EdnEvent& invoked, const EdnEvent* returned) const {
    // What a read returns is not known when it is invoked. A collection is there for a reason.
    if (invoked.has_value() &&
        (values_.kind(invoked.value) == Kind::kList || values_.kind(invoked.value) == Kind::kMap)) {
      return wrong(
          invoked,
          "a :read is invoked with nil; if this is a pair [key nil], say --independent, if "
          "these are parts of a transaction, say --model multi-register");
    }
    Typed<Spec> out{reg::Read{}, std::nullopt};
    if (returned == nullptr) return out;
    if (!returned->has_value()) return wrong(*returned, "what was read should stand here");
    if (nil_is_unknown_ && returned->value == edn::Values::kNil) return out;
    out.result = reg::ReadOk<Id>{returned->value};
    return out;
  }

  bool nil_is_unknown_;
};

class MultiRegisterModel : public Model {
 public:
  using Spec = MultiRegisterSpec<Id, Id>;
  using Read = txn_ops::Read<Id>;
  using Write = txn_ops::Write<Id, Id>;
  static constexpr const char* kThing = "registers";

  MultiRegisterModel(const EdnHistory& history, bool nil_is_unknown)
      : Model(history), nil_is_unknown_(nil_is_unknown) {}

  Result<Typed<Spec>> operation(const EdnEvent& invoked, const EdnEvent* returned) const {
    Result<Parts> parts = parse(invoked);
    if (!parts) return parts.error();
    Typed<Spec> out{std::move(parts->call), std::nullopt};
    if (returned == nullptr) return out;
    Result<Parts> after = parse(*returned);
    if (!after) return after.error();
    if (!(after->call == out.call)) return other(invoked, *returned);
    if (nil_is_unknown_) leave_out_unknown(out.call, after->result);
    out.result = std::move(after->result);
    return out;
  }

  std::string call(const Spec::Call& call) const {
    std::string out;
    for (const auto& part : call.parts) {
      if (!out.empty()) out += ", ";
      if (const auto* write = std::get_if<Write>(&part)) {
        out += fmt::format("write {} {}", show(write->key), show(write->value));
      } else {
        out += "read " + show(std::get<Read>(part).key);
      }
    }
    return cut_to(out.empty() ? "nothing" : out, 80);
  }
  std::string result(const Spec::Return& result) const {
    return result.read.empty() ? "ok" : show_items(values_, result.read);
  }
  std::string state(const Spec::State& held) const {
    std::string out;
    for (const auto& [key, value] : held) {
      if (!out.empty()) out += ", ";
      out += fmt::format("{} {}", show(key), show(value));
    }
    return cut_to(fmt::format("{{{}}}", out), 80);
  }
  std::string situation(const Spec::State& held) const {
    return "the registers hold " + state(held);
  }

 private:
  struct Parts {
    Spec::Call call;
    Spec::Return result;  // what stands in the place of what was read
  };

  // A read that may have read anything is as good as none.
  static void leave_out_unknown(Spec::Call& call, Spec::Return& result) {
    size_t reads = 0;
    std::erase_if(call.parts, [&](const auto& part) {
      return std::holds_alternative<Read>(part) && result.read[reads++] == edn::Values::kNil;
    });
    std::erase(result.read, edn::Values::kNil);
  }

  // A list of [function key value], or of :read and :write a map from keys to values.
  Result<Parts> parse(const EdnEvent& event) const {
    const bool only_reads = calls(event, "read"), only_writes = calls(event, "write");
    const auto bad = [&] {
      return wrong(event, only_reads ? "a :read has [[:read key nil] …] or {key nil, …}"
                          : only_writes
                              ? "a :write has [[:write key value] …] or {key value, …}"
                              : "a transaction has [[:read key nil] [:write key value] …]");
    };
    if (!event.has_value()) return bad();
    Parts parts;
    const auto add = [&](bool writes, Id key, Id value) {
      if (writes) {
        parts.call.parts.push_back(Write{key, value});
      } else {
        parts.call.parts.push_back(Read{key});
        parts.result.read.push_back(value);
      }
    };
    const Kind kind = values_.kind(event.value);
    if (kind != Kind::kList && (kind != Kind::kMap || (!only_reads && !only_writes))) return bad();
    const auto items = values_.items_of(event.value);
    if (kind == Kind::kMap) {
      for (size_t i = 0; i < items.size(); i += 2) add(only_writes, items[i], items[i + 1]);
      return parts;
    }
    for (const Id part : items) {
      if (!is_list(part, 3)) return bad();
      const auto fields = values_.items_of(part);
      const bool reads =
          values_.is_keyword(fields[0], "read") || values_.is_keyword(fields[0], "r");
      const bool writes =
          values_.is_keyword(fields[0], "write") || values_.is_keyword(fields[0], "w");
      if ((!reads && !writes) || (reads && only_writes) || (writes && only_reads)) return bad();
      add(writes, fields[1], fields[2]);
    }
    return parts;
  }

  bool nil_is_unknown_;
};

class MutexModel : public Model {
 public:
  using Spec = MutexSpec;
  static constexpr const char* kThing = "mutex";

  using Model::Model;

  Result<Typed<Spec>> operation(const EdnEvent& invoked, const EdnEvent* returned) const {
    Typed<Spec> out;
    if (calls(invoked, "release")) out.call = mutex_ops::Release{};
    if (returned != nullptr) out.result = mutex_ops::Done{};
    return out;
  }

  std::string call(const Spec::Call& call) const {
    return std::holds_alternative<mutex_ops::Acquire>(call) ? "acquire" : "release";
  }
  std::string result(const Spec::Return&) const { return "ok"; }
  std::string state(bool held) const { return held ? "held" : "free"; }
  std::string situation(bool held) const { return "the mutex is " + state(held); }
};

template <template <class> class QueueSpec>
class QueueModel : public Model {
 public:
  using Spec = QueueSpec<Id>;
  using Call = typename Spec::Call;
  using Return = typename Spec::Return;
  static constexpr const char* kThing = "queue";
  static constexpr bool kOrdered = std::is_same_v<Spec, FifoQueueSpec<Id>>;
  static constexpr const char* kPart = kOrdered ? "" : "of that value";

  using Model::Model;

  Result<Typed<Spec>> operation(const EdnEvent& invoked, const EdnEvent* returned) const {
    Typed<Spec> out;
    if (calls(invoked, "dequeue")) {
      out.call = queue_ops::Dequeue{};
      if (returned == nullptr) return out;
      if (is_nothing(*returned)) {
        return wrong(*returned,
                     "the value that was dequeued should stand here; a :dequeue that got nothing "
                     "ends with :fail");
      }
      out.result = queue_ops::Dequeued<Id>{returned->value};
      return out;
    }
    if (is_nothing(invoked)) {
      return wrong(invoked, "the value that is enqueued should stand here, and not nil");
    }
    out.call = queue_ops::Enqueue<Id>{invoked.value};
    if (returned != nullptr) out.result = queue_ops::Enqueued{};
    if (Result<void> right = same(invoked, returned); !right) return right.error();
    return out;
  }

  std::string call(const Call& call) const {
    const auto* enqueue = std::get_if<queue_ops::Enqueue<Id>>(&call);
    return enqueue != nullptr ? "enqueue " + show(enqueue->value) : "dequeue";
  }
  std::string result(const Return& result) const {
    const auto* got = std::get_if<queue_ops::Dequeued<Id>>(&result);
    return got != nullptr ? show(got->value) : "ok";
  }
  std::string state(const typename Spec::State& held) const {
    if constexpr (kOrdered) {
      return fmt::format("[{}]", show_items(values_, held));
    } else {
      return grouped(held);
    }
  }
  std::string situation(const typename Spec::State& held) const {
    if constexpr (kOrdered) {
      return held.empty() ? "the queue is empty" : "the queue holds " + state(held);
    } else {
      return held == 0 ? "the queue does not hold that value"
                       : fmt::format("the queue holds {} of that value", grouped(held));
    }
  }

 private:
  static bool is_nothing(const EdnEvent& event) {
    return !event.has_value() || event.value == edn::Values::kNil;
  }
};

class SetModel : public Model {
 public:
  using Spec = SetSpec<Id>;
  static constexpr const char* kThing = "set";

  using Model::Model;

  Result<Typed<Spec>> operation(const EdnEvent& invoked, const EdnEvent* returned) const {
    Typed<Spec> out;
    if (calls(invoked, "read")) {
      out.call = set_ops::Read{};
      if (returned == nullptr) return out;
      Result<set_ops::Contents<Id>> contents = contents_of(*returned);
      if (!contents) return contents.error();
      out.result = std::move(*contents);
      return out;
    }
    if (!invoked.has_value()) return wrong(invoked, "the value that is added should stand here");
    out.call = set_ops::Add<Id>{invoked.value};
    if (returned != nullptr) out.result = set_ops::Added{};
    if (Result<void> right = same(invoked, returned); !right) return right.error();
    return out;
  }

  std::string call(const Spec::Call& call) const {
    const auto* add = std::get_if<set_ops::Add<Id>>(&call);
    return add != nullptr ? "add " + show(add->value) : "read";
  }
  std::string result(const Spec::Return& result) const {
    const auto* read = std::get_if<set_ops::Contents<Id>>(&result);
    return read != nullptr ? state({read->values.begin(), read->values.end()}) : "ok";
  }
  std::string state(const Spec::State& held) const {
    return fmt::format("#{{{}}}", show_items(values_, held));
  }
  std::string situation(const Spec::State& held) const { return "the set holds " + state(held); }
  // Two large sets look alike.
  std::string difference(const Spec::State& held, const Spec::Return& result) const {
    const auto* read = std::get_if<set_ops::Contents<Id>>(&result);
    if (read == nullptr) return "";
    Spec::State missing, besides;
    std::set_difference(held.begin(), held.end(), read->values.begin(), read->values.end(),
                        std::back_inserter(missing));
    std::set_difference(read->values.begin(), read->values.end(), held.begin(), held.end(),
                        std::back_inserter(besides));
    // The last first: what nobody has added by then is more surprising than what is being added.
    std::reverse(besides.begin(), besides.end());
    std::string out;
    if (!missing.empty()) out += "; the read lacks " + show_items(values_, missing);
    if (!besides.empty()) out += "; the read has " + show_items(values_, besides) + " besides";
    return out;
  }

 private:
  Result<set_ops::Contents<Id>> contents_of(const EdnEvent& returned) const {
    const Kind kind = returned.has_value() ? values_.kind(returned.value) : Kind::kNil;
    if (kind != Kind::kSet && kind != Kind::kList) {
      return wrong(returned, "all that is in the set should stand here, as in #{1 2} or [1 2]");
    }
    set_ops::Contents<Id> contents;
    for (const Id value : values_.items_of(returned.value)) {
      if (contents.values.insert(value).second) continue;
      return history_.error(
          returned.value_at, ":value",
          fmt::format("{} is here twice; a set has each value once", show(value)));
    }
    return contents;
  }
};

class KeyValueModel : public Model {
 public:
  using Spec = KeyValueSpec;
  static constexpr const char* kThing = "value";
  static constexpr bool kHasOwnKeys = true;

  using Model::Model;

  Result<Typed<Spec>> operation(const EdnEvent& invoked, const EdnEvent* returned) const {
    if (!invoked.has_key()) {
      return history_.error(invoked.at, ":key",
                            "it is missing; the key, a string, should be there");
    }
    if (values_.kind(invoked.key) != Kind::kString) {
      return history_.error(invoked.key_at, ":key",
                            fmt::format("found {}; a string should stand here", show(invoked.key)));
    }
    const std::string key(values_.text_of(invoked.key));
    Typed<Spec> out;
    if (calls(invoked, "get")) {
      out.call = kv::Get{key};
      if (returned == nullptr) return out;
      const bool is_nil = returned->has_value() && returned->value == edn::Values::kNil;
      if (!is_nil && !is_string(*returned)) {
        return wrong(*returned, "a string, or nil if the key has none, should stand here");
      }
      out.result = kv::Got{is_nil ? "" : std::string(values_.text_of(returned->value))};
      return out;
    }
    if (!is_string(invoked)) return wrong(invoked, "a string should stand here");
    const std::string value(values_.text_of(invoked.value));
    if (calls(invoked, "put")) {
      out.call = kv::Put{key, value};
    } else {
      out.call = kv::Append{key, value};
    }
    if (returned != nullptr) out.result = kv::Done{};
    if (Result<void> right = same(invoked, returned); !right) return right.error();
    return out;
  }

  std::string call(const Spec::Call& call) const {
    if (const auto* put = std::get_if<kv::Put>(&call)) {
      return fmt::format("put {} {}", quoted_for_message(put->key), quoted_for_message(put->value));
    }
    if (const auto* append = std::get_if<kv::Append>(&call)) {
      return fmt::format("append {} {}", quoted_for_message(append->key),
                         quoted_for_message(append->value));
    }
    return "get " + quoted_for_message(std::get<kv::Get>(call).key);
  }
  std::string result(const Spec::Return& result) const {
    const auto* got = std::get_if<kv::Got>(&result);
    return got != nullptr ? state(got->value) : "ok";
  }
  // A long value differs from its neighbours at its end: that is the part to show.
  std::string state(const std::string& held) const {
    constexpr size_t kShown = 40;
    if (held.size() <= kShown) return quoted_for_message(held);
    return fmt::format("...{} ({} bytes)", quoted_for_message(held.substr(held.size() - kShown)),
                       held.size());
  }
  std::string situation(const std::string& held) const { return "the key holds " + state(held); }

 private:
  bool is_string(const EdnEvent& event) const {
    return event.has_value() && values_.kind(event.value) == Kind::kString;
  }
};

}  // namespace ordeal::edn_models
