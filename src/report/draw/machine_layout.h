// The diagram of a property machine: states in layers, from the start downwards, and between two
// layers of states one of labels, so that no label can lie on another, on a state or on a line.
// Positions only; machine_svg.cc draws it.
#pragma once

#include <string>
#include <vector>

#include "ordeal/scenario.h"
#include "ordeal/scenario_run.h"

namespace ordeal::report {

struct Point {
  double x = 0;
  double y = 0;
};

struct Box {
  double x = 0;  // left
  double y = 0;  // top
  double width = 0;
  double height = 0;

  double right() const { return x + width; }
  double bottom() const { return y + height; }
  Point centre() const { return {x + width / 2, y + height / 2}; }
};

struct MachineDiagram {
  struct Edge {
    // From the border of the one state to the label, and from there to the border of the other.
    // A loop has its label beside it, and only the first of them.
    std::vector<Point> to_label;
    std::vector<Point> from_label;
    Box label;
    std::vector<std::string> lines;  // of the label: the condition, then how often it was taken
    bool loop = false;
  };
  double width = 0;
  double height = 0;
  std::vector<Box> states;  // as in the result
  std::vector<Edge> edges;  // as its transitions
};

// What stands in the box of a state: its name, then what it means and how many runs ended there.
std::vector<std::string> state_lines(const MachineResult& machine, size_t state);

MachineDiagram layout(const MachineResult& machine);

}  // namespace ordeal::report
