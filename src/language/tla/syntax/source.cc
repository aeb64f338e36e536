#include "language/tla/syntax/source.h"

#include <algorithm>

#include "base/text.h"

namespace ordeal::tla {

uint32_t Sources::add(std::string path, std::string text) {
  File file{std::move(path), std::move(text), {0}};
  for (size_t i = 0; i < file.text.size(); ++i) {
    if (file.text[i] == '\n') file.lines.push_back(i + 1);
  }
  files_.push_back(std::move(file));
  return static_cast<uint32_t>(files_.size() - 1);
}

std::string_view Sources::line(uint32_t file, uint32_t number) const {
  const File& in = files_[file];
  if (number == 0 || number > in.lines.size()) return {};
  const size_t begin = in.lines[number - 1];
  const size_t end = number < in.lines.size() ? in.lines[number] - 1 : in.text.size();
  std::string_view found = std::string_view(in.text).substr(begin, end - begin);
  if (!found.empty() && found.back() == '\r') found.remove_suffix(1);
  return found;
}

std::string Sources::position(const Place& place) const {
  return one_line(files_[place.file].path) + ":" + std::to_string(place.line) + ":" +
         std::to_string(place.column);
}

std::string Sources::at(const Place& place) const { return position(place) + ": "; }

std::string Sources::excerpt(const Place& place) const {
  // Long lines are shown around the place alone.
  constexpr size_t kMost = 96;
  constexpr size_t kBefore = 48;
  struct Cell {
    std::string text;
    bool marked = false;
  };
  std::vector<Cell> cells;
  const std::string text = one_line(valid_utf8(line(place.file, place.line)));
  const uint32_t last = place.end_line == place.line ? place.end_column : UINT32_MAX;
  uint32_t column = 0;
  const std::string_view raw = line(place.file, place.line);
  size_t first_marked = 0;
  bool any = false;
  for (size_t i = 0; i < raw.size();) {
    size_t length = 1;
    while (i + length < raw.size() &&
           (static_cast<unsigned char>(raw[i + length]) & 0xC0U) == 0x80U) {
      ++length;
    }
    ++column;
    const bool marked = column >= place.column && column <= last;
    if (marked && !any) {
      first_marked = cells.size();
      any = true;
    }
    if (raw[i] == '\t') {
      do cells.push_back({" ", marked});
      while (cells.size() % 8 != 0);
    } else {
      const std::string shown = one_line(valid_utf8(raw.substr(i, length)));
      cells.push_back({shown, marked});
    }
    i += length;
  }
  // Spaces at the end of the line are no part of what is meant; behind its end one is marked.
  while (!cells.empty() && cells.back().text == " ") cells.pop_back();
  if (!any || first_marked >= cells.size()) {
    first_marked = cells.size();
    cells.push_back({" ", true});
  }
  size_t begin = 0;
  size_t end = cells.size();
  if (cells.size() > kMost) {
    begin = first_marked > kBefore ? first_marked - kBefore : 0;
    end = std::min(cells.size(), begin + kMost);
  }
  std::string shown = begin > 0 ? "  …" : "  ";
  std::string under = begin > 0 ? "   " : "  ";
  for (size_t i = begin; i < end; ++i) {
    shown += cells[i].text;
    under += std::string(columns_of(cells[i].text), cells[i].marked ? '^' : ' ');
  }
  if (end < cells.size()) shown += "…";
  while (!shown.empty() && shown.back() == ' ') shown.pop_back();
  while (!under.empty() && under.back() == ' ') under.pop_back();
  return shown + "\n" + under + "\n";
}

std::string Sources::error(const Place& place, std::string_view message) const {
  std::string whole = at(place) + std::string(message) + "\n" + excerpt(place);
  whole.pop_back();
  return whole;
}

}  // namespace ordeal::tla
