//! The runs a server shows: its own, by their handles, and those of other processes, by their files.

mod dry_runs;
mod index;
mod reader;
mod scanner;
mod table;
mod watcher;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use attractor::{Notifier, Run};
use attractor_run::{
    Answer, Answered, ControlRequest, Event, PauseRequest, RunId, RunSnapshot, load_events,
    owner_of, post, snapshot_of, source_file,
};

use axum::http::StatusCode;
use futures::StreamExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, TryAcquireError};
use tokio::time::{sleep, timeout};

use crate::error::ApiError;
use crate::limits::too_many;
use crate::view::ListedRun;
use dry_runs::DryRuns;
use index::RunIndex;
pub(crate) use reader::RunListReader;

/// How often it is looked whether a run that has ended is released.
const RELEASE_INTERVAL: Duration = Duration::from_millis(5);

/// How long the process of a run may take to reply.
const PATIENCE: Duration = Duration::from_secs(10);

/// The runs of one folder.
#[derive(Clone)]
pub(crate) struct Runs {
    directory: PathBuf,
    own: Arc<Mutex<HashMap<String, Run>>>,
    /// One permit for each run that this server may run at once; closed when the server ends.
    places: Arc<Semaphore>,
    notifier: Option<Notifier>,
    dry: Arc<Mutex<DryRuns>>,
    index: Arc<RunIndex>,
}

/// A run that has been started.
pub(crate) struct Started {
    pub(crate) run: Run,
    /// The DOT file of a dry run, which stores no copy.
    pub(crate) dry: Option<PathBuf>,
}

impl From<Run> for Started {
    fn from(run: Run) -> Self {
        Self { run, dry: None }
    }
}

/// One run.
pub(crate) struct KnownRun {
    pub(crate) directory: PathBuf,
    /// Its handle, where this server runs it, or has run it dry.
    pub(crate) own: Option<Run>,
    /// The DOT file of a dry run.
    dry: Option<PathBuf>,
}

impl Runs {
    pub(crate) fn new(directory: PathBuf, most: usize, notifier: Option<Notifier>) -> Self {
        Self {
            index: Arc::new(RunIndex::new(directory.clone())),
            directory,
            own: Arc::default(),
            places: Arc::new(Semaphore::new(most)),
            notifier,
            dry: Arc::default(),
        }
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// A place for one more run.
    pub(crate) fn reserve(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        self.places
            .clone()
            .try_acquire_owned()
            .map_err(|error| match error {
                TryAcquireError::NoPermits => too_many("run limit reached", 30),
                TryAcquireError::Closed => ApiError::new(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "stopping",
                    "the server is stopping",
                )
                .retry_after(5),
            })
    }

    /// Starts no more runs.
    pub(crate) fn close(&self) {
        self.places.close();
    }

    /// Keeps the handle of a run until it ends; that of a dry run longer.
    pub(crate) fn add(&self, started: impl Into<Started>, place: OwnedSemaphorePermit) {
        let Started { run, dry } = started.into();
        match (dry, &self.notifier) {
            (Some(file), _) => lock(&self.dry).add(run.clone(), file),
            (None, Some(notifier)) => notifier.follow(run.handle()),
            (None, None) => {}
        }
        let id = run.id().to_string();
        lock(&self.own).insert(id.clone(), run.clone());
        let runs = self.clone();
        tokio::spawn(async move {
            let mut events = run.events(run.last());
            runs.index.wake();
            while events.next().await.is_some() {
                runs.index.wake();
            }
            run.wait().await;
            lock(&runs.own).remove(&id);
            runs.index.wake();
            drop(place);
        });
    }

    /// The runs as they are now, newest first.
    pub(crate) async fn list(&self) -> Result<Vec<Arc<ListedRun>>, ApiError> {
        self.refresh().await?;
        Ok(self.index.table().newest().cloned().collect())
    }

    /// Readers of changes get the last ones, and no more.
    pub(crate) async fn close_readers(&self) {
        let _ = self.refresh().await;
        self.index.close();
    }

    /// Brings the list of runs up to date.
    async fn refresh(&self) -> Result<(), ApiError> {
        let runs = self.clone();
        blocking(move || {
            runs.index.refresh(&runs.in_memory());
            Ok(())
        })
        .await
    }

    /// The run of that id, whole: beginnings of ids are for people.
    pub(crate) fn find(&self, id: &str) -> Result<KnownRun, ApiError> {
        let unknown = || ApiError::not_found("run", id);
        let id: RunId = id.parse().map_err(|_| unknown())?;
        let (run, dry) = lock(&self.dry).find(id.as_str()).unzip();
        let own = run.or_else(|| lock(&self.own).get(id.as_str()).cloned());
        let directory = match &own {
            Some(run) => run.directory().to_owned(),
            None => self.directory.join(id.as_str()),
        };
        // A link could lead out of the folder.
        let is_stored = || std::fs::symlink_metadata(&directory).is_ok_and(|about| about.is_dir());
        if own.is_none() && !is_stored() {
            return Err(unknown());
        }
        Ok(KnownRun {
            directory,
            own,
            dry,
        })
    }

    /// The runs whose state is in the memory of this process.
    fn in_memory(&self) -> Vec<Run> {
        let dry = lock(&self.dry).all();
        let is_stored = |run: &Run| dry.iter().all(|dry| dry.id() != run.id());
        let mut own = self.own();
        own.retain(is_stored);
        own.extend(dry);
        own
    }

    /// The same; a run of this server whose end readers have just seen is released first.
    pub(crate) async fn find_released(&self, id: &str) -> Result<KnownRun, ApiError> {
        let released = async {
            loop {
                let run = self.find(id)?;
                let is_ending = |own: &Run| own.snapshot().state.is_end();
                // A dry run stays in memory.
                if run.dry.is_some() || !run.own.as_ref().is_some_and(is_ending) {
                    return Ok(run);
                }
                sleep(RELEASE_INTERVAL).await;
            }
        };
        match timeout(PATIENCE, released).await {
            Ok(released) => released,
            Err(_) => self.find(id),
        }
    }

    /// The runs this server runs now.
    pub(crate) fn own(&self) -> Vec<Run> {
        lock(&self.own).values().cloned().collect()
    }
}

impl KnownRun {
    /// Its DOT file.
    pub(crate) fn source(&self) -> PathBuf {
        let stored = || source_file(&self.directory);
        self.dry.clone().unwrap_or_else(stored)
    }

