// Kills a search at random instants and starts it again, until it ends.
#pragma once

#include <poll.h>
#include <sys/inotify.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include "base/rng.h"
#include "tests/engine/checkpoint/searches.h"

namespace ordeal::e2e {

// Tells of what happens to the files of a folder.
class FolderWatch {
 public:
  explicit FolderWatch(const std::string& folder) : descriptor_(inotify_init1(IN_NONBLOCK)) {
    inotify_add_watch(descriptor_, folder.c_str(),
                      IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE);
  }
  ~FolderWatch() { close(descriptor_); }
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  // Until `count` more things have happened or the process is over.
  void wait_for(uint64_t count, const Process& process) {
    for (uint64_t seen = 0; seen < count && !process.has_ended();) {
      pollfd waiting = {descriptor_, POLLIN, 0};
      if (poll(&waiting, 1, 1) <= 0) continue;
      alignas(inotify_event) std::array<char, 4096> buffer;
      const ssize_t bytes = read(descriptor_, buffer.data(), buffer.size());
      for (ssize_t at = 0; at < bytes && seen < count; ++seen) {
        const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
        at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      }
    }
  }

 private:
  int descriptor_;
};

struct KillResult {
  uint64_t kills = 0;
  uint64_t ends = 0;       // searches that came to their end
  uint64_t with_file = 0;  // kills that left a checkpoint
  std::string problem;     // the first; empty: none
};

// Kills the search `most` times in all. After up to five kills of one search it is let go on, and
// what it says must be what it says undisturbed.
inline KillResult kill_again_and_again(const Words& subject, uint64_t most, uint64_t seed) {
  using std::chrono::microseconds;
  using std::chrono::steady_clock;
  Rng rng(seed);
  const Folder folder;
  const std::string file = folder.path() + "/search.checkpoint";
  const Words words = check_words(subject) + Words{"--checkpoint", file, "--checkpoint-every", "0"};
  KillResult result;
  const Checked undisturbed = check(subject);
  if (undisturbed.claims.is_null()) {
    result.problem = "undisturbed: " + undisturbed.err;
    return result;
  }
  const auto compare = [&](const Checked& end) {
    if (end.claims == undisturbed.claims && end.exit == undisturbed.exit) return true;
    result.problem = "after " + std::to_string(result.kills) + " kills: exit code " +
                     std::to_string(end.exit) + ", not " + std::to_string(undisturbed.exit) + "; " +
                     end.err + "\n" + end.claims.dump() + "\nand undisturbed\n" +
                     undisturbed.claims.dump();
    return false;
  };
  // How long it takes, and how many things happen to files: where kills may fall.
  const auto begin = steady_clock::now();
  {
    Process process(words);
    if (!compare(checked(process))) return result;
  }
  const auto whole = static_cast<uint64_t>(
      std::chrono::duration_cast<microseconds>(steady_clock::now() - begin).count());
  while (result.kills < most) {
    const uint64_t in_a_row = 1 + rng.below(5);
    bool over = false;
    for (uint64_t i = 0; i < in_a_row && !over; ++i) {
      FolderWatch watch(folder.path());
      Process process(words);
      if (rng.below(2) == 0) {
        std::this_thread::sleep_for(microseconds(rng.below(whole * 11 / 10 + 1)));
      } else {
        watch.wait_for(1 + rng.below(40), process);
      }
      over = process.has_ended();
      if (!over) {
        process.send(SIGKILL);
        ++result.kills;
        const Finished killed = process.finish();
        over = killed.exit != -1;  // it was faster
        if (over && !compare({killed.exit, claims_of(killed.out), killed.err})) return result;
        result.with_file += std::filesystem::exists(file) ? 1 : 0;
      } else if (!compare(checked(process))) {
        return result;
      }
    }
    if (!over) {
      Process process(words);
      if (!compare(checked(process))) return result;
    }
    ++result.ends;
  }
  return result;
}

}  // namespace ordeal::e2e
