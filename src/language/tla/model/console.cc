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
  Console(std::string directory, bool may_write)
      : directory_(std::move(directory)), may_write_(may_write) {
    // What TLC says of how it was called. A search comes to the same on any number of threads, so
    // specifications that ask for one have it; actions can be composed.
    const std::pair<const char*, Value> config[] = {
        {"mode", string_value("bfs")},      {"worker", Value::small(1)},
        {"deadlock", Value::boolean(true)}, {"depth", Value::small(-1)},
        {"traces", Value::small(-1)},       {"seed", Value::small(0)},
        {"fingerprint", Value::small(0)}};
    keep("config", config);
    // Specifications ask whether they are run by something that is new enough.
    const std::pair<const char*, Value> revision[] = {
        {"calver", string_value("2026.01.01")},
        {"count", Value::small(0)},
        {"date", string_value("2026-01-01T00:00:00.0Z")},
        {"tag", string_value("ordeal")},
        {"timestamp", Value::small(1767225600)}};
    keep("revision", revision);
    // What is found does not depend on a clock.
    set(string_value("duration"), Value::small(0));
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
    for (const auto& [name, value] : figures) set(string_value(name), value);
    keep("stats", figures);
  }
  uint64_t random(uint64_t bound) override {
    const std::lock_guard lock(mutex_);
    return random_.below(bound);
  }
  std::string directory() const override { return directory_; }
  bool may_write() const override { return may_write_; }

 private:
  // A record, under a name.
  void keep(const char* name, std::span<const std::pair<const char*, Value>> fields) {
    std::vector<Value> names;
    std::vector<Value> values;
    for (const auto& [field, value] : fields) {
      names.push_back(string_value(field));
      values.push_back(value);
    }
    Heap scratch;
    set(string_value(name), make_record(scratch, names, values));
  }

  std::string directory_;
  bool may_write_;
  std::mutex mutex_;
  std::map<std::string, Value> registers_;  // by the printed key
  Pool kept_;
  Rng random_{0};
};

}  // namespace

std::unique_ptr<Host> make_console(std::string directory, bool may_write) {
  return std::make_unique<Console>(std::move(directory), may_write);
}

}  // namespace ordeal::tla
