// Objects that are left alone on purpose: a handler failed in the middle of them, and destroying
// what is broken could fail again.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define ORDEAL_FINDS_LEAKS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ORDEAL_FINDS_LEAKS 1
#endif
#endif

#ifdef ORDEAL_FINDS_LEAKS
#include <sanitizer/lsan_interface.h>
#endif

namespace ordeal {

// So that nobody takes it, and what it owns, for forgotten.
inline void leave_alone(const void* object) {
#ifdef ORDEAL_FINDS_LEAKS
  __lsan_ignore_object(object);
#else
  (void)object;
#endif
}

}  // namespace ordeal
