// Where: a place in the user's code, for error messages. As std::source_location, which not every
// compiler that the rest asks for has yet.
#pragma once

#include <cstdint>

namespace ordeal {

class Where {
 public:
  constexpr Where() = default;
  // Of the call, where this is the default of a parameter.
  static constexpr Where current(const char* file = __builtin_FILE(),
                                 uint32_t line = __builtin_LINE()) {
    Where where;
    where.file_ = file;
    where.line_ = line;
    return where;
  }
  constexpr const char* file_name() const { return file_; }
  constexpr uint32_t line() const { return line_; }

 private:
  const char* file_ = "";
  uint32_t line_ = 0;
};

}  // namespace ordeal
