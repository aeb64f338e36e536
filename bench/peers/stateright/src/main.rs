//! ordeal-peers two-phase-commit MANAGERS THREADS
//! ordeal-peers two-phase-commit-sets MANAGERS THREADS
//! ordeal-peers paxos CLIENTS THREADS
//!
//! Checks the protocol breadth first and prints, as one line of JSON, what the checker counted.
mod paxos;
mod two_phase_commit;
mod two_phase_commit_sets;

use stateright::{Checker, Model};
use std::hash::Hash;
use std::time::Instant;

fn check<M>(model: M, threads: usize) -> Result<(), String>
where
    M: Model + Send + Sync + 'static,
    M::State: Clone + Hash + PartialEq + Send + Sync + 'static,
    M::Action: Clone + PartialEq + Send + Sync,
{
    let start = Instant::now();
    let checker = model.checker().threads(threads).spawn_bfs().join();
    let seconds = start.elapsed().as_secs_f64();
    for property in checker.model().properties() {
        let found = checker.discovery(property.name).is_some();
        let wanted = matches!(property.expectation, stateright::Expectation::Sometimes);
        if found != wanted {
            return Err(format!("'{}' does not hold", property.name));
        }
    }
    println!(
        "{{\"distinct_states\": {}, \"generated_states\": {}, \"seconds\": {seconds:.6}}}",
        checker.unique_state_count(),
        checker.state_count(),
    );
    Ok(())
}

fn run(arguments: &[String]) -> Result<(), String> {
    let usage = || {
        "usage: ordeal-peers two-phase-commit|two-phase-commit-sets|paxos SIZE THREADS".to_string()
    };
    let [protocol, size, threads] = arguments else {
        return Err(usage());
    };
    let size: usize = size.parse().map_err(|_| usage())?;
    let threads: usize = threads.parse().map_err(|_| usage())?;
    match protocol.as_str() {
        "two-phase-commit" if (1..=15).contains(&size) => {
            let managers = size as u8;
            check(two_phase_commit::TwoPhaseCommit { managers }, threads)
        }
        "two-phase-commit-sets" => check(
            two_phase_commit_sets::TwoPhaseCommit { managers: size },
            threads,
        ),
        "paxos" => check(paxos::model(size), threads),
        _ => Err(usage()),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Err(problem) = run(&arguments) {
        eprintln!("ordeal-peers: {problem}");
        std::process::exit(1);
    }
}
