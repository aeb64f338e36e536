#include "explore/store/counting_sort.h"

#include <algorithm>

namespace ordeal::explore {

Result<bool> CountingSort::Cursor::refill(Head& head) {
  const uint64_t left = head.run->count - head.read;
  head.at = 0;
  head.block.resize(std::min<uint64_t>(kBlock, left));
  if (left == 0) return false;
  const Result<void> read = head.run->file.read(head.read * sizeof(Item), head.block.data(),
                                                head.block.size() * sizeof(Item));
  if (!read) return read.error();
  head.read += head.block.size();
  return true;
}

Result<void> CountingSort::Cursor::add(const Run& run) {
  Head head;
  head.run = &run;
  const Result<bool> any = refill(head);
  if (!any) return any.error();
  if (*any) heads_.push_back(std::move(head));
  return {};
}

Result<bool> CountingSort::Cursor::next(Item& out) {
  if (buffer_ != nullptr) {
    if (at_ == buffer_->size()) return false;
    out = (*buffer_)[at_++];
    return true;
  }
  bool any = false;
  for (;;) {
    Head* least = nullptr;
    for (Head& head : heads_) {
      if (least == nullptr || head.block[head.at].before(least->block[least->at])) least = &head;
    }
    if (least == nullptr) return any;
    const Item& item = least->block[least->at];
    if (any && !item.same(out)) return true;
    const uint64_t before = any ? out.count : 0;
    out = item;
    out.count += before;
    any = true;
    if (++least->at < least->block.size()) continue;
    const Result<bool> more = refill(*least);
    if (!more) return more.error();
    if (!*more) heads_.erase(heads_.begin() + (least - heads_.data()));
  }
}

void CountingSort::settle() {
  std::sort(buffer_.begin(), buffer_.end(),
            [](const Item& a, const Item& b) { return a.before(b); });
  size_t kept = 0;
  for (size_t i = 0; i < buffer_.size(); ++i) {
    if (kept > 0 && buffer_[kept - 1].same(buffer_[i])) {
      buffer_[kept - 1].count += buffer_[i].count;
    } else {
      buffer_[kept++] = buffer_[i];
    }
  }
  buffer_.resize(kept);
}

Result<void> CountingSort::write(const std::vector<Item>& items, Run& run) {
  const Result<uint64_t> at = run.file.append(items.data(), items.size() * sizeof(Item));
  if (!at) return at.error();
  run.count += items.size();
  return {};
}

Result<void> CountingSort::store() {
  settle();
  Result<ScratchFile> file = ScratchFile::in(folder_);
  if (!file) return file.error();
  Run run(std::move(*file));
  if (auto done = write(buffer_, run); !done) return done;
  buffer_.clear();
  if (tiers_.empty()) tiers_.emplace_back();
  tiers_[0].push_back(std::move(run));
  for (size_t tier = 0; tiers_[tier].size() == kMostRuns; ++tier) {
    if (auto done = merge(tier); !done) return done;
  }
  return {};
}

Result<void> CountingSort::merge(size_t tier) {
  Cursor cursor;
  for (const Run& run : tiers_[tier]) {
    if (auto done = cursor.add(run); !done) return done;
  }
  Result<ScratchFile> file = ScratchFile::in(folder_);
  if (!file) return file.error();
  Run merged(std::move(*file));
  std::vector<Item> block;
  for (Item item;;) {
    const Result<bool> more = cursor.next(item);
    if (!more) return more.error();
    if (*more) block.push_back(item);
    if (block.size() == kBlock || !*more) {
      if (auto done = write(block, merged); !done) return done;
      block.clear();
    }
    if (!*more) break;
  }
  if (tier + 1 == tiers_.size()) tiers_.emplace_back();
  tiers_[tier].clear();
  tiers_[tier + 1].push_back(std::move(merged));
  return {};
}

Result<CountingSort::Cursor> CountingSort::sorted() {
  Cursor cursor;
  if (tiers_.empty()) {
    settle();
    cursor.buffer_ = &buffer_;
    return cursor;
  }
  if (const auto done = store(); !done) return done.error();
  buffer_.shrink_to_fit();
  for (const std::vector<Run>& runs : tiers_) {
    for (const Run& run : runs) {
      if (const auto done = cursor.add(run); !done) return done.error();
    }
  }
  return cursor;
}

}  // namespace ordeal::explore
