// Answerer: whatever stands behind the sockets.
#pragma once

#include <optional>

#include "serve/ask.h"

namespace ordeal::serve {

// Both may be called by any thread.
class Answerer {
 public:
  virtual ~Answerer() = default;
  // What the headers alone forbid; so that a body that nobody wants need not be read.
  virtual std::optional<Answer> refuse(const Ask& ask) const = 0;
  virtual Answer handle(const Ask& ask) = 0;
};

}  // namespace ordeal::serve
