#include "history/finite_model.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ordeal::detail {
namespace {

constexpr size_t kMostWork = size_t{1} << 28;  // entries looked at

// Numbers the rows of a table so that equal rows have equal numbers, in the order of their first
// appearance; returns how many there are.
uint32_t number_rows(const std::vector<uint32_t>& table, size_t width,
                     std::vector<uint32_t>& numbers) {
  const auto row = [&](uint32_t i) { return table.begin() + static_cast<ptrdiff_t>(i * width); };
  std::vector<uint32_t> sorted(numbers.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  std::sort(sorted.begin(), sorted.end(), [&](uint32_t a, uint32_t b) {
    const auto [x, y] = std::mismatch(row(a), row(a + 1), row(b));
    return x == row(a + 1) ? a < b : *x < *y;
  });
  // Of equal rows the first comes first: it stands for the others until all are numbered.
  for (size_t i = 0; i < sorted.size(); ++i) {
    const bool equal =
        i != 0 && std::equal(row(sorted[i]), row(sorted[i] + 1), row(numbers[sorted[i - 1]]));
    numbers[sorted[i]] = equal ? numbers[sorted[i - 1]] : sorted[i];
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = numbers[i] == i ? count++ : numbers[numbers[i]];
  }
  return count;
}

bool join_states(FiniteModel& model) {
  std::vector<uint32_t> part(model.states, 0), mapped(model.after.size());
  uint32_t parts = 1;
  for (size_t work = model.after.size(); work < kMostWork; work += model.after.size()) {
    for (size_t i = 0; i < mapped.size(); ++i) {
      const uint32_t after = model.after[i];
      mapped[i] = after == FiniteModel::kMisfit ? after : part[after];
    }
    // The new parts divide the old ones: what two states do after the same operations differs for
    // longer and longer sequences.
    const uint32_t before = std::exchange(parts, number_rows(mapped, model.kinds, part));
    if (parts != before) continue;
    std::vector<uint32_t> joined;
    for (uint32_t state = 0, next = 0; state < model.states; ++state) {
      if (part[state] != next) continue;
      ++next;
      for (uint32_t kind = 0; kind < model.kinds; ++kind) {
        const uint32_t after = model.after[size_t{state} * model.kinds + kind];
        joined.push_back(after == FiniteModel::kMisfit ? after : part[after]);
      }
    }
    model.states = parts;
    model.after = std::move(joined);
    return true;
  }
  return false;
}

void join_kinds(FiniteModel& model) {
  std::vector<uint32_t> columns(model.after.size()), number(model.kinds);
  for (size_t state = 0; state < model.states; ++state) {
    for (size_t kind = 0; kind < model.kinds; ++kind) {
      columns[kind * model.states + state] = model.after[state * model.kinds + kind];
    }
  }
  const uint32_t kinds = number_rows(columns, model.states, number);
  std::vector<uint32_t> joined(size_t{model.states} * kinds);
  for (size_t state = 0; state < model.states; ++state) {
    for (size_t kind = 0; kind < model.kinds; ++kind) {
      joined[state * kinds + number[kind]] = model.after[state * model.kinds + kind];
    }
  }
  model.kinds = kinds;
  model.after = std::move(joined);
  for (uint32_t& kind : model.kind_of) kind = number[kind];
}

}  // namespace

void reduce(FiniteModel& model) {
  if (join_states(model)) join_kinds(model);
}

}  // namespace ordeal::detail
