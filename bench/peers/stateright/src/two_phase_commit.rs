//! Two-phase commit: the same states and steps as protocols/two_phase_commit/model.h. Messages are
//! a set that only grows; a step that would change nothing is none.
use stateright::{Model, Property};

pub struct TwoPhaseCommit {
    pub managers: u8,
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Transaction {
    Undecided,
    Commit,
    Abort,
}

/// One bit a manager.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct State {
    prepared: u16,
    committed: u16,
    aborted: u16,
    sent: u16,
    known: u16,
    transaction: Transaction,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    Decide(Transaction),
    Learn(u8),
    Prepare(u8),
    Abort(u8),
    FollowCommit(u8),
    FollowAbort(u8),
}

impl TwoPhaseCommit {
    fn everyone(&self) -> u16 {
        (1 << self.managers) - 1
    }
}

/// The members of a set of managers.
fn each(mut set: u16, mut visit: impl FnMut(u8)) {
    while set != 0 {
        visit(set.trailing_zeros() as u8);
        set &= set - 1;
    }
}

impl Model for TwoPhaseCommit {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State {
            prepared: 0,
            committed: 0,
            aborted: 0,
            sent: 0,
            known: 0,
            transaction: Transaction::Undecided,
        }]
    }

    fn actions(&self, s: &State, out: &mut Vec<Action>) {
        let all = self.everyone();
        match s.transaction {
            Transaction::Undecided => {
                if s.known == all {
                    out.push(Action::Decide(Transaction::Commit));
                }
                out.push(Action::Decide(Transaction::Abort));
                each(s.sent & !s.known, |m| out.push(Action::Learn(m)));
            }
            Transaction::Commit => each(all & !s.committed, |m| out.push(Action::FollowCommit(m))),
            Transaction::Abort => each(all & !s.aborted, |m| out.push(Action::FollowAbort(m))),
        }
        each(all & !(s.prepared | s.committed | s.aborted), |m| {
            out.push(Action::Prepare(m));
            out.push(Action::Abort(m));
        });
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut s = state.clone();
        match action {
            Action::Decide(outcome) => s.transaction = outcome,
            Action::Learn(m) => s.known |= 1 << m,
            Action::Prepare(m) => {
                s.prepared |= 1 << m;
                s.sent |= 1 << m;
            }
            Action::FollowCommit(m) => {
                s.prepared &= !(1 << m);
                s.aborted &= !(1 << m);
                s.committed |= 1 << m;
            }
            Action::Abort(m) | Action::FollowAbort(m) => {
                s.prepared &= !(1 << m);
                s.committed &= !(1 << m);
                s.aborted |= 1 << m;
            }
        }
        Some(s)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("consistent", |_, s: &State| {
                s.committed == 0 || s.aborted == 0
            }),
            Property::eventually("all decide", |model: &Self, s: &State| {
                s.committed | s.aborted == model.everyone()
            }),
            Property::sometimes("committed", |_, s: &State| s.committed != 0),
        ]
    }
}
