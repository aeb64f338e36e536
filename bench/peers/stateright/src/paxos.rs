//! Single-decree Paxos with 3 servers behind a register: the same states and steps as
//! protocols/paxos/register_server.h, with the crate's own register clients.
use stateright::actor::register::{RegisterActor, RegisterMsg};
use stateright::actor::{model_peers, Actor, ActorModel, Id, Network, Out};
use stateright::semantics::register::Register;
use stateright::semantics::{ConsistencyTester, LinearizabilityTester};
use stateright::Expectation;
use std::borrow::Cow;

const SERVERS: usize = 3;
const MAJORITY: usize = SERVERS / 2 + 1;

/// Its number, then the server that made it: compared in this order.
type Ballot = (u8, Id);

#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Proposal {
    request: u64,
    requester: Id,
    value: char,
}

type Accepted = Option<(Ballot, Proposal)>;

#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Internal {
    Prepare(Ballot),
    Prepared(Ballot, Accepted),
    Accept(Ballot, Proposal),
    Accepted(Ballot),
    Decided(Ballot, Proposal),
}

pub type Message = RegisterMsg<u64, char, Internal>;

#[derive(Clone)]
pub struct Server {
    peers: Vec<Id>,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct ServerState {
    ballot: Ballot,
    proposal: Option<Proposal>,
    /// Who promised, and what it had accepted.
    promises: [Option<Accepted>; SERVERS],
    accepts: [bool; SERVERS],
    accepted: Accepted,
    decided: bool,
}

impl Server {
    fn propose(&self, id: Id, s: &mut ServerState, out: &mut Out<Self>) {
        let highest = s
            .promises
            .iter()
            .flatten()
            .flatten()
            .max_by_key(|(b, _)| *b);
        if let Some((_, proposal)) = highest {
            s.proposal = Some(*proposal);
        }
        let proposal = s.proposal.expect("proposers have a proposal");
        s.accepted = Some((s.ballot, proposal));
        s.accepts[usize::from(id)] = true;
        out.broadcast(
            &self.peers,
            &RegisterMsg::Internal(Internal::Accept(s.ballot, proposal)),
        );
    }

    fn internal(
        &self,
        id: Id,
        state: &mut Cow<ServerState>,
        from: Id,
        message: Internal,
        out: &mut Out<Self>,
    ) {
        if state.decided {
            return;
        }
        match message {
            Internal::Prepare(ballot) if ballot > state.ballot => {
                let s = state.to_mut();
                s.ballot = ballot;
                let reply = Internal::Prepared(ballot, s.accepted);
                out.send(from, RegisterMsg::Internal(reply));
            }
            Internal::Prepared(ballot, last) if ballot == state.ballot => {
                let s = state.to_mut();
                s.promises[usize::from(from)] = Some(last);
                if s.promises.iter().flatten().count() == MAJORITY {
                    self.propose(id, s, out);
                }
            }
            Internal::Accept(ballot, proposal) if ballot >= state.ballot => {
                let s = state.to_mut();
                s.ballot = ballot;
                s.accepted = Some((ballot, proposal));
                out.send(from, RegisterMsg::Internal(Internal::Accepted(ballot)));
            }
            Internal::Accepted(ballot) if ballot == state.ballot => {
                let s = state.to_mut();
                s.accepts[usize::from(from)] = true;
                if s.accepts.iter().filter(|a| **a).count() == MAJORITY {
                    s.decided = true;
                    let chosen = s.proposal.expect("proposers have a proposal");
                    out.broadcast(
                        &self.peers,
                        &RegisterMsg::Internal(Internal::Decided(ballot, chosen)),
                    );
                    out.send(chosen.requester, RegisterMsg::PutOk(chosen.request));
                }
            }
            Internal::Decided(ballot, proposal) => {
                let s = state.to_mut();
                s.ballot = ballot;
                s.accepted = Some((ballot, proposal));
                s.decided = true;
            }
            _ => {}
        }
    }
}

impl Actor for Server {
    type Msg = Message;
    type State = ServerState;
    type Timer = ();
    type Random = ();
    type Storage = ();

    fn on_start(&self, _: Id, _: &Option<()>, _: &mut Out<Self>) -> ServerState {
        ServerState {
            ballot: (0, Id::from(0)),
            proposal: None,
            promises: [None; SERVERS],
            accepts: [false; SERVERS],
            accepted: None,
            decided: false,
        }
    }

    fn on_msg(
        &self,
        id: Id,
        state: &mut Cow<ServerState>,
        from: Id,
        message: Message,
        out: &mut Out<Self>,
    ) {
        match message {
            RegisterMsg::Put(request, value) if !state.decided && state.proposal.is_none() => {
                let s = state.to_mut();
                s.ballot = (s.ballot.0 + 1, id);
                s.proposal = Some(Proposal {
                    request,
                    requester: from,
                    value,
                });
                s.promises[usize::from(id)] = Some(s.accepted);
                let prepare = Internal::Prepare(s.ballot);
                out.broadcast(&self.peers, &RegisterMsg::Internal(prepare));
            }
            RegisterMsg::Get(request) if state.decided => {
                let (_, chosen) = state.accepted.expect("what was decided was accepted");
                out.send(from, RegisterMsg::GetOk(request, chosen.value));
            }
            RegisterMsg::Internal(message) => self.internal(id, state, from, message, out),
            _ => {}
        }
    }
}

type Paxos = ActorModel<RegisterActor<Server>, (), LinearizabilityTester<Id, Register<char>>>;

/// What the register holds before the first write.
const NOTHING: char = '\0';

pub fn model(clients: usize) -> Paxos {
    ActorModel::new((), LinearizabilityTester::new(Register(NOTHING)))
        .actors((0..SERVERS).map(|i| {
            RegisterActor::Server(Server {
                peers: model_peers(i, SERVERS),
            })
        }))
        .actors((0..clients).map(|_| RegisterActor::Client {
            put_count: 1,
            server_count: SERVERS,
        }))
        .init_network(Network::new_unordered_nonduplicating([]))
        .record_msg_in(RegisterMsg::record_returns)
        .record_msg_out(RegisterMsg::record_invocations)
        .property(Expectation::Always, "linearizable", |_, state| {
            state.history.is_consistent()
        })
        .property(Expectation::Sometimes, "value chosen", |_, state| {
            state
                .network
                .iter_deliverable()
                .any(|e| matches!(e.msg, RegisterMsg::GetOk(_, v) if *v != NOTHING))
        })
}
