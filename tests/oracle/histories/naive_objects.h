// The objects of Jepsen's histories, in plain words (see naive.h), and their values in EDN.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "tests/oracle/histories/naive.h"

namespace ordeal::histories {

inline int small(Rng& rng, uint64_t bound) { return static_cast<int>(rng.below(bound)); }

inline std::string with_spaces(const Numbers& numbers) {
  std::vector<std::string> words;
  for (const int number : numbers) words.push_back(std::to_string(number));
  return join(words, " ");
}

class NaiveRegister : public NaiveObject {
 public:
  explicit NaiveRegister(bool has_cas) : has_cas_(has_cas) {}

  std::string model() const override { return has_cas_ ? "cas-register" : "register"; }
  NaiveCall random_call(Rng& rng) const override {
    switch (rng.below(has_cas_ ? 3 : 2)) {
      case 0:
        return {"read", {}};
      case 1:
        return {"write", {small(rng, 3)}};
      default:
        return {"cas", {small(rng, 3), small(rng, 3)}};
    }
  }
  Numbers random_result(Rng& rng, const NaiveCall& call) const override {
    if (call.f != "read" || rng.below(4) == 0) return {};
    return {small(rng, 3)};
  }
  // No number: nil.
  std::vector<NaiveStep> steps(const Numbers& state, const NaiveCall& call) const override {
    if (call.f == "read") return {{state, state}};
    if (call.f == "write") return {{call.argument, {}}};
    if (state != Numbers{call.argument[0]}) return {};
    return {{{call.argument[1]}, {}}};
  }
  std::string argument_text(Rng&, const NaiveCall& call) const override {
    if (call.f == "read") return "nil";
    return call.f == "write" ? with_spaces(call.argument)
                             : fmt::format("[{}]", with_spaces(call.argument));
  }
  std::string result_text(Rng& rng, const NaiveCall& call, const Numbers& result) const override {
    if (call.f != "read") return argument_text(rng, call);
    return result.empty() ? "nil" : with_spaces(result);
  }

 private:
  bool has_cas_;
};

// Holds 0 at first; a read that returned nil may have read anything.
class NaiveDoubtfulRegister : public NaiveRegister {
 public:
  NaiveDoubtfulRegister() : NaiveRegister(true) {}

  Numbers initial() const override { return {0}; }
  std::string initial_text() const override { return "0"; }
  bool nil_is_unknown() const override { return true; }
  std::vector<NaiveStep> steps(const Numbers& state, const NaiveCall& call) const override {
    std::vector<NaiveStep> out = NaiveRegister::steps(state, call);
    if (call.f == "read") out.push_back({state, {}});
    return out;
  }
};

// Two registers with compare-and-swap; what comes first in an argument is which. -1 is nil.
class NaivePairs : public NaiveObject {
 public:
  std::string model() const override { return "cas-register"; }
  bool has_pairs() const override { return true; }
  Numbers initial() const override { return {-1, -1}; }
  NaiveCall random_call(Rng& rng) const override {
    NaiveCall call = register_.random_call(rng);
    call.argument.insert(call.argument.begin(), small(rng, 2));
    return call;
  }
  Numbers random_result(Rng& rng, const NaiveCall& call) const override {
    return register_.random_result(rng, inner(call));
  }
  std::vector<NaiveStep> steps(const Numbers& state, const NaiveCall& call) const override {
    const size_t key = static_cast<size_t>(call.argument[0]);
    const Numbers held = state[key] == -1 ? Numbers{} : Numbers{state[key]};
    std::vector<NaiveStep> out = register_.steps(held, inner(call));
    for (NaiveStep& step : out) {
      Numbers after = state;
      after[key] = step.state.empty() ? -1 : step.state[0];
      step.state = after;
    }
    return out;
  }
  std::string argument_text(Rng& rng, const NaiveCall& call) const override {
    return pair(rng, call, register_.argument_text(rng, inner(call)));
  }
  std::string result_text(Rng& rng, const NaiveCall& call, const Numbers& result) const override {
    return pair(rng, call, register_.result_text(rng, inner(call), result));
  }

 private:
  static NaiveCall inner(const NaiveCall& call) {
    return {call.f, Numbers(call.argument.begin() + 1, call.argument.end())};
  }
  static std::string pair(Rng& rng, const NaiveCall& call, const std::string& value) {
    const char* tag = rng.below(2) == 0 ? "#jepsen.independent/tuple " : "";
    return fmt::format("{}[{} {}]", tag, call.argument[0] == 0 ? ":x" : "\"y\"", value);
  }

  NaiveRegister register_{true};
};

class NaiveMutex : public NaiveObject {
 public:
  std::string model() const override { return "mutex"; }
  NaiveCall random_call(Rng& rng) const override {
    return {rng.below(2) == 0 ? "acquire" : "release", {}};
  }
  Numbers random_result(Rng&, const NaiveCall&) const override { return {}; }
  std::vector<NaiveStep> steps(const Numbers& state, const NaiveCall& call) const override {
    if (state.empty() != (call.f == "acquire")) return {};
    return {{state.empty() ? Numbers{1} : Numbers{}, {}}};
  }
  std::string argument_text(Rng& rng, const NaiveCall&) const override {
    return rng.below(2) == 0 ? "nil" : "";
  }
  std::string result_text(Rng& rng, const NaiveCall& call, const Numbers&) const override {
    return argument_text(rng, call);
  }
};

class NaiveQueue : public NaiveObject {
 public:
  NaiveQueue(bool is_ordered, uint64_t values) : is_ordered_(is_ordered), values_(values) {}

