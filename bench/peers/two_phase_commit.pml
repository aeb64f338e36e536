/* Two-phase commit with N resource managers (1 to 9): the same states and steps as
 * protocols/two_phase_commit/model.h. Messages are a set that only grows, and a step that would
 * change nothing is none. One process and one d_step a step: SPIN then stores one state a step, in
 * as few bytes as we could.
 *
 *   spin -a -DN=9 two_phase_commit.pml
 */
#ifndef N
#define N 3
#endif
#define ALL ((1 << N) - 1)

mtype:decision = { undecided, commit, abort };

/* One bit a manager. */
unsigned prepared : N;  /* managers that are prepared, */
unsigned committed : N; /* … committed, */
unsigned aborted : N;   /* … aborted; the others are working */
unsigned sent : N;      /* managers whose Prepared was sent */
unsigned known : N;     /* managers that the transaction manager knows to be prepared */
mtype:decision transaction = undecided; /* once decided, Commit or Abort was sent */

#define WORKING(me) (((prepared | committed | aborted) & me) == 0)
#define CONSISTENT assert(committed == 0 || aborted == 0)

/* What the manager with the bit `me` does, and what the transaction manager learns of it. Only what
 * a step can break is asserted after it. */
#define MANAGER(me) \
  :: d_step { WORKING(me) -> prepared = prepared | me; sent = sent | me } \
  :: d_step { WORKING(me) -> aborted = aborted | me; CONSISTENT } \
  :: d_step { transaction == commit && (committed & me) == 0 -> \
       prepared = prepared & ~me; aborted = aborted & ~me; committed = committed | me; \
       CONSISTENT } \
  :: d_step { transaction == abort && (aborted & me) == 0 -> \
       prepared = prepared & ~me; committed = committed & ~me; aborted = aborted | me; \
       CONSISTENT } \
  :: d_step { transaction == undecided && (sent & ~known & me) != 0 -> known = known | me }

active proctype Everything()
{
end:
  do
  :: d_step { transaction == undecided && known == ALL -> transaction = commit }
  :: d_step { transaction == undecided -> transaction = abort }
  MANAGER(1)
#if N > 1
  MANAGER(2)
#endif
#if N > 2
  MANAGER(4)
#endif
#if N > 3
  MANAGER(8)
#endif
#if N > 4
  MANAGER(16)
#endif
#if N > 5
  MANAGER(32)
#endif
#if N > 6
  MANAGER(64)
#endif
#if N > 7
  MANAGER(128)
#endif
#if N > 8
  MANAGER(256)
#endif
  od
}
