//! Pipelines to and from other formats: [`dialects`] of DOT, and JSON [`plan`] libraries.
//!
//! Pure: texts in, texts out.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        reason = "tests fail by panicking"
    )
)]

pub mod dialects;
pub mod plan;
pub mod schemas;
