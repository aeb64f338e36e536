// The tables of the layered search: configurations of one layer, and the paths that led to them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ordeal/detail/linear_memo.h"

namespace ordeal::detail {

// Rows of some words each, in chunks: a table that grows in place would for a moment need three
// times its memory.
class RowStore {
 public:
  void reset(size_t stride) {
    if (stride != stride_) chunks_.clear();
    stride_ = stride;
    count_ = 0;
  }
  void clear() { count_ = 0; }
  // Gives back the memory of rows that are not there.
  void trim() { chunks_.resize((count_ + kRows - 1) / kRows); }

  uint32_t add(const uint64_t* row) {
    if (count_ / kRows == chunks_.size()) {
      chunks_.push_back(std::make_unique<uint64_t[]>(kRows * stride_));
    }
    std::copy(row, row + stride_, (*this)[static_cast<uint32_t>(count_)]);
    return static_cast<uint32_t>(count_++);
  }
  uint64_t* operator[](uint32_t row) {
    return chunks_[row / kRows].get() + (row % kRows) * stride_;
  }
  uint32_t size() const { return static_cast<uint32_t>(count_); }
  size_t bytes() const { return chunks_.size() * kRows * stride_ * sizeof(uint64_t); }

 private:
  static constexpr size_t kRows = 1024;

  size_t stride_ = 0, count_ = 0;
  std::vector<std::unique_ptr<uint64_t[]>> chunks_;
};

// How a configuration lies in a row: a word with its state, one with the node of its path and one
// with its cost; the updates and the queries under way that have taken effect; and how many
// operations that never return were used, by kind, four to a word.
struct RowShape {
  static constexpr size_t kState = 0, kNode = 1, kCost = 2, kUpdates = 3;

  size_t update_words = 0, query_words = 0, count_words = 0;
  std::vector<uint64_t> counted;  // of the count words, the bits that count

  size_t queries() const { return kUpdates + update_words; }
  size_t counts() const { return queries() + query_words; }
  size_t stride() const { return counts() + count_words; }
};

// The configurations of a layer.
class LayerTable {
 public:
  static constexpr uint32_t kCovered = UINT32_MAX;

  void reset(const RowShape& shape) {
    shape_ = &shape;
    rows_.reset(shape.stride());
    clear();
  }
  void clear() {
    rows_.clear();
    links_.clear();
    same_.assign(kFirstSlots, 0);
    groups_.assign(kFirstSlots, 0);
  }
  void trim() { rows_.trim(); }

  // Stores a configuration unless an earlier one is as good: equal ones are always found; of those
  // that might be better only some are looked at, because there can be very many. Those that this
  // one outdoes at no higher price are taken out.
  uint32_t insert(const uint64_t* row) {
    const uint64_t group = group_hash(row);
    const uint64_t whole = whole_hash(group, row);
    for (uint32_t at = same_[whole & (same_.size() - 1)]; at != 0; at = links_[at - 1].same) {
      if (equal(rows_[at - 1], row)) return kCovered;
    }
    const size_t head = group & (groups_.size() - 1);
    uint32_t* link = &groups_[head];
    for (int looks = kLooks; *link != 0 && looks > 0;) {
      const uint32_t at = *link;
      uint64_t* stored = rows_[at - 1];
      if (same_group(stored, row)) {
        if (as_good(stored, row)) return kCovered;
        if ((stored[RowShape::kCost] >> 32) >= (row[RowShape::kCost] >> 32) &&
            as_good(row, stored)) {
          links_[at - 1].dropped = true;
          *link = links_[at - 1].group;
          continue;
        }
        --looks;
      }
      link = &links_[at - 1].group;
    }
    const uint32_t id = rows_.add(row);
    links_.push_back({same_[whole & (same_.size() - 1)], groups_[head], false});
    same_[whole & (same_.size() - 1)] = groups_[head] = id + 1;
    if (rows_.size() > same_.size()) grow();
    return id;
  }

  uint64_t* operator[](uint32_t row) { return rows_[row]; }
  bool dropped(uint32_t row) const { return links_[row].dropped; }
  uint32_t size() const { return rows_.size(); }
  size_t bytes() const {
    return rows_.bytes() + links_.capacity() * sizeof(Link) + same_.capacity() * 8;
  }

 private:
  static constexpr size_t kFirstSlots = 64;
  static constexpr int kLooks = 48;

  struct Link {  // numbers of rows, from 1; 0: none
    uint32_t same, group;
    bool dropped;
  };

