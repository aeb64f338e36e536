#include "protocols/suite.h"

#include "protocols/abd_register/abd_register.h"
#include "protocols/cube_world/cube_world.h"
#include "protocols/eager_reliable_broadcast/eager_reliable_broadcast.h"
#include "protocols/hierarchical_consensus/hierarchical_consensus.h"
#include "protocols/multi_paxos/multi_paxos.h"
#include "protocols/paxos/paxos.h"
#include "protocols/pbft/pbft.h"
#include "protocols/raft/raft.h"
#include "protocols/regular_register/regular_register.h"
#include "protocols/rsl/rsl.h"
#include "protocols/single_copy_register/single_copy_register.h"
#include "protocols/tendermint/tendermint.h"
#include "protocols/two_phase_commit/two_phase_commit.h"

namespace ordeal::protocols {
namespace {

void add_all(const std::vector<SuiteScenario>& scenarios, Suite& suite) {
  for (const SuiteScenario& scenario : scenarios) suite.add(scenario);
}

}  // namespace

Suite suite() {
  Suite all;
  all.add(hierarchical_consensus::subject());
  all.add(eager_reliable_broadcast::subject());
  all.add(regular_register::subject());
  all.add(paxos::subject());
  all.add(multi_paxos::subject());
  all.add(abd_register::subject());
  all.add(single_copy_register::subject());
  all.add(two_phase_commit::subject());
  all.add(raft::subject());
  all.add(rsl::subject());
  all.add(tendermint::subject());
  all.add(pbft::subject());
  all.add(cube_world::subject());
  add_all(hierarchical_consensus::scenarios(), all);
  add_all(eager_reliable_broadcast::scenarios(), all);
  add_all(regular_register::scenarios(), all);
  add_all(paxos::scenarios(), all);
  add_all(multi_paxos::scenarios(), all);
  add_all(abd_register::scenarios(), all);
  add_all(single_copy_register::scenarios(), all);
  add_all(two_phase_commit::scenarios(), all);
  add_all(raft::scenarios(), all);
  add_all(rsl::scenarios(), all);
  add_all(tendermint::scenarios(), all);
  add_all(pbft::scenarios(), all);
  return all;
}

}  // namespace ordeal::protocols
