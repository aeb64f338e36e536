#include "language/tla/library/library.h"

#include <algorithm>

#include "language/tla/library/modules.h"

namespace ordeal::tla {
namespace {

const std::vector<LibraryModule>& all_modules() {
  // A module with a text says in it what it extends.
  static const std::vector<LibraryModule> modules = {
      {"Naturals", {}, naturals_operators(), {}},
      {"Integers", {"Naturals"}, integers_operators(), {}},
      {"Reals", {"Integers"}, reals_operators(), {}},
      {"Sequences", {}, sequences_operators(), {}},
      {"FiniteSets", {}, finite_sets_operators(), {}},
      {"Bags", {"TLC"}, bags_operators(), {}},
      {"TLC", {}, tlc_operators(), {}},
      {"TLCExt", {}, tlc_ext_operators(), kTlcExtText, true},
      {"Randomization", {}, randomization_operators(), {}, true},
      {"RealTime", {}, {}, kRealTimeText},
      {"Toolbox", {}, {}, kToolboxText},
      {"Folds", {}, folds_operators(), kFoldsText},
      {"Functions", {}, functions_operators(), kFunctionsText},
      {"FiniteSetsExt", {}, finite_sets_ext_operators(), kFiniteSetsExtText},
      {"SequencesExt", {}, sequences_ext_operators(), kSequencesExtText},
      {"BagsExt", {}, bags_ext_operators(), kBagsExtText},
      {"Bitwise", {}, bitwise_operators(), {}},
      {"Combinatorics", {}, combinatorics_operators(), kCombinatoricsText},
      {"DyadicRationals", {}, {}, kDyadicRationalsText},
      {"Statistics", {"Naturals"}, statistics_operators(), {}, true},
      {"Relation", {}, relation_operators(), kRelationText},
      {"Graphs", {}, graphs_operators(), kGraphsText},
      {"UndirectedGraphs", {}, undirected_graphs_operators(), kUndirectedGraphsText},
      {"Quorum", {}, {}, kQuorumText},
      {"VectorClocks", {}, vector_clocks_operators(), kVectorClocksText},
      {"Json", {}, json_operators(), {}, true},
      {"CSV", {}, csv_operators(), {}, true},
      {"IOUtils", {}, io_utils_operators(), {}, true},
      {"SVG", {}, svg_operators(), kSvgText, true},
      {"GraphViz", {}, graph_viz_operators(), {}, true},
      {"ShiViz", {}, {}, kShiVizText},
      {"HTML", {}, {}, kHtmlText},
      {"Apalache", {}, {}, kApalacheText},
      {"TLAPS", {}, {}, kTlapsText},
      {"NaturalsInduction", {}, {}, kNaturalsInductionText},
      {"WellFoundedInduction", {}, {}, kWellFoundedInductionText},
      {"FunctionTheorems", {}, {}, kFunctionTheoremsText},
      {"FiniteSetTheorems", {}, {}, kFiniteSetTheoremsText},
      {"SequenceTheorems", {}, {}, kSequenceTheoremsText},
      {"SequencesExtTheorems", {}, {}, kSequencesExtTheoremsText},
      {"FiniteSetsExtTheorems", {}, {}, kFiniteSetsExtTheoremsText},
      {"FoldsTheorems", {}, {}, kFoldsTheoremsText},
      {"GraphTheorems", {}, {}, kGraphTheoremsText},
      {"QuorumTheorems", {}, {}, kQuorumTheoremsText},
      {"BagsTheorems", {}, {}, kBagsTheoremsText},
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
