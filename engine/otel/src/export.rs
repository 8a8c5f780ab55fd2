//! Sends the spans of runs to a collector, in the background.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use attractor_run::{Event, EventKind, RunHandle};
use futures::{FutureExt, Stream, StreamExt};
use opentelemetry_otlp::{SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{SpanData, SpanExporter as _};
use percent_encoding::percent_decode_str;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use url::Url;

use crate::trace::Trace;

/// How long the end of a program waits for the collector.
pub const FLUSH: Duration = Duration::from_secs(2);

/// How often spans are sent.
const EVERY: Duration = Duration::from_secs(1);
/// Spans of one request.
const BATCH: usize = 512;
/// Spans that wait; more are lost.
const MAX_WAITING: usize = 8192;

const SERVICE: &str = "attractor";
const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
const TRACES_ENDPOINT: &str = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";

const HEADERS: &str = "OTEL_EXPORTER_OTLP_HEADERS";
const TRACES_HEADERS: &str = "OTEL_EXPORTER_OTLP_TRACES_HEADERS";

/// Why traces cannot be sent.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The settings are wrong.
    #[error(
        "cannot send traces to {endpoint}: {reason}; correct the variables `OTEL_EXPORTER_OTLP_…`"
    )]
    Settings {
        /// Where they are to be sent.
        endpoint: String,
        /// What is wrong.
        reason: String,
    },
}

/// Sends the spans of runs to a collector.
#[derive(Debug)]
pub struct TraceExporter {
    exporter: SpanExporter,
}

/// What has become of the spans of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportReport {
    /// Spans the collector has accepted.
    pub sent: usize,
    /// Spans it has not.
    pub lost: usize,
    /// Why.
    pub error: Option<String>,
}

/// The export of one run.
#[derive(Debug)]
pub struct RunExport {
    task: JoinHandle<()>,
    stop: oneshot::Sender<()>,
    report: Arc<Mutex<ExportReport>>,
}

impl TraceExporter {
    /// An exporter as the environment says: `OTEL_EXPORTER_OTLP_ENDPOINT` (or `…_TRACES_ENDPOINT`), `…_HEADERS`,
    /// `…_TIMEOUT`, `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`. None when there is no endpoint, or
    /// `OTEL_SDK_DISABLED=true` or `OTEL_TRACES_EXPORTER=none` is set.
    ///
    /// # Errors
    /// A setting is wrong.
    pub fn from_environment() -> Result<Option<Self>, ExportError> {
        Self::from_variables(&|name| std::env::var(name).ok())
    }

