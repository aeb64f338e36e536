#include "protocols/tendermint/scenario_words.h"
#include "protocols/tendermint/tendermint.h"

namespace ordeal::protocols::tendermint {

std::vector<SuiteScenario> scenarios() {
  std::vector<SuiteScenario> all = lock_scenarios();
  for (const SuiteScenario& scenario : round_scenarios()) all.push_back(scenario);
  for (const SuiteScenario& scenario : vote_scenarios()) all.push_back(scenario);
  return all;
}

}  // namespace ordeal::protocols::tendermint
