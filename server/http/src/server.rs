//! The server: its settings, its paths, its start and its end.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use attractor::Engine;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use axum::{Router, middleware};
use tokio::net::TcpListener;

use crate::body::LARGEST;
use crate::guard::{Guard, check};
use crate::routes;
use crate::runs::Runs;
use crate::session::Sessions;
use crate::shared::Shared;
use crate::token::Token;

/// How long runs have to reach their next checkpoint when the server ends.
const GRACE: Duration = Duration::from_secs(10);

/// How a server is set up.
pub struct ServeOptions {
    /// The engine of submitted pipelines; its runs belong into `runs_dir`.
    pub engine: Engine,
    /// The folder of the runs it serves.
    pub runs_dir: PathBuf,
    /// The folder that gets a folder for each submission.
    pub submissions_dir: PathBuf,
    /// Whether submitted pipelines may run commands.
    pub allow_commands: bool,
    /// Further names of the server, as `Host` has them.
    pub hosts: Vec<String>,
    /// The token of its requests.
    pub token: Token,
}

/// A server that has not been started.
pub struct Server {
    router: Router,
    runs: Runs,
    sessions: Sessions,
}

impl Server {
    /// A server for an address.
    pub fn new(options: ServeOptions, address: SocketAddr) -> Self {
        let runs = Runs::new(options.runs_dir);
        let guard = Guard::new(options.token, address, &options.hosts);
        let shared = Shared {
            engine: options.engine,
            runs: runs.clone(),
            submissions_dir: options.submissions_dir,
            allow_commands: options.allow_commands,
            guard: guard.clone(),
        };
        let router = Router::new()
            .route("/", get(routes::index))
            .route("/page/{*file}", get(routes::asset))
            .route("/session", post(routes::log_in).delete(routes::log_out))
            .route("/healthz", get(routes::health))
            .route("/pipelines", get(routes::list).post(routes::submit))
            .route("/pipelines/{id}", get(routes::show))
            .route("/pipelines/{id}/events", get(routes::events))
            .route("/pipelines/{id}/cancel", post(routes::cancel))
            .route("/pipelines/{id}/resume", post(routes::resume))
            .route("/pipelines/{id}/steer", post(routes::steer))
            .route("/pipelines/{id}/graph", get(routes::graph))
            .route("/pipelines/{id}/questions", get(routes::questions))
            .route(
                "/pipelines/{id}/questions/{question}/answer",
                post(routes::answer),
            )
            .route("/pipelines/{id}/checkpoint", get(routes::checkpoint))
            .route("/pipelines/{id}/context", get(routes::context))
            .fallback(routes::unknown_path)
            .method_not_allowed_fallback(routes::unknown_method)
            .layer(DefaultBodyLimit::max(LARGEST))
            .layer(middleware::from_fn_with_state(guard.clone(), check))
            .with_state(shared);
        Self {
            router,
            runs,
            sessions: guard.sessions,
        }
    }

    /// A new ticket for the web page: who opens the page with it in the fragment of the address is logged in, once.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn ticket(&self) -> std::io::Result<String> {
        self.sessions.ticket()
    }

    /// The paths, for tests.
    #[cfg(test)]
    pub(crate) fn router(&self) -> Router {
        self.router.clone()
    }

    /// Serves until `stop` is ready; then the runs of this server are interrupted at their next checkpoint.
    ///
    /// # Errors
    /// The listener fails.
    pub async fn serve(
        self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> std::io::Result<()> {
        let runs = self.runs;
        let server = axum::serve(listener, self.router);
        tokio::select! {
            result = server => result,
            () = stop => {
                let open = runs.own();
                for run in &open {
                    run.interrupt("the server ends");
                }
                let ended = futures::future::join_all(open.iter().map(attractor::Run::wait));
                if tokio::time::timeout(GRACE, ended).await.is_err() {
                    tracing::warn!("some runs did not reach a checkpoint in time; resume them later");
                }
                Ok(())
            }
        }
    }
}
