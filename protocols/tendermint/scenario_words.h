// Conditions and reactions of which Tendermint's scenarios are made.
#pragma once

#include <string>
#include <vector>

#include "ordeal/scenario.h"
#include "ordeal/suite.h"
#include "protocols/tendermint/node.h"

namespace ordeal::protocols::tendermint {

// --- Messages on their way ----------------------------------------------------------------------
inline Condition sends_proposal(int round, Where where = Where::current()) {
  return is_send(where) &&
         is_message<Proposal>([round](const Proposal& p) { return p.round == round; }, where);
}
inline Condition sends_prevote(int round, Where where = Where::current()) {
  return is_send(where) &&
         is_message<Prevote>([round](const Prevote& p) { return p.round == round; }, where);
}
inline Condition sends_precommit(int round, Where where = Where::current()) {
  return is_send(where) &&
         is_message<Precommit>([round](const Precommit& p) { return p.round == round; }, where);
}
inline Condition sends_of_round(int round, Where where = Where::current()) {
  return sends_proposal(round, where) || sends_prevote(round, where) ||
         sends_precommit(round, where);
}
inline Condition prevotes(int round, int value, Where where = Where::current()) {
  return is_send(where) &&
         is_message<Prevote>(
             [round, value](const Prevote& p) { return p.round == round && p.value == value; },
             where);
}
inline Condition precommits(int round, int value, Where where = Where::current()) {
  return is_send(where) &&
         is_message<Precommit>(
             [round, value](const Precommit& p) { return p.round == round && p.value == value; },
             where);
}

// --- Nodes --------------------------------------------------------------------------------------
// Of events at a node: it is in that round afterwards.
inline Condition in_round(int round, Where where = Where::current()) {
  return state_is<Node>([round](const Node& node) { return node.journal.turn.round == round; },
                        where);
}
inline Condition decides_value(int value, Where where = Where::current()) {
  return decides(where) &&
         carries<Decided>([value](const Decided& d) { return d.value == value; }, where);
}

// --- What a Byzantine node makes of its votes ---------------------------------------------------
inline Reaction prevote_for(int node, int value, Where where = Where::current()) {
  return mutate_signed<Prevote>(
      issue_key(node), [value](Prevote& vote) { vote.value = value; }, where);
}
inline Reaction precommit_for(int node, int value, Where where = Where::current()) {
  return mutate_signed<Precommit>(
      issue_key(node), [value](Precommit& vote) { vote.value = value; }, where);
}
// --- The scenarios, by what they are about ------------------------------------------------------
std::vector<SuiteScenario> lock_scenarios();
std::vector<SuiteScenario> round_scenarios();
std::vector<SuiteScenario> vote_scenarios();

}  // namespace ordeal::protocols::tendermint
