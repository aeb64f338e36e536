// Objects that are left alone on purpose: a handler failed in the middle of them, and destroying
// what is broken could fail again.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

namespace ordeal {

// So that nobody takes it, and what it owns, for forgotten.
inline void leave_alone(const void* object) {
#if defined(__SANITIZE_ADDRESS__)
  __lsan_ignore_object(object);
#else
  (void)object;
#endif
}

}  // namespace ordeal
