//! The state machine of a run, its events, and what readers make of them.
//!
//! [`machine::next`] takes the state of a run and one input and gives the new state and what to do. An [`event::Event`]
//! says what has happened, [`snapshot::RunSnapshot`] what follows from the events so far, and [`transcript`] how people
//! read them.
//!
//! Pure: no IO, no clock, no randomness, no environment. The crate `run` has the driver that does the effects, and the
//! store that keeps the events.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        reason = "tests fail by panicking"
    )
)]

pub mod changed_files;
pub mod child_runs;
pub mod context;
pub mod event;
pub mod figures;
pub mod file_name;
pub mod inquiry;
pub mod json_text;
pub mod large_values;
pub mod limits;
pub mod machine;
mod new_question;
pub mod node_snapshot;
pub mod node_work;
pub mod outcome;
pub mod pause;
pub mod prepared_answer;
pub mod protocol;
pub mod question;
pub mod remaining_budget;
pub mod report;
#[cfg(test)]
mod schemas;
pub mod snapshot;
mod snapshot_report;
mod snapshot_resume;
pub mod statistics;
mod status_report_text;
pub mod steering_message;
pub mod text;
pub mod trail;
pub mod transcript;
pub mod wording;
pub mod worktree;
