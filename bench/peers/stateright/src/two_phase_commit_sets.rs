//! Two-phase commit once more, in the collections one would reach for first: the counterpart of
//! two-phase commit as nodes, as two_phase_commit.rs is that of the raw model. The same states.
use stateright::{Model, Property};
use std::collections::BTreeSet;

pub struct TwoPhaseCommit {
    pub managers: usize,
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Manager {
    Working,
    Prepared,
    Committed,
    Aborted,
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Transaction {
    Undecided,
    Committed,
    Aborted,
}

#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Message {
    Prepared(usize),
    Commit,
    Abort,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct State {
    managers: Vec<Manager>,
    transaction: Transaction,
    known: BTreeSet<usize>,
    sent: BTreeSet<Message>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    Commit,
    Abort,
    Learn(usize),
    Become(usize, Manager),
}

impl Model for TwoPhaseCommit {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State {
            managers: vec![Manager::Working; self.managers],
            transaction: Transaction::Undecided,
            known: BTreeSet::new(),
            sent: BTreeSet::new(),
        }]
    }

    fn actions(&self, s: &State, out: &mut Vec<Action>) {
        if s.transaction == Transaction::Undecided {
            if s.known.len() == self.managers {
                out.push(Action::Commit);
            }
            out.push(Action::Abort);
        }
        let commit = s.sent.contains(&Message::Commit);
        let abort = s.sent.contains(&Message::Abort);
        for (m, state) in s.managers.iter().enumerate() {
            if s.transaction == Transaction::Undecided
                && s.sent.contains(&Message::Prepared(m))
                && !s.known.contains(&m)
            {
                out.push(Action::Learn(m));
            }
            if *state == Manager::Working {
                out.push(Action::Become(m, Manager::Prepared));
                out.push(Action::Become(m, Manager::Aborted));
            }
            if commit && *state != Manager::Committed {
                out.push(Action::Become(m, Manager::Committed));
            }
            if abort && *state != Manager::Aborted {
                out.push(Action::Become(m, Manager::Aborted));
            }
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut s = state.clone();
        match action {
            Action::Commit => {
                s.transaction = Transaction::Committed;
                s.sent.insert(Message::Commit);
            }
            Action::Abort => {
                s.transaction = Transaction::Aborted;
                s.sent.insert(Message::Abort);
            }
            Action::Learn(m) => {
                s.known.insert(m);
            }
            Action::Become(m, next) => {
                s.managers[m] = next;
                if next == Manager::Prepared {
                    s.sent.insert(Message::Prepared(m));
                }
            }
        }
        Some(s)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("consistent", |_, s: &State| {
                !(s.managers.contains(&Manager::Committed)
                    && s.managers.contains(&Manager::Aborted))
            }),
            Property::eventually("all decide", |_, s: &State| {
                s.managers
                    .iter()
                    .all(|m| matches!(m, Manager::Committed | Manager::Aborted))
            }),
            Property::sometimes("committed", |_, s: &State| {
                s.managers.contains(&Manager::Committed)
            }),
        ]
    }
}
