// How the numbers of a comparison are written, wherever they are shown.
#pragma once

#include <string>
#include <vector>

#include "ordeal/compare.h"

namespace ordeal::report {

std::string number_text(double number);                 // 12, 12.5, 10,000
std::string share_text(double share);                   // 0.71
std::string p_text(const std::string& name, double p);  // p = 0.021, p < 0.001

// "13", "> 10,000", "none in 87", "–" where it does not fit, "…" where it was not tried yet.
std::string median_text(const Score& score);
// "↓": fewer runs than the baseline, "↑": more, by the corrected test at 5 %; else "".
std::string mark_of(const Score& score);
std::string found_text(const Score& score);  // 12/20; of one trial: yes or no
// The median of its steps. Nothing for a search that a bound has cut: when its threads notice is a
// matter of the machine.
std::string steps_text(const Score& score);
// "A12 0.71, p = 0.021, Holm = 0.12", as far as there is any of it.
std::string against_text(const Score& score);
// Something to say of the score: why it is refused, that it was cut.
std::string note_of(const Score& score);

// "20 trials with seeds 0 to 19, each of at most 10,000 runs (or 1,000,000 states)".
std::string trials_text(const Comparison& comparison);
// "partial: …", or nothing.
std::string partial_text(const Comparison& comparison);
// What the signs and numbers mean, as far as they occur.
std::vector<std::string> legend(const Comparison& comparison);

}  // namespace ordeal::report
