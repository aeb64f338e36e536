// Random histories in EDN, in all layouts, of clients that use an object.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "tests/oracle/histories/naive.h"

namespace ordeal::histories {

// The text of a history, and what it says.
struct Recorded {
  std::string text;
  std::vector<NaiveOperation> operations;  // those that may have happened
  size_t failed = 0, left_out = 0;
};

// Clients of a real object: an operation takes effect at some time between call and return; but of
// ten results `wrong` are anything. Of ten operations `lost` end with :info.
class Recorder {
 public:
  Recorder(const NaiveObject& object, Rng& rng, size_t clients, size_t operations, uint64_t wrong,
           uint64_t lost)
      : object_(object),
        rng_(rng),
        clients_(clients),
        left_(operations),
        wrong_(wrong),
        lost_(lost),
        state_(object.initial()) {}

  Recorded record() {
    std::vector<Client> running(clients_);
    for (size_t i = 0; i < clients_; ++i) running[i].process = i;
    next_process_ = clients_;
    begin();
    while (left_ > 0 || std::any_of(running.begin(), running.end(),
                                    [](const Client& client) { return client.is_busy; })) {
      step(running[rng_.below(clients_)]);
      if (left_ == 0 && rng_.below(8) == 0) break;  // the rest is cut off
    }
    for (Client& client : running) {
      if (client.is_busy) keep(client, std::nullopt);
    }
    end();
    std::sort(out_.operations.begin(), out_.operations.end(),
              [](const auto& a, const auto& b) { return a.called < b.called; });
    return std::move(out_);
  }

 private:
  struct Client {
    size_t process = 0;
    bool is_busy = false, is_done = false;
    NaiveOperation operation;
    std::optional<Numbers> result;  // after it took effect
  };

  void step(Client& client) {
    if (rng_.below(20) == 0) nemesis();
    if (!client.is_busy) {
      if (left_ == 0) return;
      --left_;
      client.is_busy = true;
      client.is_done = false;
      client.operation = {object_.random_call(rng_), std::nullopt, position_, 0};
      client.result.reset();
      event(client, "invoke", object_.argument_text(rng_, client.operation.call));
    } else if (!client.is_done && rng_.below(2) == 0) {
      take_effect(client);
    } else if (rng_.below(10) < lost_) {
      event(client, "info", "\"timed out\"");
      keep(client, std::nullopt);
      client.process = next_process_++;
    } else {
      finish(client);
    }
  }
  void take_effect(Client& client) {
    client.is_done = true;
    const std::vector<NaiveStep> ways = object_.steps(state_, client.operation.call);
    if (ways.empty()) return;
    const NaiveStep& way = ways[rng_.below(ways.size())];
    state_ = way.state;
    client.result = way.result;
  }
  void finish(Client& client) {
    if (!client.is_done) take_effect(client);
    const NaiveCall& call = client.operation.call;
    if (rng_.below(10) < wrong_) client.result = object_.random_result(rng_, call);
    if (!client.result) {
      event(client, "fail", rng_.below(2) == 0 ? ":no" : object_.argument_text(rng_, call));
      client.is_busy = false;
      ++out_.failed;
      return;
    }
    client.operation.returned = position_;
    event(client, "ok", object_.result_text(rng_, call, *client.result));
    keep(client, client.result);
  }
  void keep(Client& client, std::optional<Numbers> result) {
    client.operation.result = std::move(result);
    out_.operations.push_back(client.operation);
    client.is_busy = false;
  }

  void begin() {
    layout_ = rng_.below(4);
    if (layout_ == 1) out_.text = "; a vector\n[";
    if (layout_ == 2) out_.text = "(";
  }
  void end() {
    if (layout_ == 1) out_.text += "]";
    if (layout_ == 2) out_.text += ")\n";
  }
  void event(const Client& client, const std::string& type, const std::string& value) {
    std::vector<std::string> fields = {fmt::format(":process {}", client.process),
                                       fmt::format(":type :{}", type),
                                       fmt::format(":f :{}", client.operation.call.f)};
    if (!value.empty()) fields.push_back(":value " + value);
    if (rng_.below(2) == 0) fields.push_back(fmt::format(":index {}", position_));
    if (rng_.below(2) == 0) fields.push_back(":time 0x1f, :error [:x {:y #object[z 0x7b \"}\"]}]");
    if (rng_.below(4) == 0) fields.push_back("#_:value #_17");
    for (size_t i = fields.size(); i > 1; --i) std::swap(fields[i - 1], fields[rng_.below(i)]);
    add(join(fields, rng_.below(2) == 0 ? ", " : "\n "));
    ++position_;
  }
  void nemesis() {
    add(fmt::format(":type :info :f :{} :value 1 :process :nemesis", object_.random_call(rng_).f));
    ++out_.left_out;
  }
  void add(const std::string& fields) {
    if (rng_.below(4) == 0) out_.text += "#jepsen.history.Op";
    out_.text += "{" + fields + "}";
    out_.text += layout_ == 3 ? " " : "\n";
  }

  const NaiveObject& object_;
  Rng& rng_;
  size_t clients_, left_;
  uint64_t wrong_, lost_;
  size_t next_process_ = 0;
  size_t position_ = 0;
  uint64_t layout_ = 0;
  Numbers state_;
  Recorded out_;
};

}  // namespace ordeal::histories
