// Random logs, whole and with parts erased or damaged, against random models; compared with
// validators that go through all behaviours, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace ordeal::oracle {

struct LogTotals {
  int departed = 0, conformed = 0, undecided = 0;
  size_t most = 0;  // states that were possible behind a log
};

// The first disagreement; "": there is none. Of so many specifications, several logs of each.
std::string problem_with_tla_logs(uint64_t seeds, LogTotals& totals);
// Of so many systems.
std::string problem_with_system_logs(uint64_t seeds, LogTotals& totals);

}  // namespace ordeal::oracle
