#include "language/tla/library/library.h"

#include <algorithm>

#include "language/tla/library/modules.h"

namespace ordeal::tla {
namespace {

const std::vector<LibraryModule>& all_modules() {
  static const std::vector<LibraryModule> modules = {
      {"Naturals", {}, naturals_operators(), {}},
      {"Integers", {"Naturals"}, integers_operators(), {}},
      {"Reals", {"Integers"}, reals_operators(), {}},
      {"Sequences", {}, sequences_operators(), {}},
      {"FiniteSets", {}, finite_sets_operators(), {}},
      {"Bags", {"TLC"}, bags_operators(), {}},
      {"TLC", {}, tlc_operators(), {}},
  };
  return modules;
}

}  // namespace

const LibraryModule* library_module(std::string_view name) {
  const std::vector<LibraryModule>& modules = all_modules();
  const auto found = std::find_if(modules.begin(), modules.end(),
                                  [&](const LibraryModule& one) { return one.name == name; });
  return found == modules.end() ? nullptr : &*found;
}

std::vector<std::string_view> library_modules() {
  std::vector<std::string_view> names;
  for (const LibraryModule& one : all_modules()) names.push_back(one.name);
  return names;
}

}  // namespace ordeal::tla
