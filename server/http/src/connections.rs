//! Connections: accepted up to a limit, and ended where a client sends its request too slowly or too much of it.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use attractor_exec::Connection;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::Layer;

/// How long a client may take to send the head of a request.
const HEAD: Duration = Duration::from_secs(10);

/// The largest head of a request, in bytes.
pub(crate) const LARGEST_HEAD: usize = 64 * 1024;

/// The most fields of a head.
const MOST_FIELDS: usize = 100;

/// How long a refused client may take to read why.
const REFUSAL: Duration = Duration::from_secs(1);

/// How long to wait when no connection can be accepted, as where too many files are open.
const PAUSE: Duration = Duration::from_millis(100);

/// What a client reads that is one too many.
const TOO_MANY: &str =
    r#"{"error":{"code":"too_many_requests","message":"too many connections are open"}}"#;

/// Answers the requests of each connection until `stop` is cancelled; then the answers that are being sent have as long
/// as the future is polled.
pub(crate) async fn accept(
    listener: TcpListener,
    router: Router,
    most: usize,
    stop: CancellationToken,
) {
    let free = Arc::new(Semaphore::new(most));
    let open = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                pause_after(&error).await;
                continue;
            }
        };
        // Events are small, and are read as they happen.
        let _ = stream.set_nodelay(true);
        match free.clone().try_acquire_owned() {
            Ok(permit) => {
                let (router, stop) = (router.clone(), stop.clone());
                open.spawn(async move {
                    answer(stream, router, stop).await;
                    drop(permit);
                });
            }
            Err(_) => {
                tokio::spawn(refuse(stream));
            }
        }
    }
    open.close();
    open.wait().await;
}

async fn answer(stream: TcpStream, router: Router, stop: CancellationToken) {
    let (Ok(own), Ok(peer)) = (stream.local_addr(), stream.peer_addr()) else {
        // It has ended.
        return;
    };
    let service = Extension(Connection { own, peer }).layer(router);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(LARGEST_HEAD)
        .max_headers(MOST_FIELDS)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    let mut connection = std::pin::pin!(connection);
    // A client that goes away, or sends what is not HTTP, concerns nobody else.
    tokio::select! {
        _ = connection.as_mut() => return,
        () = stop.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

async fn refuse(mut stream: TcpStream) {
    let answer = format!(
        "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 5\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{TOO_MANY}",
        TOO_MANY.len()
    );
    let _ = timeout(REFUSAL, stream.write_all(answer.as_bytes())).await;
}

/// A connection that ended before it was accepted needs no pause; a lack of files or memory does.
async fn pause_after(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    ) {
        tracing::warn!(%error, "no connection can be accepted");
        tokio::time::sleep(PAUSE).await;
    }
}
