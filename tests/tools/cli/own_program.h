// A program with a suite of its own, in a process of its own: what a user of ordeal::main runs.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "ordeal/suite.h"
#include "tests/tools/cli/process.h"

namespace ordeal::e2e {

// Runs `ordeal::main` on what `suite()` makes. `prepare` runs before it.
inline Finished own_program(const std::function<Suite()>& suite, std::vector<std::string> words,
                            const std::string& input = "",
                            const std::function<void()>& prepare = {}) {
  const Folder folder;
  const auto path = [&](const char* name) { return folder.path() + "/" + name; };
  words.insert(words.begin(), "own");
  std::ofstream(path("in"), std::ios::binary) << input;
  const pid_t pid = fork();
  if (pid == 0) {
    if (std::freopen(path("in").c_str(), "r", stdin) == nullptr ||
        std::freopen(path("out").c_str(), "w", stdout) == nullptr ||
        std::freopen(path("err").c_str(), "w", stderr) == nullptr) {
      _exit(125);
    }
    if (prepare) prepare();
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    std::exit(ordeal::main(static_cast<int>(words.size()), argv.data(), suite()));
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_whole(path("out")),
          read_whole(path("err"))};
}

}  // namespace ordeal::e2e
