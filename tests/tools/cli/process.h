// Runs the ordeal program as a user does, and keeps what it printed.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/tools/cli/folder.h"

namespace ordeal::e2e {

struct Finished {
  int exit = -1;  // -1: ended by a signal
  std::string out;
  std::string err;
};

inline std::string read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class Process {
 public:
  // Starts `ordeal ARGUMENTS`; `input` is its standard input. `out` replaces its standard output.
  // `prepare` runs in the new process before the program does.
  explicit Process(const std::vector<std::string>& arguments, const std::string& input = "",
                   const std::string& out = "", const std::function<void()>& prepare = {}) {
    std::ofstream(folder_.path() + "/in", std::ios::binary) << input;
    std::vector<std::string> words = {ORDEAL_BINARY};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ != 0) return;
    redirect(folder_.path() + "/in", O_RDONLY, STDIN_FILENO);
    redirect(out.empty() ? folder_.path() + "/out" : out, O_WRONLY | O_CREAT, STDOUT_FILENO);
    redirect(folder_.path() + "/err", O_WRONLY | O_CREAT, STDERR_FILENO);
    if (prepare) prepare();
    execv(argv[0], argv.data());
    _exit(126);
  }
  ~Process() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal) const { kill(pid_, signal); }
  bool has_ended() const {
    siginfo_t info = {};
    return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == pid_;
  }
  // Until its standard error contains `text`; false after a minute.
  bool wait_for_error_output(const std::string& text) const {
    for (int i = 0; i < 1200; ++i) {
      if (read_whole(folder_.path() + "/err").find(text) != std::string::npos) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
  }
  Finished finish() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_whole(folder_.path() + "/out"),
            read_whole(folder_.path() + "/err")};
  }

 private:
  static void redirect(const std::string& path, int flags, int to) {
    const int fd = open(path.c_str(), flags, 0666);
    if (fd < 0 || dup2(fd, to) < 0) _exit(125);
  }

  int pid_ = -1;
  Folder folder_;
};

inline Finished ordeal(const std::vector<std::string>& arguments, const std::string& input = "") {
  return Process(arguments, input).finish();
}

}  // namespace ordeal::e2e
