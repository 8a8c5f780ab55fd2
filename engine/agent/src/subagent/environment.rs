//! Where the commands of a subagent run: in the environment of its session, which settles what they left.

use std::io;
use std::path::Path;
use std::sync::Arc;

use attractor_exec::{ExecutionEnvironment, Job, JobResult, Output, Service, ServicePipes};
use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;

/// The environment of a session without the end of its work.
#[derive(Debug)]
pub(super) struct SubagentEnvironment(pub(super) Arc<dyn ExecutionEnvironment>);

impl ExecutionEnvironment for SubagentEnvironment {
    fn run<'a>(
        &'a self,
        job: Job,
        output: &'a dyn Output,
        stop: &'a CancellationToken,
    ) -> BoxFuture<'a, io::Result<JobResult>> {
        self.0.run(job, output, stop)
    }

    fn confine(&self, job: Job) -> io::Result<Job> {
        self.0.confine(job)
    }

    fn start(&self, job: Job) -> io::Result<(Service, ServicePipes)> {
        self.0.start(job)
    }

    fn keeps_started(&self) -> bool {
        self.0.keeps_started()
    }

    fn approve_write(&self, below: &Path, after: Option<&[u8]>) {
        self.0.approve_write(below, after);
    }
}
