// A formula of a specification, or a part of one, and how to get to where its names have values.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "language/tla/eval/nodes.h"

namespace ordeal::tla {

// From a frame to one further in.
struct Into {
  enum class Kind : uint8_t {
    kCall,      // a definition with its arguments: CallNode
    kArgument,  // what was passed for a parameter, or LET defines: LocalNode
    kOperator,  // a parameter that is an operator: CallLocalNode
    kLet,       // LetNode
    kBind,      // names of a quantifier get values
  };
  Kind kind = Kind::kLet;
  const Node* node = nullptr;
  std::vector<std::pair<uint32_t, Value>> bound = {};  // slots
};

// The frame that the step leads to. Null: there is none, it is no action or formula that was
// passed.
Frame* go_into(Machine& m, Frame* frame, const Into& step);

struct Part {
  const Node* node = nullptr;
  const Layout* layout = nullptr;  // of the frame at which the way begins
  std::string name;                // for people: the definition that it is from
  std::vector<Into> way = {};

  // A frame of its own, as far as the machine's memory lasts.
  Frame* frame(Machine& m) const {
    Frame* out = m.frame(nullptr, layout->slots);
    for (const Into& step : way) out = go_into(m, out, step);
    return out;
  }
};

}  // namespace ordeal::tla
