// The parts that the library is put together from.
#pragma once

#include <span>
#include <string_view>

#include "language/tla/library/library.h"

namespace ordeal::tla {

std::span<const Builtin> naturals_operators();
std::span<const Builtin> integers_operators();
std::span<const Builtin> reals_operators();
std::span<const Builtin> sequences_operators();
std::span<const Builtin> finite_sets_operators();
std::span<const Builtin> bags_operators();
std::span<const Builtin> tlc_operators();
std::span<const Builtin> tlc_ext_operators();
std::span<const Builtin> randomization_operators();

std::span<const Builtin> folds_operators();
std::span<const Builtin> functions_operators();
std::span<const Builtin> finite_sets_ext_operators();
std::span<const Builtin> sequences_ext_operators();  // with those of subsequences.cc
std::span<const Builtin> subsequences_operators();
std::span<const Builtin> bags_ext_operators();
std::span<const Builtin> bitwise_operators();
std::span<const Builtin> combinatorics_operators();
std::span<const Builtin> statistics_operators();
std::span<const Builtin> relation_operators();
std::span<const Builtin> graphs_operators();
std::span<const Builtin> undirected_graphs_operators();
std::span<const Builtin> vector_clocks_operators();
std::span<const Builtin> json_operators();
std::span<const Builtin> csv_operators();
std::span<const Builtin> io_utils_operators();
std::span<const Builtin> svg_operators();
std::span<const Builtin> graph_viz_operators();

extern const std::string_view kFoldsText, kFunctionsText, kFiniteSetsExtText, kSequencesExtText,
    kBagsExtText, kCombinatoricsText, kDyadicRationalsText, kQuorumText, kVectorClocksText,
    kRelationText, kGraphsText, kUndirectedGraphsText, kTlcExtText, kToolboxText, kShiVizText,
    kSvgText, kHtmlText, kRealTimeText, kApalacheText, kTlapsText, kNaturalsInductionText,
    kWellFoundedInductionText, kFunctionTheoremsText, kFiniteSetTheoremsText, kSequenceTheoremsText,
    kSequencesExtTheoremsText, kFiniteSetsExtTheoremsText, kFoldsTheoremsText, kGraphTheoremsText,
    kQuorumTheoremsText, kBagsTheoremsText;

}  // namespace ordeal::tla
