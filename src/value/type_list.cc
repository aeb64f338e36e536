// All types of the program, for those who know no more of a type than its identity: bytes that come
// from another process.
#include "value/type_list.h"

#include <map>
#include <mutex>
#include <vector>

#include "ordeal/value.h"

namespace ordeal::value {
namespace {

// Filled before main() begins, in any order.
class TypeList {
 public:
  static TypeList& get() {
    static TypeList& list = *new TypeList();
    return list;
  }

  void add(const Type& (*type)()) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(type);
  }
  void add(const Type& type) {
    const std::lock_guard lock(mutex_);
    know(type);
  }
  const Type* find(uint64_t identity) {
    const std::lock_guard lock(mutex_);
    for (const auto type : waiting_) know(type());
    waiting_.clear();
    const auto at = types_.find(identity);
    return at == types_.end() ? nullptr : at->second;
  }

 private:
  void know(const Type& type) {
    const auto [at, is_new] = types_.emplace(type.identity(), &type);
    // Two types that linkers do not tell apart: nobody can say which one bytes are of.
    if (!is_new && at->second != nullptr && !at->second->same_as(type)) at->second = nullptr;
  }

  std::mutex mutex_;
  std::vector<const Type& (*)()> waiting_;
  std::map<uint64_t, const Type*> types_;
};

}  // namespace

bool list_type(const Type& (*type)()) {
  TypeList::get().add(type);
  return true;
}

void list_made_type(const Type& type) { TypeList::get().add(type); }

const Type* find_type(uint64_t identity) { return TypeList::get().find(identity); }

}  // namespace ordeal::value
