//! The state machine of a run, its events, and what readers make of them.
//!
//! [`transition::next`] takes the state of a run and one input and gives the new state and what to do. An [`event::Event`]
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

pub mod context;
pub mod control;
pub mod event;
pub mod frame;
pub mod outcome;
pub mod plan;
pub mod question;
pub mod report;
pub mod snapshot;
pub mod statistics;
pub mod transcript;
pub mod transition;
