//! The server: its settings, its paths, its start and its end.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use attractor::{Approvals, Engine, Notifier};
use attractor_run::{RunState, list_runs};
use axum::extract::DefaultBodyLimit;
use axum::routing::{MethodRouter, get, post};
use axum::{Router, middleware};
use tokio::net::TcpListener;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::connections;
use crate::guard::{Guard, check};
use crate::limits::{Limiter, ServeLimits};
use crate::mcp::{self, McpServer};
use crate::project::Project;
use crate::routes;
use crate::runs::Runs;
use crate::session::Sessions;
use crate::shared::Shared;
use crate::submission_policy::Submissions;
use crate::token::Token;

/// How long runs have to reach their next checkpoint when the server ends.
const GRACE: Duration = Duration::from_secs(8);

/// How long readers then have to get the last events.
const LAST_EVENTS: Duration = Duration::from_secs(1);

/// How a server is set up.
pub struct ServeOptions {
    /// The engine that continues runs of the terminal and the editor in `runs_dir`.
    pub engine: Engine,
    /// The folder whose pipelines may be listed, and named by their paths.
    pub project: PathBuf,
    /// Which of its pipelines run without a question.
    pub approvals: Approvals,
    /// How submitted pipelines are run; their runs are in `runs_dir`, too.
    pub submissions: Submissions,
    /// The folder of the runs it serves.
    pub runs_dir: PathBuf,
    /// Further names of the server, as `Host` has them.
    pub hosts: Vec<String>,
    /// The token of its requests.
    pub token: Token,
    /// How much it takes at once.
    pub limits: ServeLimits,
    /// Whom to notify of questions and ends of its runs.
    pub notifier: Option<Notifier>,
}

/// A server that has not been started.
pub struct Server {
    router: Router,
    shared: Shared,
    sessions: Sessions,
    connections: usize,
}

/// The paths and what answers them.
fn paths() -> Vec<(&'static str, MethodRouter<Shared>)> {
    vec![
        ("/", get(routes::index)),
        ("/page/{*file}", get(routes::asset)),
        ("/session", post(routes::log_in).delete(routes::log_out)),
        ("/healthz", get(routes::health)),
        ("/openapi.json", get(routes::openapi)),
        ("/events", get(routes::run_changes)),
        ("/project/pipelines", get(routes::project_pipelines)),
        ("/pipelines", get(routes::list).post(routes::submit)),
        ("/pipelines/{id}", get(routes::show)),
        ("/pipelines/{id}/events", get(routes::events)),
        ("/pipelines/{id}/cancel", post(routes::cancel)),
        ("/pipelines/{id}/pause", post(routes::pause)),
        ("/pipelines/{id}/continue", post(routes::proceed)),
        ("/pipelines/{id}/resume", post(routes::resume)),
        ("/pipelines/{id}/steer", post(routes::steer)),
        ("/pipelines/{id}/fork", post(routes::fork)),
        ("/pipelines/{id}/graph", get(routes::graph)),
        ("/pipelines/{id}/questions", get(routes::questions)),
        (
            "/pipelines/{id}/questions/{question}/answer",
            post(routes::answer),
        ),
        ("/pipelines/{id}/checkpoint", get(routes::checkpoint)),
        ("/pipelines/{id}/context", get(routes::context)),
        ("/pipelines/{id}/diff", get(routes::diff)),
        ("/pipelines/{id}/diff/{node}", get(routes::diff_of_node)),
        (
            "/pipelines/{id}/stages/{node}/{visit}/{attempt}",
            get(routes::stage),
        ),
        (
            "/pipelines/{id}/stages/{node}/{visit}/{attempt}/{file}",
            get(routes::stage_file),
        ),
        ("/pipelines/{id}/artifacts/{sha}", get(routes::artifact)),
    ]
}

