// The comparison with other tools, in its quick form and with what is installed here: the same
// protocols must have the same states everywhere, and where they have not, it must be noticed.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace ordeal {
namespace {

namespace fs = std::filesystem;

struct Finished {
  int exit = -1;
  std::string output;  // standard output and error
};

Finished shell(const std::string& command) {
  Finished finished;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return finished;
  char buffer[4096];
  for (size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    finished.output.append(buffer, n);
  }
  const int status = pclose(pipe);
  if (WIFEXITED(status)) finished.exit = WEXITSTATUS(status);
  return finished;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class Peers : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "ordeal_peers_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  Finished quick(const std::string& ordeal) const {
    return shell("PEERS_QUICK=1 PEERS_WORK='" + folder_.string() + "' bash '" +
                 std::string(ORDEAL_SOURCE_DIR) + "/bench/peers/run.sh' '" + ordeal + "'");
  }

  fs::path folder_;
};

TEST_F(Peers, OfTheSameProtocolsHaveTheSameStates) {
  if (shell("command -v spin").exit != 0) GTEST_SKIP() << "SPIN is not installed";
  const Finished run = quick(ORDEAL_BINARY);
  EXPECT_EQ(run.exit, 0) << run.output;
  for (const char* row :
       {"| two-phase commit, 5 managers | Ordeal, raw | 2 | 8,832 | 37,345 |",
        "| two-phase commit, 5 managers | Ordeal, nodes | 1 | 8,832 | 37,345 |",
        "| two-phase commit, 5 managers | SPIN | 1 | 8,832 | 37,345 |",
        "| Paxos, 2 clients, 3 servers | Ordeal, nodes | 1 | 16,668 | 32,970 |",
        "| Paxos, 2 clients, 3 servers | SPIN -DCOLLAPSE | 1 | 16,668 | 32,970 |"})
    EXPECT_TRUE(has(run.output, row)) << row << "\n" << run.output;
}

TEST_F(Peers, ThatCountDifferentlyAreNoticed) {
  const fs::path wrong = folder_ / "wrong";
  std::ofstream(wrong) << "#!/bin/sh\n"
                          "echo '{\"distinct_states\": 8831, \"transitions\": 37345}'\n";
  fs::permissions(wrong, fs::perms::owner_all);
  const Finished run = quick(wrong.string());
  EXPECT_EQ(run.exit, 1) << run.output;
  EXPECT_TRUE(has(run.output, "Ordeal, raw has 8831 states, not 8832")) << run.output;
}

TEST_F(Peers, ThatAreNotThereAreLeftOut) {
  // A path with everything the comparison needs but the other tools.
  const fs::path bin = folder_ / "bin";
  fs::create_directory(bin);
  for (const char* name : {"bash", "sh", "dirname", "mkdir", "rm", "g++", "as", "ld", "find", "sed",
                           "head", "tail", "tr", "awk", "grep", "cat", "basename", "env"}) {
    const Finished found = shell(std::string("command -v ") + name);
    if (found.exit != 0) continue;
    fs::create_symlink(found.output.substr(0, found.output.find('\n')), bin / name);
  }
  const std::string path = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
  ASSERT_EQ(setenv("PATH", bin.c_str(), 1), 0);
  const Finished run = quick(ORDEAL_BINARY);
  ASSERT_EQ(setenv("PATH", path.c_str(), 1), 0);
  EXPECT_EQ(run.exit, 0) << run.output;
  EXPECT_TRUE(has(run.output, "skipped: SPIN: there is no spin")) << run.output;
  EXPECT_TRUE(has(run.output, "| Paxos, 2 clients, 3 servers | Ordeal, nodes | 2 | 16,668 |"))
      << run.output;
  EXPECT_FALSE(has(run.output, "| SPIN |")) << run.output;
}

}  // namespace
}  // namespace ordeal