    /// Refuses what needs the files of the run.
    pub(crate) fn check_stored(&self) -> Result<(), ApiError> {
        match self.dry {
            Some(_) => Err(ApiError::conflict(
                "the run is dry: it changes no files, and nothing of it is stored",
            )),
            None => Ok(()),
        }
    }

    /// The run as it is now. A run without a process is `interrupted`.
    pub(crate) async fn snapshot(&self) -> Result<RunSnapshot, ApiError> {
        if let Some(run) = &self.own {
            return Ok(run.snapshot());
        }
        let directory = self.directory.clone();
        blocking(move || Ok(snapshot_of(&directory)?)).await
    }

    /// Its events so far.
    pub(crate) async fn events(&self) -> Result<Vec<Arc<Event>>, ApiError> {
        let (own, directory) = (self.own.clone(), self.directory.clone());
        blocking(move || {
            Ok(match own {
                Some(run) => run.past_events(0),
                None => load_events(&directory)?.into_iter().map(Arc::new).collect(),
            })
        })
        .await
    }

    pub(crate) async fn answer(
        &self,
        question: &str,
        answer: Answer,
    ) -> Result<Answered, ApiError> {
        if let Some(run) = &self.own {
            return Ok(run.answer(question, answer).await);
        }
        let question = question.to_owned();
        self.post(ControlRequest::Answer { question, answer }).await
    }

    pub(crate) async fn steer(&self, node: String, message: String) -> Result<Answered, ApiError> {
        if let Some(run) = &self.own {
            return Ok(run.steer_or_keep(&node, &message, BY).await);
        }
        let by = BY.to_owned();
        self.post(ControlRequest::Steer { node, message, by }).await
    }

    pub(crate) async fn cancel(&self) -> Result<(), ApiError> {
        if let Some(run) = &self.own {
            run.cancel(BY);
            return Ok(());
        }
        let by = BY.to_owned();
        self.post(ControlRequest::Cancel { by }).await.map(drop)
    }

    pub(crate) async fn pausing(&self, request: PauseRequest) -> Result<Answered, ApiError> {
        if let Some(run) = &self.own {
            return Ok(run.pausing(request).await);
        }
        self.post(ControlRequest::Pausing(request)).await
    }

    /// Asks the process of the run.
    async fn post(&self, request: ControlRequest) -> Result<Answered, ApiError> {
        let directory = self.directory.clone();
        if owner_of(&directory).is_none() {
            return Err(ApiError::conflict(
                "no process works on the run; resume it first",
            ));
        }
        blocking(move || Ok(post(&directory, &request, PATIENCE)?)).await
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From where requests come, for the journal.
pub(crate) const BY: &str = "http";

/// Runs what reads files off the event loop.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| ApiError::internal(error.to_string()))?
}
