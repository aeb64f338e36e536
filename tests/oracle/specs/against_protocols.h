// Specifications next to the protocols in C++ of the same name: what both are asked for.
#pragma once

#include <string>

#include "tests/oracle/specs/specs.h"

namespace ordeal::specs {

// --- Paxos: what each acceptor has promised and voted for ----------------------------------------

inline std::string acceptor_of_node(const Snapshot& state, int id) {
  const Snapshot::Part& part = node(state, id);
  if (!part.up) return "down; ";
  const value::Tree& vote = *part.tree.find("vote");
  std::string text = show(*part.tree.find("promised")) + ": ";
  if (vote.kind == value::Tree::Kind::kNull) return text + "none; ";
  return text + show(*vote.find("round")) + " " + show(*vote.find("value")) + "; ";
}

inline std::string acceptor_of_model(const Snapshot& state, int id) {
  const value::Tree& vote = variable(state, "vote", id);
  std::string text = show(variable(state, "promised", id)) + ": ";
  if (vote.find("value") == nullptr) return text + "none; ";
  return text + show(*vote.find("ballot")) + " " + show(*vote.find("value")) + "; ";
}

inline std::string acceptors_of_nodes(const Snapshot& state) {
  std::string text;
  for (int id = 1; id <= 3; ++id) text += acceptor_of_node(state, id);
  return text;
}

inline std::string acceptors_of_model(const Snapshot& state) {
  std::string text;
  for (int id = 1; id <= 3; ++id) text += acceptor_of_model(state, id);
  return text;
}

// --- Raft: terms, votes and roles ----------------------------------------------------------------

inline std::string elections_of_nodes(const Snapshot& state) {
  std::string text;
  for (int id = 1; id <= 3; ++id) {
    const value::Tree& server = node(state, id).tree;
    const std::string role = show(*server.find("role"));
    text += show(*server.find("stable")->find("term")) + " for " +
            std::to_string(server.find("stable")->find("voted_for")->integer) + " as " +
            (role == "Leader"      ? "leader"
             : role == "Candidate" ? "candidate"
                                   : "follower") +
            "; ";
  }
  return text;
}

inline std::string elections_of_model(const Snapshot& state) {
  std::string text;
  for (int id = 1; id <= 3; ++id) {
    text += show(variable(state, "currentTerm", id)) + " for " +
            show(variable(state, "votedFor", id)) + " as " + variable(state, "state", id).text +
            "; ";
  }
  return text;
}

}  // namespace ordeal::specs
