// Whether this build has a sanitizer, whose runtime has its own opinion of signals.
#pragma once

namespace ordeal {

constexpr bool under_sanitizer() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#else
  return false;
#endif
}

}  // namespace ordeal
