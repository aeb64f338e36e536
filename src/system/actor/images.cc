#include "system/actor/images.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace ordeal::actor {
namespace {

const std::vector<uint8_t>& class_of(const detail::Points& points, uint8_t point) {
  return *std::find_if(points.classes().begin(), points.classes().end(),
                       [&](const std::vector<uint8_t>& one) {
                         return std::find(one.begin(), one.end(), point) != one.end();
                       });
}

}  // namespace

const std::vector<Images::Image>& Images::of(const value::Any& value) {
  value_ = value;
  images_.clear();
  complete_ = true;
  mentioned_.clear();
  detail::Eye eye(*points_);
  value.hash_as(eye);
  for (uint64_t rest = eye.mentions(); rest != 0; rest &= rest - 1) {
    mentioned_.push_back(static_cast<uint8_t>(std::countr_zero(rest)));
  }
  // Where the points go that occur in the value is all that matters.
  Permutation identity(points_->size());
  std::iota(identity.begin(), identity.end(), uint8_t{0});
  for (const uint8_t point : mentioned_) {
    for (const uint8_t other : class_of(*points_, point)) {
      if (other == point) continue;
      Permutation exchange = identity;
      std::swap(exchange[point], exchange[other]);
      add(exchange);
    }
  }
  goes_to_.assign(points_->size(), -1);
  taken_.assign(points_->size(), false);
  assign(0);
  return images_;
}

// Every way to send the points from number `next` on to places that are still free.
void Images::assign(size_t next) {
  if (!complete_) return;
  if (next == mentioned_.size()) return add(completed());
  const uint8_t point = mentioned_[next];
  for (const uint8_t place : class_of(*points_, point)) {
    if (taken_[place]) continue;
    taken_[place] = true;
    goes_to_[point] = place;
    assign(next + 1);
    taken_[place] = false;
    goes_to_[point] = -1;
  }
}

// The points that do not occur in the value go to what is left.
Images::Permutation Images::completed() const {
  Permutation to(points_->size());
  for (const std::vector<uint8_t>& one : points_->classes()) {
    std::vector<uint8_t> free;
    std::copy_if(one.begin(), one.end(), std::back_inserter(free),
                 [&](uint8_t place) { return !taken_[place]; });
    auto next = free.begin();
    for (const uint8_t point : one) {
      to[point] = goes_to_[point] >= 0 ? static_cast<uint8_t>(goes_to_[point]) : *next++;
    }
  }
  return to;
}

void Images::add(const Permutation& to) {
  value::Any image = value_.renamed(points_->renaming(to));
  const bool known = image.equal(value_) ||
                     std::any_of(images_.begin(), images_.end(),
                                 [&](const Image& other) { return other.value.equal(image); });
  if (known) return;
  if (images_.size() == kMost) {
    complete_ = false;
    return;
  }
  std::string words;
  for (const uint8_t point : mentioned_) {
    if (to[point] == point) continue;
    words +=
        (words.empty() ? "with " : ", ") + points_->name(point) + " as " + points_->name(to[point]);
  }
  images_.push_back({std::move(image), std::move(words)});
}

}  // namespace ordeal::actor
