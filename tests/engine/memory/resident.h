// What a check says it holds, beside what the operating system gave its process.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <utility>

#include "ordeal/check.h"

namespace ordeal::memory {

struct Measured {
  std::string error;      // not empty: there was no report
  uint64_t counted = 0;   // Report::bytes
  uint64_t resident = 0;  // by how much the resident set grew, at most
  bool complete = false;
  std::string bounds;
};

inline Measured failed(std::string why) {
  Measured out;
  out.error = std::move(why);
  return out;
}

// Sanitizers take memory of their own.
constexpr bool can_measure() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return false;
#else
  return true;
#endif
}

// A line of /proc/self/status, in bytes.
inline uint64_t status(const std::string& name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name + ":")) return std::stoull(line.substr(name.size() + 1)) * 1024;
  }
  return 0;
}

// Runs the check in a process of its own: what others have allocated and given back is not there.
inline Measured measure(const std::function<Result<Report>()>& check) {
  int ends[2] = {-1, -1};
  if (pipe(ends) != 0) return failed("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    FILE* out = fdopen(ends[1], "w");
    const uint64_t before = status("VmRSS");
    const Result<Report> report = check();
    const uint64_t most = status("VmHWM");
    if (!report) {
      std::fprintf(out, "0 0 0 %s", report.error().message.c_str());
    } else {
      std::string bounds;
      for (const Bound& bound : report->bounds) bounds += to_string(bound) + "; ";
      std::fprintf(out, "%llu %llu %d %s", static_cast<unsigned long long>(report->bytes),
                   static_cast<unsigned long long>(most - before), report->complete ? 1 : 0,
                   bounds.c_str());
    }
    std::fclose(out);
    _exit(report ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char buffer[512];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  Measured out;
  unsigned long long counted = 0, resident = 0;
  int complete = 0, at = 0;
  if (std::sscanf(text.c_str(), "%llu %llu %d %n", &counted, &resident, &complete, &at) < 3) {
    return failed("the check died");
  }
  out.counted = counted;
  out.resident = resident;
  out.complete = complete != 0;
  (WEXITSTATUS(status) == 0 ? out.bounds : out.error) = text.substr(static_cast<size_t>(at));
  return out;
}

}  // namespace ordeal::memory
