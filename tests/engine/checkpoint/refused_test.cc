// Checkpoints that are torn, foreign or no checkpoints at all: refused with the reason, and left as
// they are.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "tests/engine/checkpoint/kills.h"

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
  const std::vector<std::pair<Words, std::string>> others = {
      {{"paxos", "--clients", "2", "--servers", "2"},
       "the subject was two-phase-commit there and is paxos here"},
      {{"two-phase-commit", "--rms", "6", "--form", "actors"}, "--rms was 5 there and is 6 here"},
      {{"two-phase-commit", "--rms", "5", "--form", "raw"},
       "--form was actors there and is raw here"},
      {kSubject + Words{"--bug", "commit-early"}, "--bug was none there and is commit-early here"},
      {kSubject + Words{"--drops", "1"}, "--drops was 0 there and is 1 here"},
      {kSubject + Words{"--strategy", "dfs"}, "--strategy was bfs there and is dfs here"},
      {kSubject + Words{"--max-depth", "8"}, "--max-depth was none there and is 8 here"},
      {kSubject + Words{"--keep-going"}, "--keep-going was off there and is on here"},
      {kSubject + Words{"--reduce", "sleep"}, "--reduce was none there and is sleep here"},
      {kSubject + Words{"--symmetry"}, "--symmetry was off there and is on here"},
      {kSubject + Words{"--fingerprint", "128"}, "--fingerprint was 64 there and is 128 here"},
      {kSubject + Words{"--guide", "0.0.1"}, "--guide was none there and is 0.0.1 here"},
      {{"two-phase-commit", "--rms", "6", "--form", "actors", "--bug", "rm-changes-mind"},
       "--bug was none there and is rm-changes-mind here, --rms was 5 there and is 6 here"},
  };
  for (const auto& [other, differs] : others) {
    const std::string why = refused(other, whole);
    EXPECT_EQ(why, "ordeal check: " + file() + " is a checkpoint of another search: " + differs +
                       "; give another file, or remove this one\n");
  }
  // Not touched so far: the search that it belongs to goes on from it.
  const Checked undisturbed = check(kSubject);
  Process process(resume(kSubject));
  EXPECT_EQ(checked(process).claims, undisturbed.claims);
}

TEST_F(Refused, OfAnotherBug) {
  const Words with = kSubject + Words{"--bug", "commit-early"};
  const std::string whole = make_checkpoint(with + Words{"--keep-going"});
  ASSERT_GT(whole.size(), 1000U);
  const auto says = [&](const Words& other, const std::string& what) {
    const std::string why = refused(other + Words{"--keep-going"}, whole);
    EXPECT_NE(why.find(": " + what + ";"), std::string::npos) << why;
  };
  says(kSubject, "--bug was commit-early there and is none here");
  says(kSubject + Words{"--bug", "rm-changes-mind"},
       "--bug was commit-early there and is rm-changes-mind here");
}

// Its properties may have other bodies by now, which nobody would ask about the states visited.
TEST_F(Refused, OfAProgramThatWasBuiltAnew) {
  const std::string whole = make_checkpoint(kSubject);
  std::string program = read_whole(ORDEAL_BINARY);
  const size_t note = program.find(std::string("\x14\0\0\0\x03\0\0\0GNU\0", 12));
  ASSERT_NE(note, std::string::npos) << "the linker has left no build id";
  program[note + 12] ^= 1;
  const std::string other = folder_.path() + "/other";
  std::ofstream(other, std::ios::binary) << program;
  std::filesystem::permissions(other, std::filesystem::perms::owner_all);
  Words words = Words{other} + resume(kSubject);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  Process process(resume(kSubject), "", "", [&] { execv(argv[0], argv.data()); });
  const Finished finished = process.finish();
  EXPECT_EQ(finished.exit, 3) << finished.out << finished.err;
  EXPECT_NE(finished.err.find("the hash of the program was "), std::string::npos) << finished.err;
  EXPECT_EQ(read_whole(file()), whole);
}

TEST_F(Refused, OfAnotherVersion) {
  std::string other = make_checkpoint(kSubject);
  ASSERT_GT(other.size(), 1000U);
  other.replace(0, std::string("ordeal checkpoint 3").size(), "ordeal checkpoint 2");
  write(other);
  const std::string why = refused(kSubject, other);
  EXPECT_NE(why.find("another version of ordeal"), std::string::npos) << why;
}

TEST_F(Refused, WhileAnotherSearchHasIt) {
  const Words large = {"two-phase-commit", "--rms", "8", "--form", "actors"};
  FolderWatch watch(folder_.path());
  Process first(resume(large));
  while (!std::filesystem::exists(file()) && !first.has_ended()) watch.wait_for(1, first);
  ASSERT_FALSE(first.has_ended()) << "too small for this";
  const Finished second = ordeal(resume(large));
  EXPECT_FALSE(first.has_ended()) << "too small for this";
  EXPECT_EQ(second.exit, 3) << second.out;
  EXPECT_NE(second.err.find(file() + " is in use"), std::string::npos) << second.err;
  first.send(SIGKILL);
  first.finish();
  // Nobody has it any more.
  const Finished third = ordeal(resume(large) + Words{"--max-time", "0.01"});
  EXPECT_EQ(third.exit, 2) << third.err;
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
