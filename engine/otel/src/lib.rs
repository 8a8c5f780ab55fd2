//! Runs as OpenTelemetry traces: a span for the run, each visit of a node, each attempt, each call of a model and each
//! tool call of an agent, with the names of the semantic conventions for generative AI.
//!
//! A reader of a run's events and nothing else: the executor does not know it. Spans are sent to an OTLP endpoint in the
//! background; one that is slow or down holds up no run and fails none.
//!
//! ```no_run
//! # async fn example(run: attractor_run::RunHandle) -> Result<(), attractor_otel::ExportError> {
//! use attractor_otel::{FLUSH, TraceExporter};
//! // Set up by `OTEL_EXPORTER_OTLP_ENDPOINT` and the other variables of OpenTelemetry.
//! if let Some(exporter) = TraceExporter::from_environment()? {
//!     let export = exporter.follow(&run);
//!     run.wait().await;
//!     let report = export.finish(FLUSH).await;
//!     assert_eq!(report.lost, 0, "{:?}", report.error);
//! }
//! # Ok(())
//! # }
//! ```
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        reason = "tests fail by panicking"
    )
)]

mod attributes;
mod export;
mod ids;
mod span;
#[cfg(test)]
mod tests;
mod trace;
mod visit;

pub use export::{ExportError, ExportReport, FLUSH, RunExport, TraceExporter};