    /// The same for the variables of any environment: a program that keeps secrets apart has the headers elsewhere.
    ///
    /// # Errors
    /// A setting is wrong.
    pub fn from_variables(
        variables: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, ExportError> {
        let variable = |name: &str| variables(name).filter(|value| !value.is_empty());
        let is =
            |name, word: &str| variable(name).is_some_and(|value| value.eq_ignore_ascii_case(word));
        let base = |base: String| format!("{}/v1/traces", base.trim_end_matches('/'));
        let endpoint = variable(TRACES_ENDPOINT).or_else(|| variable(ENDPOINT).map(base));
        match endpoint {
            Some(endpoint)
                if !is("OTEL_SDK_DISABLED", "true") && !is("OTEL_TRACES_EXPORTER", "none") =>
            {
                let exporter = SpanExporter::builder().with_http();
                let exporter = exporter.with_http_client(http_client(&endpoint)?);
                let headers = variable(TRACES_HEADERS).or_else(|| variable(HEADERS));
                let exporter = exporter.with_headers(read_headers(&headers.unwrap_or_default()));
                let exporter = exporter.with_endpoint(&endpoint);
                Self::new(exporter.build(), &endpoint).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// An exporter to this address, usually `http://HOST:4318/v1/traces`.
    ///
    /// # Errors
    /// It is not an address.
    pub fn to(endpoint: &str) -> Result<Self, ExportError> {
        let exporter = SpanExporter::builder().with_http();
        let exporter = exporter.with_http_client(http_client(endpoint)?);
        Self::new(exporter.with_endpoint(endpoint).build(), endpoint)
    }

    fn new<E: std::fmt::Display>(
        built: Result<SpanExporter, E>,
        endpoint: &str,
    ) -> Result<Self, ExportError> {
        let mut exporter = built.map_err(|error| settings(endpoint, &error))?;
        let mut resource = Resource::builder();
        if std::env::var_os("OTEL_SERVICE_NAME").is_none() {
            resource = resource.with_service_name(SERVICE);
        }
        exporter.set_resource(&resource.build());
        Ok(Self { exporter })
    }

    /// Sends the spans of a run as they end. What happened before this process continued or forked it belongs to the
    /// process before, or to the other run.
    pub fn follow(self, run: &RunHandle) -> RunExport {
        let is_beginning = |event: &&Arc<Event>| {
            let kind = &event.kind;
            matches!(
                kind,
                EventKind::PipelineResumed { .. } | EventKind::PipelineForked { .. }
            )
        };
        let past = run.events(0);
        let first = past.iter().rev().find(is_beginning);
        let first = first.map_or(1, |event| event.seq);
        let events = Box::pin(run.subscribe(0));
        self.follow_events(events, first)
    }

    /// Sends the spans that end with event number `first` (1 for all) or later of `events`, which are all events of a run
    /// in order.
    pub fn follow_events(
        self,
        events: impl Stream<Item = Arc<Event>> + Send + Unpin + 'static,
        first: u64,
    ) -> RunExport {
        let report = Arc::new(Mutex::new(ExportReport::default()));
        let (stop, stopped) = oneshot::channel();
        let sender = Sender {
            exporter: self.exporter,
            waiting: Vec::new(),
            report: Arc::clone(&report),
        };
        let task = tokio::spawn(sender.run(events, first, stopped));
        RunExport { task, stop, report }
    }
}

impl RunExport {
    /// Sends what is left, for at most `limit`; what has not been sent by then is lost. The spans that have not ended
    /// end now.
    pub async fn finish(self, limit: Duration) -> ExportReport {
        let Self {
            mut task,
            stop,
            report,
        } = self;
        // A task that is gone has panicked.
        let _ = stop.send(());
        if tokio::time::timeout(limit, &mut task).await.is_err() {
            task.abort();
            let mut report = lock(&report);
            report.error.get_or_insert_with(|| {
                format!(
                    "the collector did not answer within {} s",
                    limit.as_secs_f32()
                )
            });
        }
        lock(&report).clone()
    }
}

struct Sender {
    exporter: SpanExporter,
    waiting: Vec<SpanData>,
    /// All spans are lost until they are sent.
    report: Arc<Mutex<ExportReport>>,
}

impl Sender {
    async fn run(
        mut self,
        mut events: impl Stream<Item = Arc<Event>> + Unpin,
        first: u64,
        mut stopped: oneshot::Receiver<()>,
    ) {
        let mut trace = Trace::default();
        let mut tick = tokio::time::interval(EVERY);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                biased;
                event = events.next() => {
                    let Some(event) = event else { break };
                    self.take(&mut trace, &event, first);
                }
                _ = &mut stopped => {
                    while let Some(Some(event)) = events.next().now_or_never() {
                        self.take(&mut trace, &event, first);
                    }
                    break;
                }
                _ = tick.tick() => self.send_all().await,
            }
            if self.waiting.len() >= BATCH {
                self.send_all().await;
            }
        }
        let rest = trace.close();
        self.add(rest);
        self.send_all().await;
    }

    fn take(&mut self, trace: &mut Trace, event: &Event, first: u64) {
        let ended = trace.apply(event);
        if event.seq >= first {
            self.add(ended);
        }
    }

    fn add(&mut self, ended: Vec<SpanData>) {
        lock(&self.report).lost += ended.len();
        self.waiting.extend(ended);
        self.waiting.truncate(MAX_WAITING);
    }

    async fn send_all(&mut self) {
        while !self.waiting.is_empty() {
            let count = self.waiting.len().min(BATCH);
            let batch = self.waiting.drain(..count).collect();
            let sent = self.exporter.export(batch).await;
            let mut report = lock(&self.report);
            match sent {
                Ok(()) => {
                    report.sent += count;
                    report.lost -= count;
                }
                Err(error) => report.error = Some(error.to_string()),
            }
        }
    }
}

/// `name=value` pairs by commas; values are percent-encoded.
fn read_headers(text: &str) -> HashMap<String, String> {
    let pairs = text.split(',').filter_map(|pair| pair.split_once('='));
    let decoded = pairs.map(|(name, value)| {
        let value = percent_decode_str(value.trim()).decode_utf8_lossy();
        (name.trim().to_owned(), value.into_owned())
    });
    decoded.collect()
}

fn http_client(endpoint: &str) -> Result<reqwest::Client, ExportError> {
    // One process has one default; another part of the program may have set it already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let url = Url::parse(endpoint).map_err(|error| settings(endpoint, &error))?;
    let is_here = match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => return Err(settings(endpoint, &"it has no host")),
    };
    let mut client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
    if is_here {
        client = client.no_proxy();
    }
    client.build().map_err(|error| settings(endpoint, &error))
}

fn settings(endpoint: &str, reason: &dyn std::fmt::Display) -> ExportError {
    ExportError::Settings {
        endpoint: endpoint.to_owned(),
        reason: reason.to_string(),
    }
}

fn lock(report: &Mutex<ExportReport>) -> MutexGuard<'_, ExportReport> {
    report.lock().unwrap_or_else(PoisonError::into_inner)
}
