// Where user code was when it failed: taken in a signal handler, told afterwards.
#pragma once

#include <string>
#include <string_view>

namespace ordeal {

struct Stack {
  static constexpr int kMost = 64;
  void* frames[kMost] = {};
  int count = 0;
  // The first frame is an instruction, not an address to return to.
  bool exact = false;
};

// What is needed for it later is loaded now.
void prepare_stacks();

// The calling thread's. `pc`: where a signal came in; frames above it are left out. Null: none did.
void take_stack(const void* pc, Stack& out);

// " at server.cc:57 (Server::on)": the innermost frame that is neither the engine's nor of the
// language's libraries, by debug information; " in Server::on" where there is no line. "": unknown.
std::string place_of(const Stack& stack);

// Whether places can be told at all: "" or why not.
std::string why_no_places();

// A failure without the place where it happened, which depends on how the program was built.
std::string_view without_place(std::string_view failure);

}  // namespace ordeal