  static uint64_t mix(uint64_t seed, uint64_t word) {
    return linear_mix(seed * 0x9e3779b97f4a7c15ULL + word + 0x632be59bd9b4e019ULL);
  }
  uint64_t group_hash(const uint64_t* row) const {
    uint64_t hash = mix(0, row[RowShape::kState]);
    for (size_t w = RowShape::kUpdates; w < shape_->queries(); ++w) hash = mix(hash, row[w]);
    return hash;
  }
  uint64_t whole_hash(uint64_t hash, const uint64_t* row) const {
    for (size_t w = shape_->queries(); w < shape_->counts(); ++w) hash = mix(hash, row[w]);
    const uint64_t* counts = row + shape_->counts();
    for (size_t w = 0; w < shape_->count_words; ++w) {
      hash = mix(hash, counts[w] & shape_->counted[w]);
    }
    return hash;
  }

  bool same_group(const uint64_t* a, const uint64_t* b) const {
    return a[RowShape::kState] == b[RowShape::kState] &&
           std::equal(a + RowShape::kUpdates, a + shape_->queries(), b + RowShape::kUpdates);
  }
  bool equal(const uint64_t* a, const uint64_t* b) const {
    if (!same_group(a, b)) return false;
    if (!std::equal(a + shape_->queries(), a + shape_->counts(), b + shape_->queries())) {
      return false;
    }
    for (size_t w = 0; w < shape_->count_words; ++w) {
      if (((a[shape_->counts() + w] ^ b[shape_->counts() + w]) & shape_->counted[w]) != 0) {
        return false;
      }
    }
    return true;
  }
  // Of two of one group: whether a has all queries that b has, and used no more.
  bool as_good(const uint64_t* a, const uint64_t* b) const {
    for (size_t w = shape_->queries(); w < shape_->counts(); ++w) {
      if ((b[w] & ~a[w]) != 0) return false;
    }
    for (size_t w = 0; w < shape_->count_words; ++w) {
      uint64_t x = a[shape_->counts() + w] & shape_->counted[w];
      uint64_t y = b[shape_->counts() + w] & shape_->counted[w];
      for (; x != 0; x >>= 16, y >>= 16) {
        if ((x & 0xffff) > (y & 0xffff)) return false;
      }
    }
    return true;
  }

  void grow() {
    same_.assign(same_.size() * 4, 0);
    groups_.assign(groups_.size() * 4, 0);
    for (uint32_t row = 0; row < rows_.size(); ++row) {
      const uint64_t group = group_hash(rows_[row]);
      uint32_t& same = same_[whole_hash(group, rows_[row]) & (same_.size() - 1)];
      links_[row].same = std::exchange(same, row + 1);
      if (links_[row].dropped) continue;
      links_[row].group = std::exchange(groups_[group & (groups_.size() - 1)], row + 1);
    }
  }

  const RowShape* shape_ = nullptr;
  RowStore rows_;
  std::vector<Link> links_;
  std::vector<uint32_t> same_, groups_;
};

// Paths that share their beginnings: each node is an operation after those of its parent. Node 0 is
// the empty path.
class PathStore {
 public:
  struct Node {
    uint32_t parent, op;
  };

  void reset() { nodes_.assign(1, {0, 0}); }
  uint32_t add(uint32_t parent, uint32_t op) {
    nodes_.push_back({parent, op});
    return static_cast<uint32_t>(nodes_.size() - 1);
  }
  void path(uint32_t node, std::vector<uint32_t>& out) const {
    out.clear();
    for (; node != 0; node = nodes_[node].parent) out.push_back(nodes_[node].op);
    std::reverse(out.begin(), out.end());
  }
  size_t size() const { return nodes_.size(); }
  size_t bytes() const { return nodes_.capacity() * sizeof(Node); }

  // Forgets the nodes that lead to no row's node, and renumbers the others there.
  void keep_only(RowStore& rows) {
    std::vector<uint32_t> number(nodes_.size(), 0);
    number[0] = 1;
    for (uint32_t row = 0; row < rows.size(); ++row) number[rows[row][RowShape::kNode]] = 1;
    for (size_t node = nodes_.size(); node-- > 1;) {
      if (number[node] != 0) number[nodes_[node].parent] = 1;
    }
    uint32_t count = 0;
    for (size_t node = 0; node < nodes_.size(); ++node) {
      if (number[node] == 0) continue;
      number[node] = count;  // only the empty path gets 0
      nodes_[count++] = {number[nodes_[node].parent], nodes_[node].op};
    }
    nodes_.resize(count);
    for (uint32_t row = 0; row < rows.size(); ++row) {
      rows[row][RowShape::kNode] = number[rows[row][RowShape::kNode]];
    }
  }

 private:
  std::vector<Node> nodes_;
};

}  // namespace ordeal::detail
