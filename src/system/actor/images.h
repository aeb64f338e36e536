// Images: what a value becomes when nodes and names that are declared alike are exchanged. For
// finding out whether a function of a node tells them apart.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ordeal/detail/points.h"
#include "ordeal/value.h"

namespace ordeal::actor {

class Images {
 public:
  static constexpr size_t kMost = 24;  // all renamings of four that are alike

  struct Image {
    value::Any value;
    std::string words;  // "with node 1 as node 2"
  };

  explicit Images(std::shared_ptr<const detail::Points> points) : points_(std::move(points)) {}

  // The images of a value that differ from it, each once; of more than kMost, those with one
  // exchange first. Valid until the next call.
  const std::vector<Image>& of(const value::Any& value);
  // Whether the last were all there are.
  bool complete() const { return complete_; }

 private:
  using Permutation = detail::Points::Permutation;
  void assign(size_t next);
  void add(const Permutation& to);
  Permutation completed() const;

  std::shared_ptr<const detail::Points> points_;
  value::Any value_;
  std::vector<uint8_t> mentioned_;  // points that occur in the value
  std::vector<int> goes_to_;        // by point; -1: not said yet
  std::vector<bool> taken_;         // by point: something goes there
  std::vector<Image> images_;
  bool complete_ = true;
};

}  // namespace ordeal::actor
