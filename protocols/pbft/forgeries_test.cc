// What a Byzantine replica may put into a view change or a new view, and correct ones reject: it
// signs what it says, but cannot sign what others have said.
#include <functional>
#include <utility>

#include "ordeal/report.h"
#include "ordeal/scenario.h"
#include "protocols/pbft/scenario_parts.h"
#include "protocols/testing.h"

namespace ordeal::protocols {
namespace {

using pbft::Certificate;
using pbft::Checkpoint;
using pbft::NewView;
using pbft::ViewChange;

ScenarioReport run_scenario(const Scenario& scenario, const testing::Given& given,
                            const std::string& bug) {
  const auto subject = testing::build("pbft", given, bug);
  EXPECT_TRUE(subject.ok());
  Options options;
  options.strategy = "random";
  Result<ScenarioReport> report = ordeal::run(scenario, **subject, options);
  if (report) return *std::move(report);
  ADD_FAILURE() << report.error().message;
  return {};
}

// Nothing is committed in view 0, and replica 4 changes what it says of it. The others do without.
Verdict with_view_change(const std::function<void(ViewChange&)>& change,
                         const std::string& bug = "") {
  Scenario scenario("forged view change");
  scenario.filter(when(pbft::sends<pbft::Commit>(0)).then(drop()))
      .filter(when(is_send() && is_message<ViewChange>() && from(4))
                  .then(mutate_signed<ViewChange>(issue_key(4), change)))
      .machine(
          Machine("view 0").on("view 0", pbft::executes_in_view(1) && at(2), Machine::kSuccess));
  const testing::Given given = {
      {"views", "2"}, {"retries", "1"}, {"byzantine", "4"}, {"behaviour", "withhold"}};
  return run_scenario(scenario, given, bug).verdict;
}

Verdict with_certificate(const std::function<void(Certificate&)>& change) {
  return with_view_change([change](ViewChange& view_change) {
    for (Certificate& certificate : view_change.prepared) change(certificate);
  });
}

// Replica 2 changes the view that it begins. Nobody enters it, and view 2 comes.
Verdict with_new_view(const std::function<void(NewView&)>& change, const std::string& bug = "") {
  Scenario scenario("forged new view");
  scenario.filter(when(pbft::sends<pbft::Commit>(0)).then(drop()))
      .filter(when(is_send() && is_message<NewView>() && from(2))
                  .then(mutate_signed<NewView>(issue_key(2), change)))
      .filter(when(pbft::sends<pbft::PrePrepare>(0)).then(deliver()))
      .filter(when(pbft::sends<pbft::Prepare>(0)).then(deliver()))
      .machine(Machine("view 0")
                   .on("view 0", pbft::executes_in_view(1), Machine::kFailure)
                   .on("view 0", pbft::executes_in_view(2), Machine::kSuccess));
  const testing::Given given = {
      {"views", "3"}, {"retries", "1"}, {"byzantine", "2"}, {"behaviour", "withhold"}};
  return run_scenario(scenario, given, bug).verdict;
}

TEST(PbftForgeries, CheckpointsWithoutProofAreRejected) {
  const Checkpoint vote = sign(issue_key(4), Checkpoint{1, 7});
  const Checkpoint of_another_state = sign(issue_key(4), Checkpoint{1, 8});
  const Checkpoint of_another_number = sign(issue_key(4), Checkpoint{2, 7});
  const Checkpoint of_a_client = sign(issue_key(9), Checkpoint{1, 7});
  const Checkpoint not_signed{1, 7};
  for (const Checkpoint& other :
       {vote, of_another_state, of_another_number, of_a_client, not_signed}) {
    const auto forge = [&](ViewChange& change) {
      change.stable = 1;
      change.proof = {vote, other, other};
    };
    EXPECT_EQ(with_view_change(forge), Verdict::kHolds) << value::show(other);
  }
}

TEST(PbftForgeries, CertificatesThatNobodySignedAreRejected) {
  const std::vector<std::function<void(Certificate&)>> forgeries = {
      [](Certificate& c) { c.proposal.view = 1; },
      [](Certificate& c) { c.proposal.sequence = 0; },
      [](Certificate& c) { c.proposal.sequence = 1'000; },
      [](Certificate& c) { c.proposal.signature.by = 3; },
      [](Certificate& c) { c.proposal.request.amount = 7; },
      [](Certificate& c) { c.prepares[0].view = 1; },
      [](Certificate& c) { c.prepares[0].sequence = 2; },
      [](Certificate& c) { c.prepares[0].digest.amount = 7; },
      [](Certificate& c) { c.prepares[0].signature.by = 1; },
      [](Certificate& c) { c.prepares[0].signature.by = 9; },
      [](Certificate& c) { ++c.prepares[0].signature.digest; },
      [](Certificate& c) { c.prepares.pop_back(); },
  };
  for (size_t i = 0; i < forgeries.size(); ++i) {
    EXPECT_EQ(with_certificate(forgeries[i]), Verdict::kHolds) << i;
  }
}

const std::vector<std::function<void(NewView&)>>& new_views() {
  static const std::vector<std::function<void(NewView&)>> all = {
      [](NewView& n) { n.view_changes.pop_back(); },
      [](NewView& n) { n.view_changes[0].view = 2; },
      [](NewView& n) { ++n.view_changes[0].signature.digest; },
      [](NewView& n) {
        n.proposals.push_back(sign(issue_key(2), pbft::PrePrepare{1, 9, {}}));
      },
      [](NewView& n) { n.view_changes.clear(); },
  };
  return all;
}

TEST(PbftForgeries, NewViewsThatDoNotFollowFromViewChangesAreNotEntered) {
  for (size_t i = 0; i < new_views().size(); ++i) {
    EXPECT_EQ(with_new_view(new_views()[i]), Verdict::kHolds) << i;
  }
  const auto change_proposals = [](const std::function<void(pbft::PrePrepare&)>& change) {
    return [change](NewView& n) {
      if (n.proposals.empty()) n.proposals.emplace_back();
      change(n.proposals[0]);
    };
  };
  const std::vector<std::function<void(pbft::PrePrepare&)>> proposals = {
      [](pbft::PrePrepare& p) { p.sequence = 2; },
      [](pbft::PrePrepare& p) { p.view = 0; },
      [](pbft::PrePrepare& p) { p.signature.by = 3; },
      [](pbft::PrePrepare& p) { ++p.signature.digest; },
      [](pbft::PrePrepare& p) {
        p.request = pbft::request_of(6);
        p = sign(issue_key(2), p);
      },
  };
  for (size_t i = 0; i < proposals.size(); ++i) {
    EXPECT_EQ(with_new_view(change_proposals(proposals[i])), Verdict::kHolds) << i;
  }
}

// What replica 4 sends of one kind is changed on its way, and nobody signs it anew.
template <class M, class F>
void expect_harmless(F change) {
  Scenario scenario("garbled");
  scenario
      .filter(when(is_send() && is_message<M>() && (from(4) || from(5)))
                  .then(mutate<M>(std::move(change))))
      .machine(Machine("waiting").on("waiting", pbft::executes() && at(2), Machine::kSuccess))
      .iterations(20);
  const testing::Given given = {{"views", "2"}, {"retries", "1"}, {"checkpoint-interval", "1"}};
  const ScenarioReport report = run_scenario(scenario, given, "");
  EXPECT_EQ(report.failures, 0U) << to_text(report);
  EXPECT_GT(report.filters[0].fired, 0U) << to_text(report);
}

TEST(PbftForgeries, MessagesThatWereChangedOnTheirWayAreRejected) {
  expect_harmless<pbft::Request>([](pbft::Request& m) { m.amount = 7; });
  expect_harmless<pbft::Request>([](pbft::Request& m) { m.client = 6; });
  expect_harmless<pbft::Request>([](pbft::Request& m) { m.client = 2; });
  expect_harmless<pbft::Prepare>([](pbft::Prepare& m) { ++m.signature.digest; });
  expect_harmless<pbft::Prepare>([](pbft::Prepare& m) { m.signature.by = 9; });
  expect_harmless<pbft::Commit>([](pbft::Commit& m) { ++m.signature.digest; });
  expect_harmless<pbft::Reply>([](pbft::Reply& m) { m.result = 7; });
  expect_harmless<pbft::Reply>([](pbft::Reply& m) { m.signature.by = 9; });
  expect_harmless<pbft::Reply>([](pbft::Reply& m) { m.client = 6; });
  expect_harmless<Checkpoint>([](Checkpoint& m) { ++m.signature.digest; });
  expect_harmless<ViewChange>([](ViewChange& m) { m.view = 9; });
  expect_harmless<pbft::StateCopy>([](pbft::StateCopy& m) { m.service.total = 7; });
}

TEST(PbftForgeries, AReplicaThatTrustsTheNewPrimaryEntersThem) {
  EXPECT_EQ(with_new_view(new_views()[0], "trusts-new-view"), Verdict::kViolated);
}

}  // namespace
}  // namespace ordeal::protocols
