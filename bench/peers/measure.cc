// measure FILE COMMAND…: runs the command and writes to FILE how long it took in seconds, how many
// seconds of processor time it used, and how much memory its largest process had, in KiB. Exits as
// the command does. One ruler for all tools: start-up and clearing away are part of the time.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: measure FILE COMMAND…\n");
    return 2;
  }
  // What the command leaves running is waited for, and counted, too.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    execvp(argv[2], argv + 2);
    std::perror(argv[2]);
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) {
    std::perror("measure");
    return 2;
  }
  while (wait(nullptr) > 0) {
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  FILE* out = std::fopen(argv[1], "w");
  if (out == nullptr) {
    std::perror(argv[1]);
    return 2;
  }
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  std::fprintf(out, "%.6f %.6f %ld\n", took.count(),
               seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss);
  std::fclose(out);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
