#include "explore/learn/q_table.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/sealed_file.h"
#include "base/text.h"

namespace ordeal::explore {
namespace {

constexpr const char* kFormat = "ordeal table of a learner 1";

}  // namespace

QTable::Entry* QTable::put(uint64_t key) {
  key = key == 0 ? 1 : key;
  if ((count_ + 1) * 4 > entries_.size() * 3) grow();
  uint64_t at = place(key);
  while (entries_[at].key != 0 && entries_[at].key != key) at = (at + 1) & (entries_.size() - 1);
  Entry& entry = entries_[at];
  if (entry.key == key) return &entry;
  if (count_ >= most_) {
    ++refused_;
    return nullptr;
  }
  entry = {key, initial_, 0};
  ++count_;
  return &entry;
}

void QTable::grow() {
  std::vector<Entry> old(entries_.empty() ? kFirstSize : entries_.size() * 2);
  old.swap(entries_);
  for (const Entry& entry : old) {
    if (entry.key == 0) continue;
    uint64_t at = place(entry.key);
    while (entries_[at].key != 0) at = (at + 1) & (entries_.size() - 1);
    entries_[at] = entry;
  }
}

std::vector<QTable::Entry> QTable::sorted() const {
  std::vector<Entry> out;
  out.reserve(count_);
  for (const Entry& entry : entries_) {
    if (entry.key != 0) out.push_back(entry);
  }
  std::sort(out.begin(), out.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
  return out;
}

Result<void> write_table(const std::string& file, const std::string& about, const QTable& table) {
  const std::string part = file + ".part";
  const int descriptor = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  const auto failed = [&](const std::string& why) {
    return Error{"the table of the learner cannot be written to " + one_line(file) + ": " + why};
  };
  if (descriptor < 0) return failed(std::strerror(errno));
  SealedWriter writer(descriptor);
  writer.text(kFormat);
  writer.text(about);
  writer.number(table.size());
  for (const QTable::Entry& entry : table.sorted()) {
    writer.number(entry.key);
    writer.number(static_cast<uint64_t>(std::bit_cast<uint32_t>(entry.value)) << 32 | entry.visits);
  }
  const Result<void> done = writer.finish();
  ::close(descriptor);
  if (!done || std::rename(part.c_str(), file.c_str()) != 0) {
    const std::string why = done ? std::strerror(errno) : done.error().message;
    ::unlink(part.c_str());
    return failed(why);
  }
  return {};
}

Result<void> read_table(const std::string& file, const std::string& about, QTable& table) {
  const std::string who = "the table of the learner " + one_line(file) + ": ";
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return Error{who + std::strerror(errno)};
  SealedReader reader(descriptor);
  Result<void> out;
  if (!reader.check()) {
    out = Error{who + "it is cut off or changed, or no such table at all"};
  } else if (reader.text() != kFormat) {
    out = Error{who + "it is a file of another kind"};
  } else if (const std::string learned = reader.text(); learned != about) {
    out = Error{who + "it was learned about something else: " + one_line(learned) + ", not " +
                one_line(about)};
  } else {
    const uint64_t count = reader.count(2 * sizeof(uint64_t));
    for (uint64_t i = 0; i < count && !reader.bad(); ++i) {
      const uint64_t key = reader.number();
      const uint64_t both = reader.number();
      QTable::Entry* entry = table.put(key);
      if (entry == nullptr) break;
      entry->value = std::bit_cast<float>(static_cast<uint32_t>(both >> 32));
      entry->visits = static_cast<uint32_t>(both);
    }
    if (reader.bad()) out = Error{who + "it ends too early"};
  }
  ::close(descriptor);
  return out;
}

}  // namespace ordeal::explore
