#include "ordeal/detail/labelling.h"

#include <algorithm>

#include "base/hash.h"
#include "base/mutant.h"

namespace ordeal::detail {
namespace {

constexpr uint64_t kSingledOut = 0x7fb5d329728ea185ULL;

size_t distinct(std::vector<uint64_t> colours) {
  std::sort(colours.begin(), colours.end());
  return static_cast<size_t>(std::unique(colours.begin(), colours.end()) - colours.begin());
}

}  // namespace

Labelling::Labelling(std::vector<std::vector<uint8_t>> classes) : classes_(std::move(classes)) {
  for (const std::vector<uint8_t>& one : classes_) {
    places_.insert(places_.end(), one.begin(), one.end());
    ends_.push_back(places_.size());
  }
  points_ = places_.size();
  order_ = places_;
}

bool Labelling::sort(const std::vector<uint64_t>& colours) {
  // A handful of points, often in order already: insertion sort.
  bool all_differ = true;
  size_t begin = 0;
  for (size_t end : ends_) {
    for (size_t i = begin; i < end; ++i) {
      const uint8_t point = places_[i];
      const uint64_t colour = colours[point];
      size_t at = i;
      while (at > begin && colours[order_[at - 1]] > colour) {
        order_[at] = order_[at - 1];
        --at;
      }
      if (at > begin && colours[order_[at - 1]] == colour) all_differ = false;
      order_[at] = point;
    }
    begin = end;
  }
  return all_differ;
}

void Labelling::assign(std::vector<uint8_t>& to) const {
  to.resize(points_);
  for (size_t i = 0; i < points_; ++i) to[order_[i]] = places_[i];
}

bool Labelling::exchangeable(uint8_t a, uint8_t b, Source& source) {
  uint8_t& known = known_[std::min(a, b) * points_ + std::max(a, b)];
  if (known == 0) known = source.exchangeable(a, b) ? 2 : 1;
  return known == 2;
}

bool Labelling::find_tie(const std::vector<uint64_t>& colours, Source& source, size_t& begin,
                         size_t& end) {
  size_t first = 0;
  for (size_t last : ends_) {
    for (begin = first; begin < last; begin = end) {
      end = begin + 1;
      while (end < last && colours[order_[end]] == colours[order_[begin]]) ++end;
      // Being exchangeable is an equivalence: comparing neighbours is enough.
      for (size_t i = begin + 1; i < end; ++i) {
        if (!exchangeable(order_[i - 1], order_[i], source)) return true;
      }
    }
    first = last;
  }
  return false;
}

void Labelling::find(const std::vector<uint64_t>& colours, Source& source,
                     std::vector<uint8_t>& to) {
  const bool all_differ = sort(colours);
  if (!all_differ) {
    known_.assign(points_ * points_, 0);
    size_t begin = 0;
    size_t end = 0;
    if (find_tie(colours, source, begin, end)) {
      relations_.assign(points_ * points_, 0);
      for (uint8_t a = 0; a < points_; ++a) {
        for (uint8_t b = 0; b < points_; ++b) {
          if (a != b) relations_[a * points_ + b] = source.relation(a, b);
        }
      }
      found_ = false;
      search(colours, source, to);
      return;
    }
  }
  assign(to);
}

// Tells points apart by the colours of those they occur together with, until nothing changes.
void Labelling::refine(std::vector<uint64_t>& colours) {
  size_t cells = distinct(colours);
  while (cells < points_) {
    std::vector<uint64_t> finer(points_);
    for (size_t a = 0; a < points_; ++a) {
      uint64_t sum = 0;
      for (size_t b = 0; b < points_; ++b) {
        if (a != b) sum += combine(colours[b], relations_[a * points_ + b]);
      }
      finer[a] = combine(colours[a], sum);
    }
    const size_t now = distinct(finer);
    if (now == cells) return;
    cells = now;
    colours = std::move(finer);
  }
}

void Labelling::search(std::vector<uint64_t> colours, Source& source, std::vector<uint8_t>& best) {
  refine(colours);
  sort(colours);
  size_t begin = 0;
  size_t end = 0;
  if (!find_tie(colours, source, begin, end)) {
    assign(trial_);
    const uint64_t fingerprint = source.image(trial_);
    if (found_ && fingerprint >= least_) return;
    found_ = true;
    least_ = fingerprint;
    best = trial_;
    return;
  }
  const std::vector<uint8_t> tied(order_.begin() + static_cast<ptrdiff_t>(begin),
                                  order_.begin() + static_cast<ptrdiff_t>(end));
  std::vector<uint8_t> tried;
  for (uint8_t point : tied) {
    const bool same_again = std::any_of(tried.begin(), tried.end(), [&](uint8_t other) {
      return exchangeable(other, point, source);
    });
    if (same_again) continue;
    tried.push_back(point);
    std::vector<uint64_t> next = colours;
    next[point] = combine(next[point], kSingledOut);
    search(std::move(next), source, best);
    if (mutant(Mutant::kTiesNotTried)) return;
  }
}

}  // namespace ordeal::detail
