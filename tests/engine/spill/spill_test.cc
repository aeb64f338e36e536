// Searches that do not fit into memory: the same results from disk, and clear words where there is
// none.
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <algorithm>

#include "tests/engine/checkpoint/kills.h"

namespace ordeal::e2e {
namespace {

const Words kSubject = {"paxos", "--clients", "2", "--servers", "4"};  // 7 MiB in memory

class Spill : public testing::Test {
 protected:
  static uint64_t files_in(const std::string& folder) {
    const std::filesystem::directory_iterator files(folder), end;
    return static_cast<uint64_t>(std::distance(files, end));
  }

  Words limited(const std::string& size) const {
    return kSubject + Words{"--max-memory", size, "--spill", folder_.path()};
  }

  const Folder folder_;
};

TEST_F(Spill, ASearchOnDiskSaysWhatASearchInMemorySays) {
  const Checked in_memory = check(kSubject);
  for (const std::string threads : {"1", "2"}) {
    const Finished on_disk = ordeal(check_words(limited("3M")) + Words{"--threads", threads});
    EXPECT_EQ(on_disk.exit, 0) << on_disk.err;
    EXPECT_EQ(claims_of(on_disk.out), in_memory.claims);
    EXPECT_EQ(files_in(folder_.path()), 0U);
  }
}

TEST_F(Spill, ALimitThatIsTooSmallIsRefusedWithOneThatWorks) {
  const Finished refused = ordeal(check_words(limited("512K")));
  EXPECT_EQ(refused.exit, 3);
  // … which is enough for a search that has less to remember.
  EXPECT_NE(refused.err.find("at least 1.0 MiB"), std::string::npos) << refused.err;
}

TEST_F(Spill, LookingForCyclesStaysWithinTheLimitToo) {
  // That every run ends cannot be told in so little memory; but on disk.
  const Finished finished = ordeal(check_words(
      {"two-phase-commit", "--rms", "7", "--max-memory", "1M", "--spill", folder_.path()}));
  EXPECT_EQ(finished.exit, 0) << finished.err;
  const nlohmann::json report = nlohmann::json::parse(finished.out, nullptr, false);
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report["distinct_states"], 296'448);
  EXPECT_LE(report["bytes"], 1 << 20);
  EXPECT_EQ(report["verdict"], "holds");
}

TEST_F(Spill, WithoutAFolderTheSearchStopsAtTheLimit) {
  const Finished stopped = ordeal(check_words(kSubject + Words{"--max-memory", "3M"}));
  EXPECT_EQ(stopped.exit, 2) << stopped.err;
  EXPECT_NE(stopped.out.find("memory"), std::string::npos);
}

TEST_F(Spill, AFolderThatIsMissingIsRefused) {
  const std::string missing = folder_.path() + "/missing";
  const Finished refused =
      ordeal(check_words(kSubject + Words{"--max-memory", "3M", "--spill", missing}));
  EXPECT_EQ(refused.exit, 3);
  EXPECT_NE(refused.err.find(missing), std::string::npos) << refused.err;
}

TEST_F(Spill, AFolderThatIsAFileIsRefused) {
  const std::string file = folder_.path() + "/file";
  std::ofstream(file) << "text";
  const Finished refused =
      ordeal(check_words(kSubject + Words{"--max-memory", "3M", "--spill", file}));
  EXPECT_EQ(refused.exit, 3);
  EXPECT_NE(refused.err.find(file), std::string::npos) << refused.err;
  EXPECT_EQ(read_whole(file), "text");
}

TEST_F(Spill, AFileSizeLimitIsToldAsADiskThatIsFull) {
  const auto small_files = [] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {256 << 10, 256 << 10};
    setrlimit(RLIMIT_FSIZE, &limit);
  };
  const Finished full = Process(check_words(limited("3M")), "", "", small_files).finish();
  EXPECT_EQ(full.exit, 2) << full.out << full.err;
  EXPECT_NE((full.out + full.err).find(folder_.path()), std::string::npos) << full.out << full.err;
  const nlohmann::json report = nlohmann::json::parse(full.out, nullptr, false);
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report["verdict"], "undecided");
  EXPECT_GT(report["distinct_states"].get<uint64_t>(), 0U);
  EXPECT_EQ(files_in(folder_.path()), 0U);
}

TEST_F(Spill, NothingIsLeftBehindByASearchThatWasKilled) {
  for (int i = 1; i <= 10; ++i) {
    Process process(check_words(limited("3M")));
    std::this_thread::sleep_for(std::chrono::milliseconds(20 * i));
    process.send(SIGKILL);
    process.finish();
  }
  EXPECT_EQ(check(limited("3M")).exit, 0);
  EXPECT_EQ(files_in(folder_.path()), 0U);
}

TEST_F(Spill, ADiskThatIsFullEndsTheSearchWithWhatItFound) {
  if (mount("tmpfs", folder_.path().c_str(), "tmpfs", 0, "size=512k") != 0) {
    GTEST_SKIP() << "a small file system cannot be mounted here";
  }
  const Finished full = ordeal(check_words(limited("3M")));
  const uint64_t left = files_in(folder_.path());
  umount(folder_.path().c_str());
  EXPECT_EQ(full.exit, 2) << full.out << full.err;
  EXPECT_EQ(left, 0U);
  const nlohmann::json report = nlohmann::json::parse(full.out, nullptr, false);
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report["verdict"], "undecided");
  EXPECT_GT(report["distinct_states"].get<uint64_t>(), 0U);
}

}  // namespace
}  // namespace ordeal::e2e
