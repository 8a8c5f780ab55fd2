//! Runs as OpenTelemetry traces, where the environment names a collector: builds with the feature `otel`.

#[cfg(feature = "otel")]
pub use sent::{RunTraces, Traces};
#[cfg(not(feature = "otel"))]
pub use unsent::{RunTraces, Traces};

#[cfg(feature = "otel")]
mod sent {
    use std::sync::{Arc, Mutex, PoisonError};

    use attractor::RunObserver;
    use attractor_exec::secret_environment;
    use attractor_otel::{ExportReport, FLUSH, TraceExporter};
    use attractor_run::RunHandle;
    use futures::future::join_all;
    use tokio::task::JoinHandle;

    use crate::console;
    use crate::error::Error;

    /// The collector of the environment. Headers of its requests are among the secrets of this process.
    fn exporter() -> Result<Option<TraceExporter>, Error> {
        Ok(TraceExporter::from_variables(
            &secret_environment::variable,
        )?)
    }

    fn report(report: &ExportReport) {
        if let Some(error) = report.error.as_ref().filter(|_| report.lost > 0) {
            let lost = report.lost;
            console::remark(&format!(
                "warning: {lost} spans of the run were not sent: {error}"
            ));
        }
    }

    /// The collector that gets the spans of a run, if there is one.
    pub struct Traces(Option<TraceExporter>);

    impl Traces {
        /// The collector of the environment.
        pub fn from_environment() -> Result<Self, Error> {
            Ok(Self(exporter()?))
        }

        /// Sends the spans of a run while it is followed.
        pub async fn during<T>(self, run: &RunHandle, follow: impl Future<Output = T>) -> T {
            let Some(exporter) = self.0 else {
                return follow.await;
            };
            let export = exporter.follow(run);
            let followed = follow.await;
            report(&export.finish(FLUSH).await);
            followed
        }
    }

    /// The spans of all runs of a server.
    pub struct RunTraces(Option<Arc<Exports>>);

    /// The exports of the runs that have started.
    #[derive(Default)]
    struct Exports(Mutex<Vec<JoinHandle<()>>>);

    impl RunTraces {
        /// The collector of the environment.
        pub fn from_environment() -> Result<Self, Error> {
            Ok(Self(exporter()?.map(|_| Arc::default())))
        }

        /// What is to be informed of each run.
        pub fn observer(&self) -> Option<Arc<dyn RunObserver>> {
            let exports = self.0.clone()?;
            Some(exports)
        }

        /// Waits until the spans of runs that have ended are sent; not for a collector that is slow.
        pub async fn finish(&self) {
            let Some(exports) = &self.0 else {
                return;
            };
            let exports = std::mem::take(&mut *exports.lock());
            // Each export limits its own time; runs that have not ended are cut off.
            let _ = tokio::time::timeout(FLUSH, join_all(exports)).await;
        }
    }

    impl Exports {
        fn lock(&self) -> std::sync::MutexGuard<'_, Vec<JoinHandle<()>>> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }

    impl RunObserver for Exports {
        fn started(&self, run: &RunHandle) {
            let Ok(Some(exporter)) = exporter() else {
                return;
            };
            let export = exporter.follow(run);
            let run = run.clone();
            let sending = tokio::spawn(async move {
                run.wait().await;
                report(&export.finish(FLUSH).await);
            });
            let mut exports = self.lock();
            exports.retain(|export| !export.is_finished());
            exports.push(sending);
        }
    }
}

#[cfg(not(feature = "otel"))]
mod unsent {
    use std::sync::Arc;

    use attractor::RunObserver;
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

    /// No collector.
    pub struct RunTraces;

    impl RunTraces {
        #[expect(clippy::unnecessary_wraps, reason = "as with the feature")]
        pub fn from_environment() -> Result<Self, Error> {
            Ok(Self)
        }

        #[expect(clippy::unused_self, reason = "as with the feature")]
        pub fn observer(&self) -> Option<Arc<dyn RunObserver>> {
            None
        }

        #[expect(clippy::unused_async, reason = "as with the feature")]
        pub async fn finish(&self) {}
    }
}
