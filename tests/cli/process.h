// Runs the ordeal program as a user does, and keeps what it printed.
#pragma once

#include <string>
#include <vector>

namespace ordeal::e2e {

struct Finished {
  int exit = -1;  // -1: ended by a signal
  std::string out;
  std::string err;
};

class Process {
 public:
  // Starts `ordeal ARGUMENTS`; `input` is its standard input. `out` replaces its standard output.
  explicit Process(const std::vector<std::string>& arguments, const std::string& input = "",
                   const std::string& out = "");
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal) const;
  // Until its standard error contains `text`; false after a minute.
  bool wait_for_error_output(const std::string& text) const;
  Finished finish();

 private:
  int pid_ = -1;
  std::string folder_;
};

Finished ordeal(const std::vector<std::string>& arguments, const std::string& input = "");

}  // namespace ordeal::e2e
