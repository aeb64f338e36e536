#include "history/history_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

#include "base/mutant.h"
#include "base/text.h"
#include "history/edn_models.h"
#include "history/history_judge.h"

namespace ordeal {
namespace {

using edn::Id;
using edn::Kind;
using namespace edn_models;  // NOLINT

// A model whose objects have keys.
template <class Model>
struct WithKeys {
  using Spec = KeyedSpec<Id, typename Model::Spec>;

  const Model& model;
  const edn::Values& values;
  bool has_keys;

  std::string call(const typename Spec::Call& call) const {
    const std::string shown = model.call(call.call);
    return has_keys ? fmt::format("key {}: {}", values.show(call.key), shown) : shown;
  }
  std::string result(const typename Spec::Return& result) const { return model.result(result); }
  std::string state(const typename Spec::State& held) const { return model.state(held); }
  std::string situation(const typename Spec::State& held) const { return model.situation(held); }
  std::string difference(const typename Spec::State& held,
                         const typename Spec::Return& result) const requires requires {
    model.difference(held, result);
  }
  { return model.difference(held, result); }
};

// Checks a history whose operations mean what a model says.
class Check {
 public:
  Check(const EdnHistory& history, const HistoryOptions& options, HistoryVerdict& verdict)
      : history_(history), options_(options), verdict_(verdict) {}

  template <class Model>
  Result<void> run(const Model& model, typename Model::Spec spec = {}) {
    const bool has_keys = history_.events[0].has_key();
    verdict_.thing = Model::kThing;
    verdict_.part = Model::kPart;
    if (has_keys && verdict_.part.empty()) verdict_.part = "on that key";
    if constexpr (Model::kHasOwnKeys) {
      RecordedHistory<typename Model::Spec> recorded;
      const auto keep = [](typename Model::Spec::Call call, Id) { return call; };
      if (Result<void> taken = take(model, recorded, keep); !taken) return taken;
      judge(spec, recorded, options_.limits, model, verdict_);
    } else {
      using Keyed = WithKeys<Model>;
      RecordedHistory<typename Keyed::Spec> recorded;
      const auto with_key = [](typename Model::Spec::Call call, Id key) {
        return typename Keyed::Spec::Call{key, std::move(call)};
      };
      if (Result<void> taken = take(model, recorded, with_key); !taken) return taken;
      judge(typename Keyed::Spec(std::move(spec)), recorded, options_.limits,
            Keyed{model, history_.values, has_keys}, verdict_);
    }
    return {};
  }

 private:
  template <class Model, class Recorded, class Finish>
  Result<void> take(const Model& model, Recorded& recorded, const Finish& finish) {
    std::unordered_set<Id> keys;
    for (const EdnOperation& operation : history_.operations) {
      const EdnEvent& invoked = history_.events[operation.invoked];
      const EdnEvent* returned = operation.returned != EdnOperation::kNone
                                     ? &history_.events[operation.returned]
                                     : nullptr;
      auto typed = model.operation(invoked, returned);
      if (!typed) return typed.error();
      if (invoked.has_key()) keys.insert(invoked.key);
      recorded.ops.calls.push_back(finish(std::move(typed->call), invoked.key));
      recorded.ops.results.push_back(std::move(typed->result));
      // Operations without :ok have no position of a return: kNone is kNeverReturns.
      static_assert(EdnOperation::kNone == detail::kNeverReturns);
      detail::Interval interval{operation.invoked, operation.returned, 0};
      const uint32_t behind = static_cast<uint32_t>(history_.events.size());
      if (mutant(Mutant::kInfoDidNotHappen) && returned == nullptr) interval.call += behind;
      if (mutant(Mutant::kReturnsAtTheEnd) && returned != nullptr) interval.ret += behind;
      recorded.ops.intervals.push_back(interval);
      recorded.origins.push_back({invoked.process, place(invoked),
                                  returned != nullptr ? place(*returned) : RecordedPlace{}});
    }
    verdict_.keys = keys.size();
    return {};
  }
  RecordedPlace place(const EdnEvent& event) const {
    return {event.at.line, history_.one_event_a_line ? 0 : event.at.column};
  }

