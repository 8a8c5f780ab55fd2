//! An execution environment that starts nothing and records what would have been started, for tests.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use attractor_exec::{CapturedOutput, ExecutionEnvironment, Exit, Job, JobResult, Output};
use futures::FutureExt;
use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;

/// A program that would have been started.
#[derive(Debug, Clone)]
pub(crate) struct Started {
    pub(crate) argv: Vec<String>,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) stdin: Option<String>,
}

/// What was started, and how it is to end.
#[derive(Debug, Clone)]
pub(crate) struct Recording {
    started: Arc<Mutex<Vec<Started>>>,
    codes: Vec<i32>,
}

impl Recording {
    /// Commands end with these exit codes, in turn.
    pub(crate) fn ending_with(codes: &[i32]) -> Self {
        Self {
            started: Arc::default(),
            codes: codes.to_vec(),
        }
    }

    /// What was started until now.
    pub(crate) fn started(&self) -> Vec<Started> {
        let started = self.started.lock();
        started.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl ExecutionEnvironment for Recording {
    /// Records a job. Its output is an outcome, for handlers that must write one.
    fn run<'a>(
        &'a self,
        job: Job,
        _output: &'a dyn Output,
        _stop: &'a CancellationToken,
    ) -> BoxFuture<'a, io::Result<JobResult>> {
        let mut started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        let code = self.codes[started.len() % self.codes.len()];
        started.push(Started {
            argv: job.argv,
            environment: job.environment,
            stdin: job.stdin,
        });
        let stdout = CapturedOutput {
            text: "{\"outcome\": \"success\"}".to_owned(),
            ..CapturedOutput::default()
        };
        let result = JobResult {
            exit: Exit::Code(code),
            stdout,
            stderr: CapturedOutput::default(),
        };
        std::future::ready(Ok(result)).boxed()
    }
}
