// The page that is served: the viewer, with what it is to show first.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ordeal/trace.h"

namespace ordeal::serve {

struct Page {
  std::string html;
  std::string policy;  // its Content-Security-Policy
};

// `runs` by name.
Page make_page(const std::string& title, const std::vector<std::pair<std::string, Trace>>& runs);

}  // namespace ordeal::serve
