// What a value is said to own is what was allocated for it.
#include <gtest/gtest.h>
#include <malloc.h>

#include <array>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "ordeal/value.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

int64_t taken = 0;  // from the allocator, headers included

void* take(size_t bytes) {
  void* memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  taken += static_cast<int64_t>(malloc_usable_size(memory) + 8);
  return memory;
}

void give_back(void* memory) {
  if (memory != nullptr) taken -= static_cast<int64_t>(malloc_usable_size(memory) + 8);
  std::free(memory);
}

}  // namespace

void* operator new(size_t bytes) { return take(bytes); }
void* operator new(size_t bytes, std::align_val_t) { return take(bytes); }
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { give_back(memory); }

namespace ordeal::value {
namespace {

struct Entry {
  uint32_t term = 0;
  std::string command;
};
struct Log {
  std::vector<Entry> entries;
  std::map<NodeId, std::set<uint32_t>> votes;
  std::optional<std::vector<uint64_t>> snapshot;
  std::variant<std::monostate, std::string, std::vector<bool>> rest;
  std::array<std::string, 3> names;
  std::pair<uint32_t, std::multimap<uint32_t, std::string>> more;
};

template <class Make>
void expect_counted(const char* what, const Make& make) {
  const int64_t before = taken;
  const auto value = make();
  EXPECT_EQ(static_cast<int64_t>(owned_bytes(value)), taken - before) << what;
}

TEST(OwnedBytes, AreThoseThatWereAllocated) {
  const std::string longer = "a text that does not fit into the object itself";
  expect_counted("a number", [] { return 7; });
  expect_counted("a short text", [] { return std::string("short"); });
  expect_counted("a text", [&] { return longer; });
  expect_counted("nothing", [] { return std::vector<uint64_t>(); });
  for (size_t size = 1; size < 40; ++size) {
    expect_counted("a list", [&] { return std::vector<uint32_t>(size, 1); });
    expect_counted("bits", [&] { return std::vector<bool>(size * 37, true); });
  }
  expect_counted("a list with room", [] {
    std::vector<uint64_t> list;
    for (uint64_t i = 0; i < 33; ++i) list.push_back(i);
    return list;
  });
  expect_counted("texts", [&] { return std::vector<std::string>(5, longer); });
  expect_counted("a set", [] { return std::set<uint32_t>{1, 2, 3}; });
  expect_counted("a map", [&] { return std::map<uint32_t, std::string>{{1, longer}, {2, ""}}; });
  expect_counted("a pointer", [&] { return std::make_unique<std::string>(longer); });
  expect_counted("a shared one", [&] { return std::make_shared<const std::string>(longer); });
  expect_counted("a record", [&] {
    Log log;
    log.entries = {{1, "x"}, {2, longer}};
    log.votes[1] = {1, 2, 3};
    log.votes[2] = {};
    log.snapshot.emplace(17);
    log.rest = std::vector<bool>(1000);
    log.names[1] = longer;
    log.more.second.emplace(1, longer);
    return log;
  });
}

TEST(OwnedBytes, OfWhatIsSharedAreCountedWhereItHasOneOwner) {
  const auto shared = std::make_shared<const std::string>(100, 'x');
  const auto second = shared;
  EXPECT_EQ(owned_bytes(shared), 0U);
}

TEST(OwnedBytes, OfAnAnyAreCountedOnce) {
  const int64_t before = taken;
  const Any any = Any::of(std::vector<uint64_t>(100));
  const Any copy = any;
  const int64_t bytes = taken - before;
  EXPECT_EQ(static_cast<int64_t>(copy.bytes_once()), bytes);
  EXPECT_EQ(any.bytes_once(), 0U);
  EXPECT_EQ(Any().bytes_once(), 0U);
}

}  // namespace
}  // namespace ordeal::value

#endif
