// The files of a specification, and errors that point into them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "language/tla/syntax/ast.h"

namespace ordeal::tla {

class Sources {
 public:
  // Returns the number of the file.
  uint32_t add(std::string path, std::string text);
  const std::string& path(uint32_t file) const { return files_[file].path; }
  const std::string& text(uint32_t file) const { return files_[file].text; }
  // Without its end of line.
  std::string_view line(uint32_t file, uint32_t number) const;
  size_t size() const { return files_.size(); }

  // "raft.tla:12:7"
  std::string position(const Place& place) const;
  // "raft.tla:12:7: "
  std::string at(const Place& place) const;
  // The line with the place underlined, each line indented by two, ending in '\n'; of places of
  // more than one line the first.
  std::string excerpt(const Place& place) const;
  // at() + message + '\n' + excerpt(), without the last '\n'.
  std::string error(const Place& place, std::string_view message) const;

 private:
  struct File {
    std::string path;
    std::string text;
    std::vector<size_t> lines;  // where they begin
  };
  std::vector<File> files_;
};

}  // namespace ordeal::tla
