/* Single-decree Paxos with 3 servers behind a register, and C clients (1 to 3) that write, then
 * read: the same states and steps as protocols/paxos/register_server.h.
 *
 * Messages are a bag: each stays until it is delivered, and a delivery that would change nothing is
 * no step. No two copies of one message are ever under way here, so the bag is one slot for each
 * kind of message and link. One process and one d_step a step: SPIN then stores one state a step,
 * in as few bytes as we could. Client c writes through server c and reads from the next one.
 *
 *   spin -a -DC=3 paxos.pml
 */
#ifndef C
#define C 2
#endif

/* A ballot is number * 3 + server, a proposal 1 + client, what was accepted ballot * 4 + proposal;
 * 0 is none. So the greatest of several accepted is the one with the highest ballot. */
#define BALLOT(accepted) ((accepted) >> 2)
#define PROPOSAL(accepted) ((accepted) & 3)

/* The servers. */
byte ballot[3];
byte proposal[3];
byte accepted[3];
byte promises[9];      /* by 3 * server + who promised: 1 + what that one had accepted */
unsigned accepts : 9;  /* by 3 * server + who accepted */
unsigned decided : 3;

/* The clients. */
unsigned wrote : 3;
unsigned read : 3;

/* What is under way between servers, by 2 * sender, + 1 to the previous server, + 0 to the next. */
byte prepare[6];       /* ballot */
byte prepared[6];      /* ballot … */
byte last[6];          /* … and what the sender had accepted */
byte accept[6];        /* as accepted */
byte acknowledge[6];   /* ballot */
byte decide[6];        /* as accepted */

/* … and between clients and servers. */
unsigned put : 3 = (1 << C) - 1;
unsigned put_ok : 9;   /* by 3 * client + server */
unsigned get : 3;
byte get_ok[3];        /* proposal */

#define BIT(i) (1 << (i))
#define HAS(set, i) (((set) & BIT(i)) != 0)
#define DECIDED(s) HAS(decided, s)
#define HIGHEST(me, from) \
  (promises[3 * me + from] > promises[3 * me + me] -> promises[3 * me + from] \
                                                   : promises[3 * me + me])
#define AGREE(s, t) assert(!DECIDED(s) || !DECIDED(t) || \
                           PROPOSAL(accepted[s]) == PROPOSAL(accepted[t]))

/* What server `me` gets from the server `from`: in[] of slot `in`, answered in slot `out`; `other`
 * is the third server. */
#define FROM(me, from, other, in, out) \
  :: d_step { prepare[in] > ballot[me] && !DECIDED(me) -> \
       ballot[me] = prepare[in]; \
       prepared[out] = prepare[in]; \
       last[out] = accepted[me]; \
       prepare[in] = 0 } \
  :: d_step { prepared[in] != 0 && prepared[in] == ballot[me] && !DECIDED(me) && \
              proposal[me] != 0 -> \
       promises[3 * me + from] = 1 + last[in]; \
       prepared[in] = 0; \
       last[in] = 0; \
       if \
       :: promises[3 * me + other] == 0 -> /* it and we are a majority */ \
            proposal[me] = (HIGHEST(me, from) > 1 -> PROPOSAL(HIGHEST(me, from) - 1) \
                                                  : proposal[me]); \
            accepted[me] = ballot[me] * 4 + proposal[me]; \
            accepts = accepts | BIT(3 * me + me); \
            accept[2 * me] = accepted[me]; \
            accept[2 * me + 1] = accepted[me] \
       :: else \
       fi } \
  :: d_step { accept[in] != 0 && BALLOT(accept[in]) >= ballot[me] && !DECIDED(me) -> \
       ballot[me] = BALLOT(accept[in]); \
       accepted[me] = accept[in]; \
       acknowledge[out] = ballot[me]; \
       accept[in] = 0 } \
  :: d_step { acknowledge[in] != 0 && acknowledge[in] == ballot[me] && !DECIDED(me) && \
              proposal[me] != 0 -> /* it and we are a majority */ \
       acknowledge[in] = 0; \
       accepts = accepts | BIT(3 * me + from); \
       decided = decided | BIT(me); \
       decide[2 * me] = ballot[me] * 4 + proposal[me]; \
       decide[2 * me + 1] = decide[2 * me]; \
       put_ok = put_ok | BIT(3 * (proposal[me] - 1) + me); \
       AGREE(me, from); AGREE(me, other) } \
  :: d_step { decide[in] != 0 && !DECIDED(me) -> \
       ballot[me] = BALLOT(decide[in]); \
       accepted[me] = decide[in]; \
       decided = decided | BIT(me); \
       decide[in] = 0; \
       AGREE(me, from); AGREE(me, other) }

#define SERVER(me, next, previous) \
  FROM(me, next, previous, 2 * next + 1, 2 * me) \
  FROM(me, previous, next, 2 * previous, 2 * me + 1) \
  :: d_step { HAS(put, me) && !DECIDED(me) && proposal[me] == 0 -> \
       put = put & ~BIT(me); \
       ballot[me] = (ballot[me] / 3 + 1) * 3 + me; \
       proposal[me] = 1 + me; \
       promises[3 * me + me] = 1 + accepted[me]; \
       prepare[2 * me] = ballot[me]; \
       prepare[2 * me + 1] = ballot[me] } \
  :: d_step { HAS(get, previous) && DECIDED(me) -> \
       get = get & ~BIT(previous); \
       get_ok[previous] = PROPOSAL(accepted[me]) }

/* Why these assertions are linearizability here: only the client whose value was chosen ends its
 * write, so all other writes are pending for ever and may have happened at any time; its read may
 * return any value that was written, but not that nothing was. */
#define PUT_OK(c, s) \
  :: d_step { HAS(put_ok, 3 * c + s) && !HAS(wrote, c) -> \
       assert(wrote == 0); \
       put_ok = put_ok & ~BIT(3 * c + s); \
       wrote = wrote | BIT(c); \
       get = get | BIT(c) }
#define CLIENT(c) \
  PUT_OK(c, 0) PUT_OK(c, 1) PUT_OK(c, 2) \
  :: d_step { get_ok[c] != 0 -> \
       assert(get_ok[c] <= C); \
       read = read | BIT(c); \
       get_ok[c] = 0 }

active proctype Everything()
{
end:
  do
  SERVER(0, 1, 2)
  SERVER(1, 2, 0)
  SERVER(2, 0, 1)
  CLIENT(0)
#if C > 1
  CLIENT(1)
#endif
#if C > 2
  CLIENT(2)
#endif
  od
}
