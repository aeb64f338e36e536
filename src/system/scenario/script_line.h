// Lines of a scenario's script: actions in words.
#pragma once

#include <string>

#include "ordeal/result.h"
#include "ordeal/world.h"

namespace ordeal::monitor {

struct ScriptLine {
  std::string text;              // as show() or show_by_digest() has the action
  bool may_be_left_out = false;  // it began with "? "
  bool by_digest = false;
};

ScriptLine script_line(const std::string& line);

// An Error says why no action of this system can be meant.
Result<void> check_script_line(const std::string& line, const Cast& cast);

}  // namespace ordeal::monitor
