//! The file of a cassette, while it is recorded or replayed.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::Value;

use super::super::normalise::{Normaliser, fingerprint, to_value};
use super::file::{Call, HEADER, Outcome, line, read, read_value};
use super::missing::missing;
use crate::error::{Error, ErrorData, ErrorKind};
use crate::redact::Redactor;
use crate::request::Request;

/// The file and what is read of it or written to it.
#[derive(Debug)]
pub(super) struct Tape {
    path: PathBuf,
    normaliser: Normaliser,
    state: Mutex<TapeState>,
}

#[derive(Debug)]
enum TapeState {
    Recording(File),
    Replaying(Vec<Call>),
}

impl Tape {
    /// A new file.
    pub(super) fn record(path: PathBuf, normaliser: Normaliser) -> Result<Self, Error> {
        let created = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .open(&path);
        let mut file = created.map_err(|error| unwritable(&path, &error))?;
        writeln!(file, "{HEADER}").map_err(|error| unwritable(&path, &error))?;
        Ok(Self::new(path, normaliser, TapeState::Recording(file)))
    }

    /// A recorded file. One that is not complete is an error.
    pub(super) fn replay(path: PathBuf, normaliser: Normaliser) -> Result<Self, Error> {
        let text = std::fs::read_to_string(&path).map_err(|error| {
            Error::new(
                ErrorKind::Configuration,
                format!("cannot read the cassette `{}`: {error}", path.display()),
            )
        })?;
        let calls = read(&path, &text)?;
        Ok(Self::new(path, normaliser, TapeState::Replaying(calls)))
    }

    const fn new(path: PathBuf, normaliser: Normaliser, state: TapeState) -> Self {
        Self {
            path,
            normaliser,
            state: Mutex::new(state),
        }
    }

    /// The calls that were recorded and not replayed yet.
    pub(super) fn remaining(&self) -> usize {
        match &*self.state() {
            TapeState::Recording(_) => 0,
            TapeState::Replaying(calls) => calls.len(),
        }
    }

    /// A request as it is recorded.
    pub(super) fn request(&self, request: &Request) -> Result<Value, Error> {
        self.normaliser.request(request)
    }

    fn state(&self) -> MutexGuard<'_, TapeState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_replaying(&self) -> bool {
        matches!(&*self.state(), TapeState::Replaying(_))
    }

    /// Takes the next outcome recorded for a request.
    pub(super) fn take(&self, request: &Request) -> Result<Outcome, Error> {
        let wanted = self.request(request)?;
        let key = fingerprint(&wanted);
        let call = self.take_call(
            |call| call.key == key,
            |path, calls| missing(path, &wanted, calls.iter().map(|call| call.request.clone())),
        )?;
        Ok(call.outcome)
    }

    /// Takes the next recorded call that `fits`; without one, the error of `missing`.
    pub(super) fn take_call(
        &self,
        fits: impl Fn(&Call) -> bool,
        missing: impl FnOnce(&Path, &[Call]) -> Error,
    ) -> Result<Call, Error> {
        let mut state = self.state();
        let TapeState::Replaying(calls) = &mut *state else {
            return Err(Error::new(
                ErrorKind::NotRecorded,
                "the cassette is being recorded",
            ));
        };
        match calls.iter().position(fits) {
            Some(found) => {
                let mut call = calls.remove(found);
                call.outcome.each(|value| self.normaliser.restore(value));
                Ok(call)
            }
            None => Err(missing(&self.path, calls)),
        }
    }

    pub(super) fn write(&self, request: Value, outcome: Outcome) -> Result<(), Error> {
        let line = line(request, outcome)?;
        let mut state = self.state();
        let TapeState::Recording(file) = &mut *state else {
            return Ok(());
        };
        writeln!(file, "{line}").map_err(|error| unwritable(&self.path, &error))
    }

    /// An answer as it is recorded; `caller` knows the secrets of who asked.
    pub(super) fn answer(&self, value: &impl Serialize, caller: &Redactor) -> Result<Value, Error> {
        Ok(self.normaliser.answer(to_value(value)?, caller))
    }

    /// The events of an answer as they are recorded.
    pub(super) fn events(&self, events: Vec<Value>, caller: &Redactor) -> Vec<Value> {
        self.normaliser.events(events, caller)
    }

    /// An error as it is recorded: it may repeat the request.
    pub(super) fn error(&self, error: &ErrorData, caller: &Redactor) -> Result<ErrorData, Error> {
        read_value(self.answer(error, caller)?)
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> Error {
    Error::new(
        ErrorKind::Configuration,
        format!("cannot write the cassette `{}`: {error}", path.display()),
    )
}