  std::string model() const override { return is_ordered_ ? "fifo-queue" : "unordered-queue"; }
  NaiveCall random_call(Rng& rng) const override {
    if (rng.below(2) == 0) return {"dequeue", {}};
    return {"enqueue", {small(rng, values_)}};
  }
  Numbers random_result(Rng& rng, const NaiveCall& call) const override {
    return call.f == "dequeue" ? Numbers{small(rng, values_)} : Numbers{};
  }
  std::vector<NaiveStep> steps(const Numbers& state, const NaiveCall& call) const override {
    Numbers after = state;
    if (call.f == "enqueue") {
      after.push_back(call.argument[0]);
      return {{after, {}}};
    }
    std::vector<NaiveStep> out;
    for (size_t i = 0; i < (is_ordered_ ? std::min<size_t>(1, state.size()) : state.size()); ++i) {
      after = state;
      after.erase(after.begin() + static_cast<ptrdiff_t>(i));
      out.push_back({after, {state[i]}});
    }
    return out;
  }
  std::string argument_text(Rng&, const NaiveCall& call) const override {
    return call.f == "dequeue" ? "nil" : with_spaces(call.argument);
  }
  std::string result_text(Rng& rng, const NaiveCall& call, const Numbers& result) const override {
    return call.f == "dequeue" ? with_spaces(result) : argument_text(rng, call);
  }

 private:
  bool is_ordered_;
  uint64_t values_;
};

class NaiveSet : public NaiveObject {
 public:
  std::string model() const override { return "set"; }
  NaiveCall random_call(Rng& rng) const override {
    if (rng.below(2) == 0) return {"read", {}};
    return {"add", {small(rng, 3)}};
  }
  Numbers random_result(Rng& rng, const NaiveCall& call) const override {
    Numbers out;
    for (int v = 0; call.f == "read" && v < 3; ++v) {
      if (rng.below(2) == 0) out.push_back(v);
    }
    return out;
  }
  std::vector<NaiveStep> steps(const Numbers& state, const NaiveCall& call) const override {
    if (call.f == "read") return {{state, state}};
    std::set<int> after(state.begin(), state.end());
    after.insert(call.argument[0]);
    return {{{after.begin(), after.end()}, {}}};
  }
  std::string argument_text(Rng&, const NaiveCall& call) const override {
    return call.f == "read" ? "nil" : with_spaces(call.argument);
  }
  std::string result_text(Rng& rng, const NaiveCall& call, const Numbers& result) const override {
    if (call.f == "add") return argument_text(rng, call);
    Numbers shuffled = result;
    for (size_t i = shuffled.size(); i > 1; --i) std::swap(shuffled[i - 1], shuffled[rng.below(i)]);
    const std::string text = with_spaces(shuffled);
    return rng.below(2) == 0 ? "#{" + text + "}" : "[" + text + "]";
  }
};

// Two registers; an argument is a list of parts: register, and the value that is written or -1.
class NaiveRegisters : public NaiveObject {
 public:
  std::string model() const override { return "multi-register"; }
  NaiveCall random_call(Rng& rng) const override {
    const uint64_t kind = rng.below(3);
    NaiveCall call{kind == 0 ? "read" : kind == 1 ? "write" : "txn", {}};
    std::set<int> seen;
    for (uint64_t n = 1 + rng.below(2); n > 0; --n) {
      const int key = small(rng, 2);
      // In a map a key is there once.
      if (kind != 2 && !seen.insert(key).second) continue;
      const bool writes = kind == 1 || (kind == 2 && rng.below(2) == 0);
      call.argument.push_back(key);
      call.argument.push_back(writes ? small(rng, 2) : -1);
    }
    return call;
  }
  Numbers random_result(Rng& rng, const NaiveCall& call) const override {
    Numbers out;
    for (size_t i = 1; i < call.argument.size(); i += 2) {
      if (call.argument[i] == -1) out.push_back(small(rng, 3) - 1);
    }
    return out;
  }
  // -1 is nil.
  std::vector<NaiveStep> steps(const Numbers& state, const NaiveCall& call) const override {
    Numbers after = state.empty() ? Numbers{-1, -1} : state;
    Numbers result;
    for (size_t i = 0; i < call.argument.size(); i += 2) {
      int& held = after[static_cast<size_t>(call.argument[i])];
      if (call.argument[i + 1] == -1) {
        result.push_back(held);
      } else {
        held = call.argument[i + 1];
      }
    }
    return {{after, result}};
  }
  std::string argument_text(Rng& rng, const NaiveCall& call) const override {
    return result_text(rng, call, Numbers(call.argument.size(), -1));
  }
  std::string result_text(Rng& rng, const NaiveCall& call, const Numbers& result) const override {
    // As it was invoked, so it returns.
    const bool as_map = call.f != "txn" && call.argument[0] == 0;
    const bool brief = rng.below(2) == 0;
    std::vector<std::string> parts;
    size_t reads = 0;
    for (size_t i = 0; i < call.argument.size(); i += 2) {
      const bool writes = call.argument[i + 1] != -1;
      const int value = writes ? call.argument[i + 1] : result[reads++];
      const std::string text = value == -1 ? "nil" : std::to_string(value);
      const char* key = call.argument[i] == 0 ? ":x" : "\"y\"";
      const char* f = writes ? (brief ? ":w" : ":write") : (brief ? ":r" : ":read");
      parts.push_back(as_map ? fmt::format("{} {}", key, text)
                             : fmt::format("[{} {} {}]", f, key, text));
    }
    const std::string text = join(parts, " ");
    return as_map ? "{" + text + "}" : "[" + text + "]";
  }
};

}  // namespace ordeal::histories
