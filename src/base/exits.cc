// exit(), _Exit(), _exit() and quick_exit() of the program: user code that calls one of them is
// taken out of its call instead, and the failure says so. Throwing would not do: they do not throw.
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/guard.h"

namespace ordeal {
namespace {

[[noreturn]] void really(const char* name, int status) {
  const auto function = reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, name));
  if (function != nullptr) function(status);
  end_process(status);
}

}  // namespace

void watch_exits() {}

}  // namespace ordeal

extern "C" {

void exit(int status) noexcept {
  ordeal::user_code_exits(status);
  ordeal::really("exit", status);
}

void quick_exit(int status) noexcept {
  ordeal::user_code_exits(status);
  ordeal::really("quick_exit", status);
}

void _exit(int status) {
  ordeal::user_code_exits(status);
  ordeal::really("_exit", status);
}

void _Exit(int status) noexcept {
  ordeal::user_code_exits(status);
  ordeal::really("_Exit", status);
}
}
