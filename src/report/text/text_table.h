// Rows of words in columns, for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ordeal::report {

using Row = std::vector<std::string>;

inline constexpr size_t kTableWidth = 120;  // what a terminal shows side by side

// The columns in `left` and the first one to the left, the others to the right. Where they are too
// wide together, the rest comes below, each time with the first column. Escaped by the caller.
std::string text_table(const std::vector<Row>& rows, const std::vector<size_t>& left);

}  // namespace ordeal::report