impl Server {
    /// A server for an address.
    pub fn new(options: ServeOptions, address: SocketAddr) -> Self {
        let limiter = Limiter::new(options.limits);
        let guard = Guard::new(options.token, address, &options.hosts, limiter.clone());
        let sessions = guard.sessions.clone();
        let project = Project::new(
            options.project,
            &options.runs_dir,
            &options.submissions.folder,
        );
        let shared = Shared {
            engine: options.engine,
            project,
            approvals: Arc::new(options.approvals),
            submissions: options.submissions,
            runs: Runs::new(options.runs_dir, options.limits.runs, options.notifier),
            guard: guard.clone(),
            limiter,
        };
        let router = paths()
            .into_iter()
            .fold(Router::new(), |router, (path, methods)| {
                router.route(path, methods)
            });
        let router = router
            .route_service("/mcp", mcp::http_service(shared.clone()))
            .fallback(routes::unknown_path)
            .method_not_allowed_fallback(routes::unknown_method)
            // The guard limits bodies, since it knows who sends them.
            .layer(DefaultBodyLimit::disable())
            .layer(middleware::from_fn_with_state(guard, check))
            .with_state(shared.clone());
        Self {
            router,
            shared,
            sessions,
            connections: options.limits.connections,
        }
    }

    /// A new ticket for the web page: who opens the page with it in the fragment of the address is logged in, once.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn ticket(&self) -> std::io::Result<String> {
        self.sessions.ticket()
    }

    /// Resumes runs whose process exited early. Returns those that could not be resumed, and why.
    pub async fn resume_interrupted(&self) -> Vec<(String, String)> {
        let runs = &self.shared.runs;
        let mut refused = Vec::new();
        for run in list_runs(runs.directory()) {
            if run.state != RunState::Interrupted {
                continue;
            }
            let resumed = match runs.reserve() {
                Ok(place) => match self.shared.resume(&run.directory).start().await {
                    Ok(resumed) => {
                        runs.add(resumed, place);
                        continue;
                    }
                    Err(error) => error.to_string(),
                },
                Err(_) => "run limit reached".to_owned(),
            };
            refused.push((run.run, resumed));
        }
        refused
    }

    /// The paths, for tests.
    #[cfg(test)]
    pub(crate) fn router(&self) -> Router {
        self.router.clone()
    }

    /// Serves one client of the Model Context Protocol over standard input and output, until it closes them or `stop` is
    /// ready. It may name files of the project.
    ///
    /// # Errors
    /// The client does not speak the protocol.
    pub async fn serve_mcp(self, stop: impl Future<Output = ()>) -> Result<(), String> {
        let project = self.shared.project.clone();
        let server = McpServer::new(self.shared.clone(), Some(project));
        let result = tokio::select! {
            ended = server.serve_stdio() => ended,
            () = stop => Ok(()),
        };
        end_runs(&self.shared.runs).await;
        result
    }

    /// Serves until `stop` is ready; then the runs of this server are interrupted at their next checkpoint, which their
    /// readers still see.
    pub async fn serve(self, listener: TcpListener, stop: impl Future<Output = ()>) {
        let ending = CancellationToken::new();
        let accepting =
            connections::accept(listener, self.router, self.connections, ending.clone());
        let serving = tokio::spawn(accepting);
        stop.await;
        end_runs(&self.shared.runs).await;
        ending.cancel();
        // Who reads the runs of other processes reads on elsewhere.
        let _ = timeout(LAST_EVENTS, serving).await;
    }
}

/// Interrupts the runs of this process at their next checkpoint.
async fn end_runs(runs: &Runs) {
    runs.close();
    let open = runs.own();
    for run in &open {
        run.interrupt("the server ends");
    }
    let ended = futures::future::join_all(open.iter().map(attractor::Run::wait));
    if timeout(GRACE, ended).await.is_err() {
        tracing::warn!("some runs did not reach a checkpoint in time; resume them later");
    }
    runs.close_readers().await;
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_path_is_described() {
        let served: Vec<&str> = super::paths().iter().map(|(path, _)| *path).collect();
        let described = crate::openapi::paths();
        let page = ["/", "/page/{*file}"];
        let missing = served
            .iter()
            .filter(|path| !page.contains(path) && !described.contains(path));
        assert_eq!(missing.collect::<Vec<_>>(), Vec::<&&str>::new());
        for path in described {
            assert!(served.contains(&path), "{path}");
        }
    }
}