  const EdnHistory& history_;
  const HistoryOptions& options_;
  HistoryVerdict& verdict_;
};

std::string with_colons(const std::vector<std::string_view>& functions) {
  std::vector<std::string> names;
  for (const std::string_view function : functions) names.push_back(fmt::format(":{}", function));
  return join(names, ", ");
}

bool knows(const HistoryModel& model, std::string_view function) {
  return std::find(model.functions.begin(), model.functions.end(), function) !=
         model.functions.end();
}

// The model that all functions of the history tell; nothing else does.
Result<const HistoryModel*> model_of(const EdnHistory& history) {
  std::vector<std::string_view> functions;
  for (const EdnEvent& event : history.events) {
    const std::string_view function = history.values.text_of(event.f);
    if (std::find(functions.begin(), functions.end(), function) == functions.end()) {
      functions.push_back(function);
    }
    if (functions.size() > 8) break;  // more than any model knows
  }
  std::vector<const HistoryModel*> fitting;
  for (const HistoryModel& model : history_models()) {
    if (std::all_of(functions.begin(), functions.end(),
                    [&](std::string_view function) { return knows(model, function); })) {
      fitting.push_back(&model);
    }
  }
  const auto leave_out = [&](std::string_view name) {
    if (fitting.size() == 1) return;
    std::erase_if(fitting, [&](const HistoryModel* model) { return model->name == name; });
  };
  // A register is one with compare-and-swap that nobody used. Several have transactions.
  leave_out("register");
  if (functions.size() > 1 || functions[0] == "write") leave_out("multi-register");
  if (fitting.size() == 1) return fitting[0];
  std::vector<std::string> names;
  for (const HistoryModel* model : fitting) names.emplace_back(model->name);
  if (!names.empty()) {
    return Error{
        fmt::format("{}: {} can be operations of several models; say which with --model: {}",
                    history.name, with_colons(functions), join(names, ", "))};
  }
  for (const HistoryModel& model : history_models()) {
    names.push_back(fmt::format("{} ({})", model.name, with_colons(model.functions)));
  }
  return Error{fmt::format("{}: no model has all of {}; the models are {}", history.name,
                           with_colons(functions), join(names, ", "))};
}

Result<const HistoryModel*> chosen_model(const EdnHistory& history, const std::string& name) {
  if (name.empty()) return model_of(history);
  const auto& models = history_models();
  const auto model = std::find_if(models.begin(), models.end(),
                                  [&](const HistoryModel& known) { return known.name == name; });
  for (const EdnEvent& event : history.events) {
    if (knows(*model, history.values.text_of(event.f))) continue;
    return history.error(
        event.f_at, ":f",
        fmt::format("found {}; the model {} knows {}", history.values.show(event.f), name,
                    with_colons(model->functions)));
  }
  return &*model;
}

// The value of --initial.
Result<Id> read_initial(edn::Values& values, const std::string& text) {
  edn::Reader reader(text, values);
  const std::optional<Id> value = reader.value();
  if (value && reader.at_end() && !reader.failure()) return *value;
  return Error{fmt::format("--initial {}: {}", quoted_for_message(text),
                           reader.failure() ? reader.failure()->what
                                            : "one value in EDN is right, such as 0 or {:x 0}")};
}

}  // namespace

const std::vector<HistoryModel>& history_models() {
  static const std::vector<HistoryModel> models = {
      {"register", "a value that is read and written", {"read", "write"}},
      {"cas-register", "the same with compare-and-swap", {"read", "write", "cas"}},
      {"multi-register", "registers under transactions", {"txn", "read", "write"}},
      {"mutex", "held by one at a time", {"acquire", "release"}},
      {"fifo-queue", "first in, first out", {"enqueue", "dequeue"}},
      {"unordered-queue", "in, and out in any order", {"enqueue", "dequeue"}},
      {"set", "that only grows", {"add", "read"}},
      {"kv", "strings by :key", {"put", "append", "get"}},
  };
  return models;
}

Result<HistoryVerdict> check_edn_history(EdnHistory& history, const HistoryOptions& options) {
  const Result<const HistoryModel*> chosen = chosen_model(history, options.model);
  if (!chosen) return chosen.error();
  const std::string_view name = (*chosen)->name;
  HistoryVerdict verdict;
  verdict.format = HistoryFormat::kEdn;
  verdict.model = name;
  verdict.failed = history.failed;
  verdict.left_out = history.left_out;
  for (const Id other : history.not_clients) {
    verdict.not_clients.push_back(history.values.show(other));
  }
  const bool has_registers = name.ends_with("register");
  if (options.initial && !has_registers) {
    return Error{fmt::format("--initial is for registers; a {} is always the same at first", name)};
  }
  if (options.nil_is_unknown && !has_registers) {
    return Error{
        fmt::format("--nil-unknown is for registers; a {} has no reads that return nil", name)};
  }
  Id initial = edn::Values::kNil;
  if (options.initial) {
    const Result<Id> read = read_initial(history.values, *options.initial);
    if (!read) return read.error();
    initial = *read;
  }

  Check check(history, options, verdict);
  Result<void> checked;
  if (name == "multi-register") {
    MultiRegisterModel::Spec spec;
    if (options.initial && history.values.kind(initial) != Kind::kMap) {
      return Error{fmt::format("--initial {}: a map from keys to values is right, such as {{:x 0}}",
                               history.values.show(initial))};
    }
    const auto items = options.initial ? history.values.items_of(initial) : std::span<const Id>();
    for (size_t i = 0; i < items.size(); i += 2) spec.start[items[i]] = items[i + 1];
    checked = check.run(MultiRegisterModel(history, options.nil_is_unknown), std::move(spec));
  } else if (has_registers) {
    const bool nil_is_unknown = options.nil_is_unknown || mutant(Mutant::kNilReadsAnything);
    checked = check.run(RegisterModel(history, nil_is_unknown), {initial});
  } else if (name == "mutex") {
    checked = check.run(MutexModel(history));
  } else if (name == "fifo-queue" && !mutant(Mutant::kFifoForgetsOrder)) {
    checked = check.run(QueueModel<FifoQueueSpec>(history));
  } else if (name.ends_with("queue")) {
    checked = check.run(QueueModel<UnorderedQueueSpec>(history));
  } else if (name == "set") {
    checked = check.run(SetModel(history));
  } else {
    checked = check.run(KeyValueModel(history));
  }
  if (!checked) return checked.error();
  return verdict;
}

}  // namespace ordeal
