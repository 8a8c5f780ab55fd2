//! Runs as OpenTelemetry traces, where the environment names a collector: builds with the feature `otel`.

#[cfg(feature = "otel")]
pub use sent::Traces;
#[cfg(not(feature = "otel"))]
pub use unsent::Traces;

#[cfg(feature = "otel")]
mod sent {
    use attractor_otel::{FLUSH, TraceExporter};
    use attractor_run::RunHandle;

    use crate::console;
    use crate::error::Error;

    /// The collector that gets the spans of a run, if there is one.
    pub struct Traces(Option<TraceExporter>);

    impl Traces {
        /// The collector of the environment.
        pub fn from_environment() -> Result<Self, Error> {
            Ok(Self(TraceExporter::from_environment()?))
        }

        /// Sends the spans of a run while it is followed.
        pub async fn during<T>(self, run: &RunHandle, follow: impl Future<Output = T>) -> T {
            let Some(exporter) = self.0 else {
                return follow.await;
            };
            let export = exporter.follow(run);
            let followed = follow.await;
            let report = export.finish(FLUSH).await;
            if let Some(error) = report.error.filter(|_| report.lost > 0) {
                let lost = report.lost;
                console::remark(&format!(
                    "warning: {lost} spans of the run were not sent: {error}"
                ));
            }
            followed
        }
    }
}

#[cfg(not(feature = "otel"))]
mod unsent {
    use attractor_run::RunHandle;

    use crate::error::Error;

    /// No collector.
    pub struct Traces;

    impl Traces {
        #[expect(clippy::unnecessary_wraps, reason = "as with the feature")]
        pub fn from_environment() -> Result<Self, Error> {
            Ok(Self)
        }

        pub async fn during<T>(self, _run: &RunHandle, follow: impl Future<Output = T>) -> T {
            follow.await
        }
    }
}
