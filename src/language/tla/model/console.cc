#include "language/tla/model/console.h"

#include <cstdio>
#include <map>
#include <mutex>

#include "base/rng.h"
#include "language/tla/value/pool.h"

namespace ordeal::tla {

namespace {

class Console final : public Host {
 public:
  explicit Console(std::string directory) : directory_(std::move(directory)) {
    // What TLC says of how it was called. A search comes to the same on any number of threads, so
    // specifications that ask for one have it; actions can be composed.
    const std::pair<const char*, Value> config[] = {
        {"mode", string_value("bfs")},      {"worker", Value::small(1)},
        {"deadlock", Value::boolean(true)}, {"depth", Value::small(-1)},
        {"traces", Value::small(-1)},       {"seed", Value::small(0)},
        {"fingerprint", Value::small(0)}};
    std::vector<Value> names;
    std::vector<Value> values;
    for (const auto& [name, value] : config) {
      names.push_back(string_value(name));
      values.push_back(value);
    }
    Heap scratch;
    set(string_value("config"), make_record(scratch, names, values));
    set(string_value("-Dtlc2.tool.impl.Tool.cdot"), string_value("true"));
  }

  void print(const std::string& line) override {
    const std::lock_guard lock(mutex_);
    std::fprintf(stderr, "%s\n", line.c_str());
  }
  Value get(Heap&, Value key) override {
    const std::lock_guard lock(mutex_);
    const auto known = registers_.find(to_text(key));
    return known == registers_.end() ? Value() : known->second;
  }
  void set(Value key, Value value) override {
    const std::lock_guard lock(mutex_);
    Heap scratch;
    registers_[to_text(key)] = kept_.intern(scratch, value);
  }
  void finished(uint64_t generated, uint64_t distinct, uint32_t depth) override {
    const auto number = [](uint64_t n) { return Value::small(static_cast<int64_t>(n)); };
    // TLC counts the levels of states, not the steps between them.
    const std::pair<const char*, Value> figures[] = {{"generated", number(generated)},
                                                     {"distinct", number(distinct)},
                                                     {"diameter", number(uint64_t{depth} + 1)},
                                                     {"queue", number(0)},
                                                     {"duration", number(0)}};
    std::vector<Value> names;
    std::vector<Value> values;
    for (const auto& [name, value] : figures) {
      set(string_value(name), value);
      names.push_back(string_value(name));
      values.push_back(value);
    }
    Heap scratch;
    set(string_value("stats"), make_record(scratch, names, values));
  }
  uint64_t random(uint64_t bound) override {
    const std::lock_guard lock(mutex_);
    return random_.below(bound);
  }
  std::string directory() const override { return directory_; }

 private:
  std::string directory_;
  std::mutex mutex_;
  std::map<std::string, Value> registers_;  // by the printed key
  Pool kept_;
  Rng random_{0};
};

}  // namespace

std::unique_ptr<Host> make_console(std::string directory) {
  return std::make_unique<Console>(std::move(directory));
}

}  // namespace ordeal::tla
