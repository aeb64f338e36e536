// What all reports for a terminal share: width, colours, the table of steps, a violation, facts in
// two columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ordeal/report.h"

namespace ordeal::report {

inline constexpr size_t kWidth = 110;
inline constexpr size_t kFactWidth = kWidth - 14;  // of what stands beside a fact's label

class Painter {
 public:
  explicit Painter(bool colour) : colour_(colour) {}
  std::string bold(const std::string& text) const { return paint("1", text); }
  std::string dim(const std::string& text) const { return paint("2", text); }
  std::string red(const std::string& text) const { return paint("1;31", text); }
  std::string yellow(const std::string& text) const { return paint("1;33", text); }
  std::string verdict(Verdict verdict) const;

 private:
  std::string paint(const char* code, const std::string& text) const;
  bool colour_;
};

std::string padded(const std::string& text, size_t columns);

// At most so many columns. What is cut is the payload: who and what comes behind it matters.
std::string cut_payload(const std::string& text, size_t most);

std::string step_table(const Trace& trace, const Painter& paint);

// The property, why, where, and the run. `thing` is what a violation's count counts: states, runs.
void add_violation(const std::string& strategy, const Violation& violation, std::string_view thing,
                   const Painter& paint, std::string& out);

// "  label       line": the label on the first line only, long lines wrapped.
void add_fact(const std::string& label, const std::vector<std::string>& lines, const Painter& paint,
              std::string& out);

// The commands that come next for the first violation that has a run.
void add_next(const std::vector<Violation>& violations, const TextOptions& options,
              const Painter& paint, std::string& out);

}  // namespace ordeal::report
