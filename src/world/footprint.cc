#include "ordeal/footprint.h"

#include <algorithm>

#include "base/mutant.h"

namespace ordeal {
namespace {

// Footprints are a handful of names: going through them beats any cleverness.
bool meet(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  return std::any_of(a.begin(), a.end(), [&](uint64_t resource) {
    return std::find(b.begin(), b.end(), resource) != b.end();
  });
}

bool compete(const std::vector<Footprint::Spent>& a, const std::vector<Footprint::Spent>& b) {
  return std::any_of(a.begin(), a.end(), [&](const Footprint::Spent& x) {
    return std::any_of(b.begin(), b.end(), [&](const Footprint::Spent& y) {
      return x.supply == y.supply && x.left <= 1 && !mutant(Mutant::kSuppliesNeverEnd);
    });
  });
}

}  // namespace

bool ordered(const Footprint& a, const Footprint& b) {
  if (a.everything || b.everything) return true;
  return meet(a.writes, b.writes) || meet(a.writes, b.reads) || meet(a.reads, b.writes);
}

bool independent(const Footprint& a, const Footprint& b) {
  return !ordered(a, b) && !compete(a.spends, b.spends);
}

}  // namespace ordeal
