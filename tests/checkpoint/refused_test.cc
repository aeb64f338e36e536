// Checkpoints that are torn, foreign or no checkpoints at all: refused with the reason, and left as
// they are.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "tests/checkpoint/kills.h"

namespace ordeal::e2e {
namespace {

const Words kSubject = {"two-phase-commit", "--rms", "5", "--form", "actors"};

class Refused : public testing::Test {
 protected:
  std::string file() const { return folder_.path() + "/search.checkpoint"; }
  Words resume(const Words& subject) const {
    return check_words(subject) + Words{"--checkpoint", file(), "--checkpoint-every", "0"};
  }

  // Kills a search as soon as it has left a checkpoint, and returns it.
  std::string make_checkpoint(const Words& subject) const {
    for (uint64_t events = 20;; ++events) {
      FolderWatch watch(folder_.path());
      Process process(resume(subject));
      watch.wait_for(events, process);
      process.send(SIGKILL);
      process.finish();
      if (std::filesystem::exists(file())) return read_whole(file());
      if (events > 60) return "";
    }
  }

  void write(const std::string& bytes) const {
    std::ofstream(file(), std::ios::binary | std::ios::trunc) << bytes;
  }

  // Exit code 3, a reason, and the file as it was. Returns the reason.
  std::string refused(const Words& subject, const std::string& bytes) const {
    const Finished finished = ordeal(resume(subject));
    EXPECT_EQ(finished.exit, 3) << finished.out << finished.err;
    EXPECT_EQ(read_whole(file()), bytes);
    return finished.err;
  }

  const Folder folder_;
};

TEST_F(Refused, TornAnywhere) {
  const std::string whole = make_checkpoint(kSubject);
  ASSERT_GT(whole.size(), 1000U);
  Rng rng(3);
  for (int i = 0; i < 200; ++i) {
    const size_t size = i < 20   ? static_cast<size_t>(i)
                        : i < 40 ? whole.size() - static_cast<size_t>(i - 19)
                                 : rng.below(whole.size());
    write(whole.substr(0, size));
    const std::string why = refused(kSubject, whole.substr(0, size));
    EXPECT_NE(why.find(file()), std::string::npos) << size << " bytes: " << why;
    if (HasFailure()) return;
  }
}

TEST_F(Refused, ABitFlippedAnywhere) {
  const std::string whole = make_checkpoint(kSubject);
  ASSERT_GT(whole.size(), 1000U);
  Rng rng(4);
  for (int i = 0; i < 200; ++i) {
    std::string flipped = whole;
    const size_t at = i < 64 ? static_cast<size_t>(i) : rng.below(whole.size());
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << rng.below(8)));
    write(flipped);
    const std::string why = refused(kSubject, flipped);
    EXPECT_NE(why.find(file()), std::string::npos) << "byte " << at << ": " << why;
    if (HasFailure()) return;
  }
}

TEST_F(Refused, LongerThanItShouldBe) {
  const std::string longer = make_checkpoint(kSubject) + "more";
  write(longer);
  refused(kSubject, longer);
}

TEST_F(Refused, OfAnotherSearch) {
  const std::string whole = make_checkpoint(kSubject);
  ASSERT_GT(whole.size(), 1000U);
  const std::vector<Words> others = {
      {"paxos", "--clients", "2", "--servers", "2"},
      {"two-phase-commit", "--rms", "6", "--form", "actors"},
      {"two-phase-commit", "--rms", "5", "--form", "raw"},
      kSubject + Words{"--bug", "commit-early"},
      kSubject + Words{"--drops", "1"},
      kSubject + Words{"--strategy", "dfs"},
      kSubject + Words{"--max-depth", "8"},
      kSubject + Words{"--keep-going"},
      kSubject + Words{"--reduce", "sleep"},
      kSubject + Words{"--fingerprint", "128"},
  };
  for (const Words& other : others) {
    const std::string why = refused(other, whole);
    EXPECT_NE(why.find(file()), std::string::npos) << why;
    std::cout << why;
  }
  // Not touched so far: the search that it belongs to goes on from it.
  const Checked undisturbed = check(kSubject);
  Process process(resume(kSubject));
  EXPECT_EQ(checked(process).claims, undisturbed.claims);
}

TEST_F(Refused, WhatIsNoCheckpoint) {
  for (const std::string& text :
       {std::string(), std::string("a text\n"), std::string(100'000, '\0'),
        std::string("{\"format\": \"ordeal-report\"}")}) {
    write(text);
    const std::string why = refused(kSubject, text);
    EXPECT_NE(why.find(file()), std::string::npos) << why;
  }
}

TEST_F(Refused, WhatIsNoFile) {
  std::filesystem::create_directory(file());
  const Finished folder = ordeal(resume(kSubject));
  EXPECT_EQ(folder.exit, 3);
  EXPECT_NE(folder.err.find(file()), std::string::npos) << folder.err;
  EXPECT_TRUE(std::filesystem::is_directory(file()));
}

TEST_F(Refused, WhereNothingCanBeWritten) {
  const std::string nowhere = folder_.path() + "/missing/search.checkpoint";
  const Finished finished = ordeal(check_words(kSubject) + Words{"--checkpoint", nowhere});
  EXPECT_EQ(finished.exit, 3);
  EXPECT_NE(finished.err.find(nowhere), std::string::npos) << finished.err;
}

TEST_F(Refused, NothingAfterAnEnd) {
  // A search that has come to its end leaves nothing to go on from: the next one starts afresh.
  const Finished first = ordeal(resume(kSubject));
  const Finished second = ordeal(resume(kSubject));
  EXPECT_EQ(first.exit, 0) << first.err;
  EXPECT_EQ(claims_of(first.out), claims_of(second.out));
  EXPECT_EQ(nlohmann::json::parse(first.out)["handler_calls"],
            nlohmann::json::parse(second.out)["handler_calls"]);
  EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST_F(Refused, ByStrategiesThatHaveNone) {
  for (const std::string strategy : {"prefix", "random", "dpor", "pctcp"}) {
    const Finished finished = ordeal(resume(kSubject) + Words{"--strategy", strategy});
    EXPECT_EQ(finished.exit, 3) << strategy << ": " << finished.err;
    EXPECT_NE(finished.err.find("checkpoint"), std::string::npos) << finished.err;
  }
}

TEST_F(Refused, AnotherNumberOfThreadsIsNoReason) {
  make_checkpoint(kSubject + Words{"--threads", "1"});
  const Checked undisturbed = check(kSubject);
  Process process(resume(kSubject + Words{"--threads", "2"}));
  const Checked resumed = checked(process);
  EXPECT_EQ(resumed.claims, undisturbed.claims) << resumed.err;
}

}  // namespace
}  // namespace ordeal::e2e
