#include "protocols/byzantine/signed.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "ordeal/scenario.h"
#include "ordeal/scenario_run.h"
#include "ordeal/system.h"

namespace ordeal::protocols {
namespace {

struct Vote {
  int round = 0;
  int value = 0;
  Signature signature = {};
};
// Of the same content as a Vote.
struct Commit {
  int round = 0;
  int value = 0;
  Signature signature = {};
};
struct Certificate {
  int value = 0;
  std::vector<Vote> votes = {};
  Signature signature = {};
};

TEST(Signed, IsValidAsItWasSigned) {
  const Vote vote = sign(issue_key(2), Vote{1, 7});
  EXPECT_TRUE(verify(vote));
  EXPECT_TRUE(verify(vote, 2));
  EXPECT_EQ(vote.signature.by, 2);
  EXPECT_EQ(vote.round, 1);
  EXPECT_EQ(vote.value, 7);
}

TEST(Signed, IsNotValidWhenAnyFieldWasChanged) {
  const Vote vote = sign(issue_key(2), Vote{1, 7});
  Vote other_round = vote;
  other_round.round = 2;
  EXPECT_FALSE(verify(other_round));
  Vote other_value = vote;
  other_value.value = 8;
  EXPECT_FALSE(verify(other_value));
  Vote other_digest = vote;
  ++other_digest.signature.digest;
  EXPECT_FALSE(verify(other_digest));
}

TEST(Signed, IsNotValidAsSomebodyElses) {
  Vote vote = sign(issue_key(2), Vote{1, 7});
  EXPECT_FALSE(verify(vote, 3));
  vote.signature.by = 3;
  EXPECT_FALSE(verify(vote));
  EXPECT_FALSE(verify(vote, 2));
  EXPECT_FALSE(verify(vote, 3));
}

TEST(Signed, IsNotValidWithoutASignature) {
  EXPECT_FALSE(verify(Vote{1, 7}));
  EXPECT_FALSE(verify(sign(Key(), Vote{1, 7})));
}

TEST(Signed, ASignatureOfOneTypeIsNoneOfAnother) {
  const Vote vote = sign(issue_key(2), Vote{1, 7});
  EXPECT_FALSE(verify(Commit{1, 7, vote.signature}));
  EXPECT_TRUE(verify(sign(issue_key(2), Commit{1, 7})));
}

TEST(Signed, SigningAgainMakesItTheNewSignersOwn) {
  Vote vote = sign(issue_key(2), Vote{1, 7});
  vote.value = 8;
  vote = sign(issue_key(4), vote);
  EXPECT_TRUE(verify(vote, 4));
  EXPECT_FALSE(verify(vote, 2));
  // What was there before leaves no mark.
  EXPECT_TRUE(value::equal(vote, sign(issue_key(4), Vote{1, 8})));
}

TEST(Signed, EvidenceInsideAMessageCanBeVerifiedOnItsOwn) {
  Certificate certificate{7, {sign(issue_key(1), Vote{1, 7}), sign(issue_key(2), Vote{1, 7})}};
  certificate = sign(issue_key(3), certificate);
  ASSERT_TRUE(verify(certificate, 3));
  for (const Vote& vote : certificate.votes) EXPECT_TRUE(verify(vote));
  // Evidence that was changed breaks the signature around it, and its own.
  certificate.votes[1].value = 8;
  EXPECT_FALSE(verify(certificate));
  EXPECT_TRUE(verify(certificate.votes[0]));
  EXPECT_FALSE(verify(certificate.votes[1]));
  // A Byzantine node can mend its own signature, and no other.
  certificate = sign(issue_key(3), certificate);
  EXPECT_TRUE(verify(certificate, 3));
  EXPECT_FALSE(verify(certificate.votes[1]));
}

TEST(Signed, KeysDiffer) {
  std::set<uint32_t> digests;
  for (int node = 1; node <= 9; ++node) {
    digests.insert(sign(issue_key(node), Vote{1, 7}).signature.digest);
  }
  EXPECT_EQ(digests.size(), 9U);
}

// --- In scenarios -------------------------------------------------------------------------------

// Node 1 tells the others 7; they take what is signed.
struct Voter {
  using Messages = Types<Vote>;
  std::set<std::pair<int, int>> taken;  // whose, what
  ORDEAL_FIELDS(taken);
  void start(Context& ctx) {
    if (ctx.self() == NodeId(1)) ctx.broadcast(sign(issue_key(1), Vote{1, 7}));
  }
  void on(Context&, NodeId, const Vote& vote) {
    if (verify(vote)) taken.emplace(vote.signature.by.value, vote.value);
  }
};

using Taken = std::set<std::pair<int, int>>;

// What the two others have taken in the end must be this.
Verdict run_with(const Filter& filter, const Taken& expected) {
  System system;
  system.add<Voter>(3);
  Scenario scenario("signed");
  scenario.filter(filter)
      .machine(Machine("voting").on(
          "voting", is_receive() && to(2) && state_is<Voter>([expected](const Voter& voter) {
                      return voter.taken == expected;
                    }),
          Machine::kSuccess))
      .iterations(10);
  const Result<ScenarioReport> report = run(scenario, system);
  if (!report) {
    ADD_FAILURE() << report.error().message;
    return Verdict::kUndecided;
  }
  return report->verdict;
}

const Condition kVoteTo2 = is_send() && is_message<Vote>() && to(2);
void change(Vote& vote) { vote.value = 8; }

TEST(SignedFilters, AMutatedMessageIsRejected) {
  EXPECT_EQ(run_with(when(kVoteTo2).then(mutate<Vote>(change)), Taken{}), Verdict::kHolds);
  // The machine can tell: it is not taken for another outcome.
  EXPECT_EQ(run_with(when(kVoteTo2).then(mutate<Vote>(change)), Taken{{1, 8}}), Verdict::kViolated);
}

TEST(SignedFilters, AMutatedMessageThatTheByzantineNodeSignsIsAcceptedAsItsOwn) {
  EXPECT_EQ(run_with(when(kVoteTo2).then(mutate_signed<Vote>(issue_key(1), change)), Taken{{1, 8}}),
            Verdict::kHolds);
  EXPECT_EQ(run_with(when(kVoteTo2).then(mutate_signed<Vote>(issue_key(3), change)), Taken{{3, 8}}),
            Verdict::kHolds);
}

TEST(SignedFilters, AnInjectedMessageIsItsSignersOwn) {
  EXPECT_EQ(run_with(when(kVoteTo2).then(drop(), inject_signed(issue_key(3), 2, Vote{1, 9})),
                     Taken{{3, 9}}),
            Verdict::kHolds);
}

}  // namespace
}  // namespace ordeal::protocols
