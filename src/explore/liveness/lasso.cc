#include "explore/liveness/lasso.h"

#include <algorithm>

namespace ordeal::explore {
namespace {

// At every position.
std::vector<bool> truth(const Formula& formula, const LassoWord& word) {
  const size_t size = word.states.size();
  std::vector<std::vector<bool>> parts;
  for (const Formula& part : formula.parts) parts.push_back(truth(part, word));
  std::vector<bool> out(size);
  for (size_t i = 0; i < size; ++i) {
    // What lies ahead of a position: from there on, and all of the cycle.
    const size_t first = std::min(i, word.loop);
    const auto ahead = [&](bool wanted) {
      for (size_t j = first; j < size; ++j) {
        if ((j >= i || j >= word.loop) && parts[0][j] == wanted) return true;
      }
      return false;
    };
    const auto any = [&](bool wanted) {
      return std::any_of(parts.begin(), parts.end(),
                         [&](const std::vector<bool>& part) { return part[i] == wanted; });
    };
    switch (formula.is) {
      case Formula::Is::kTrue:
        out[i] = true;
        break;
      case Formula::Is::kFalse:
        break;
      case Formula::Is::kState:
        out[i] = word.states[i][formula.atom];
        break;
      case Formula::Is::kStep:
        out[i] = word.steps[i][formula.atom];
        break;
      case Formula::Is::kNot:
        out[i] = !parts[0][i];
        break;
      case Formula::Is::kAnd:
        out[i] = !any(false);
        break;
      case Formula::Is::kOr:
        out[i] = any(true);
        break;
      case Formula::Is::kAlways:
        out[i] = !ahead(false);
        break;
      case Formula::Is::kEventually:
        out[i] = ahead(true);
        break;
    }
  }
  return out;
}

}  // namespace

bool is_true_of(const Formula& formula, const LassoWord& word) { return truth(formula, word)[0]; }

}  // namespace ordeal::explore
