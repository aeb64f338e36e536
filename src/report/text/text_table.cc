#include "report/text/text_table.h"

#include <algorithm>

#include "base/text.h"

namespace ordeal::report {
namespace {

std::string in_column(const std::string& text, size_t columns, bool right) {
  const size_t width = columns_of(text);
  const std::string space(columns > width ? columns - width : 0, ' ');
  return right ? space + text : text + space;
}

}  // namespace

std::string text_table(const std::vector<Row>& rows, const std::vector<size_t>& left) {
  std::vector<size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns_of(row[i]));
  }
  std::string out;
  for (size_t begin = 1, end = 1; begin < widths.size(); begin = end) {
    size_t width = 2 + widths[0];
    while (end < widths.size() && (end == begin || width + 2 + widths[end] <= kTableWidth)) {
      width += 2 + widths[end++];
    }
    if (begin > 1) out += "\n";
    for (const Row& row : rows) {
      std::string line = "  " + in_column(row[0], widths[0], false);
      for (size_t i = begin; i < std::min(end, row.size()); ++i) {
        const bool right = std::find(left.begin(), left.end(), i) == left.end();
        line += "  " + in_column(row[i], widths[i], right);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
  }
  return out;
}

}  // namespace ordeal::report
