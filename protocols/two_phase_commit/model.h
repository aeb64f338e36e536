// Two-phase commit as a raw model, after Gray and Lamport, "Consensus on Transaction Commit": the
// form whose state counts are published. Messages are a set that only grows; an action that would
// change nothing is none.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace ordeal::protocols::two_phase_commit {

inline constexpr int kMaxManagers = 16;

enum class Planted : uint8_t { kNone, kCommitEarly, kChangeMind, kWaitForEver };

enum class Manager : uint8_t { kWorking, kPrepared, kCommitted, kAborted };
enum class Transaction : uint16_t { kInit, kCommitted, kAborted };

struct TwoPhaseCommit {
  // One bit a manager, bit 0 for manager 1. Twelve bytes without padding: this form is for speed.
  struct State {
    uint16_t prepared = 0;   // managers that are prepared,
    uint16_t committed = 0;  // … committed,
    uint16_t aborted = 0;    // … aborted; the others are working
    uint16_t sent = 0;       // managers whose Prepared was sent
    uint16_t known = 0;      // managers that the transaction manager knows to be prepared
    Transaction transaction = Transaction::kInit;  // once decided, Commit or Abort was sent
  };

  enum class Kind : uint8_t {
    kTransactionCommits,
    kTransactionAborts,
    kLearnPrepared,
    kPrepare,
    kAbortAlone,
    kFollowCommit,
    kFollowAbort,
    kWaitAgain,
  };
  struct Action {
    Kind kind = Kind::kTransactionCommits;
    uint8_t manager = 0;  // from 1; 0: none
  };

  int managers = 3;
  Planted bug = Planted::kNone;

  std::vector<State> initial() const { return {State{}}; }
  void actions(const State& state, std::vector<Action>& out) const;
  std::optional<State> next(const State& state, const Action& action) const;
};

inline void TwoPhaseCommit::actions(const State& s, std::vector<Action>& out) const {
  const auto all = static_cast<uint32_t>((1U << managers) - 1);
  const auto each = [&out](Kind kind, uint32_t mask) {
    for (; mask != 0; mask &= mask - 1) {
      out.push_back({kind, static_cast<uint8_t>(__builtin_ctz(mask) + 1)});
    }
  };
  if (s.transaction == Transaction::kInit) {
    // Planted: commits although one manager is not known to be prepared.
    const uint32_t missing = all & ~s.known;
    const bool enough =
        missing == 0 || (bug == Planted::kCommitEarly && (missing & (missing - 1)) == 0);
    if (enough) out.push_back({Kind::kTransactionCommits, 0});
    // Planted: it never gives up waiting for votes.
    const bool waits = bug == Planted::kWaitForEver;
    out.push_back({waits ? Kind::kWaitAgain : Kind::kTransactionAborts, 0});
    each(Kind::kLearnPrepared, s.sent & ~s.known);
  }
  const uint32_t working = all & ~(s.prepared | s.committed | s.aborted);
  each(Kind::kPrepare, working);
  // Planted: a prepared manager aborts on its own after all.
  each(Kind::kAbortAlone, bug == Planted::kChangeMind ? working | s.prepared : working);
  if (s.transaction == Transaction::kCommitted) each(Kind::kFollowCommit, all & ~s.committed);
  if (s.transaction == Transaction::kAborted) each(Kind::kFollowAbort, all & ~s.aborted);
}

inline std::optional<TwoPhaseCommit::State> TwoPhaseCommit::next(const State& state,
                                                                 const Action& action) const {
  State s = state;
  const auto bit = static_cast<uint16_t>(action.manager == 0 ? 0 : 1U << (action.manager - 1));
  const auto without = static_cast<uint16_t>(~bit);
  switch (action.kind) {
    case Kind::kTransactionCommits:
      s.transaction = Transaction::kCommitted;
      break;
    case Kind::kTransactionAborts:
      s.transaction = Transaction::kAborted;
      break;
    case Kind::kLearnPrepared:
      s.known |= bit;
      break;
    case Kind::kPrepare:
      s.prepared |= bit;
      s.sent |= bit;
      break;
    case Kind::kFollowCommit:
      s.prepared &= without;
      s.aborted &= without;
      s.committed |= bit;
      break;
    case Kind::kAbortAlone:
    case Kind::kFollowAbort:
      s.prepared &= without;
      s.committed &= without;
      s.aborted |= bit;
      break;
    case Kind::kWaitAgain:
      break;
  }
  return s;
}

}  // namespace ordeal::protocols::two_phase_commit
