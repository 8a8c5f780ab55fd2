//! Every incoming message passes here, in the order it came over the wire.
//!
//! The framework below answers requests concurrently and starts a handler whenever it is polled,
//! so that a `didChange` could be overtaken by what was sent after it, and a panic in a handler
//! would leave a server that no longer answers. [`Ingress`] fixes both, once, for every method:
//!
//! - each handler is run to its first wait inside `call`, which happens in wire order. Notifications
//!   that change a document never wait, so they are done before the next message is looked at; a
//!   request takes its snapshot of the document in that first step, so it sees exactly the text its
//!   client saw;
//! - a panic in a handler becomes the answer `InternalError`.
//!
//! It never looks into a message and holds no state.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::task::{Context, Poll, Waker};

use futures::FutureExt as _;
use futures::future::{self, BoxFuture};
use tower::Service;
use tower_lsp::jsonrpc::{Error, Id, Request, Response};

/// A service whose handlers start in wire order and whose panics are answered.
#[derive(Debug)]
pub(crate) struct Ingress<S> {
    inner: S,
}

impl<S> Ingress<S> {
    /// Wraps `inner`.
    pub(crate) fn new(inner: S) -> Self {
        Self { inner }
    }
}

impl<S> Service<Request> for Ingress<S>
where
    S: Service<Request, Response = Option<Response>>,
    S::Error: Send + 'static,
    S::Future: Send + 'static,
{
    type Response = Option<Response>;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<Self::Response, Self::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let id = request.id().cloned();
        let method = request.method().to_owned();
        // Reading the parameters happens in `call` itself, so that is guarded too.
        let inner = &mut self.inner;
        let Ok(handler) = std::panic::catch_unwind(AssertUnwindSafe(|| inner.call(request))) else {
            return future::ready(Ok(panicked(id, &method, &"while reading its parameters")))
                .boxed();
        };
        let mut answer = AssertUnwindSafe(handler)
            .catch_unwind()
            .map(move |result| match result {
                Ok(answer) => answer,
                Err(payload) => Ok(panicked(id, &method, payload.as_ref())),
            })
            .boxed();
        match answer.poll_unpin(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(ready) => future::ready(ready).boxed(),
            Poll::Pending => answer,
        }
    }
}

/// The answer to a request whose handler panicked; notifications get none.
fn panicked(id: Option<Id>, method: &str, payload: &(dyn Any + Send)) -> Option<Response> {
    let reason = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    tracing::error!(
        method,
        reason,
        "a handler panicked; the server is still running"
    );
    let mut error = Error::internal_error();
    error.message = format!(
        "Internal error in Attractor ({method}). The server is still running; please report this."
    )
    .into();
    id.map(|id| Response::from_error(id, error))
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use expect_test::expect;
    use serde_json::json;
    use tokio::sync::oneshot;

    use super::*;

    /// Writes the order in which handlers begin and end; `slow` waits until it is released.
    #[derive(Clone, Default)]
    struct Recorder {
        log: Arc<Mutex<Vec<String>>>,
        release: Arc<Mutex<Option<oneshot::Receiver<()>>>>,
    }

    impl Recorder {
        fn note(&self, text: &str) {
            self.log
                .lock()
                .expect("no test panics while holding it")
                .push(text.to_owned());
        }
    }

    impl Service<Request> for Recorder {
        type Response = Option<Response>;
        type Error = std::convert::Infallible;
        type Future = BoxFuture<'static, Result<Self::Response, Self::Error>>;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
            Poll::Ready(Ok(()))
        }

        fn call(&mut self, request: Request) -> Self::Future {
            let this = self.clone();
            async move {
                let method = request.method().to_owned();
                this.note(&format!("begin {method}"));
                assert_ne!(method, "broken", "a handler that panics");
                if method == "slow" {
                    let release = this.release.lock().expect("unpoisoned").take();
                    if let Some(release) = release {
                        let _ = release.await;
                    }
                }
                this.note(&format!("end {method}"));
                Ok(request
                    .id()
                    .cloned()
                    .map(|id| Response::from_ok(id, json!(method))))
            }
            .boxed()
        }
    }

    fn request(method: &'static str, id: i64) -> Request {
        Request::build(method).id(id).finish()
    }

    #[tokio::test]
    async fn handlers_begin_in_wire_order_even_if_nobody_polls_them_yet() {
        let recorder = Recorder::default();
        let (release, gate) = oneshot::channel();
        *recorder.release.lock().expect("unpoisoned") = Some(gate);
        let mut ingress = Ingress::new(recorder.clone());

        let slow = ingress.call(request("slow", 1));
        let change = ingress.call(Request::build("change").finish());
        let hover = ingress.call(request("hover", 2));
        recorder.note("first poll from outside");
        release.send(()).expect("slow still waits");
        let (_, change, hover) = (slow.await, change.await, hover.await);

        assert_eq!(change, Ok(None), "a notification has no answer");
        assert!(matches!(hover, Ok(Some(answer)) if answer.is_ok()));
        let log = recorder.log.lock().expect("unpoisoned").join("\n");
        expect![[r"
            begin slow
            begin change
            end change
            begin hover
            end hover
            first poll from outside
            end slow"]]
        .assert_eq(&log);
    }

    #[tokio::test]
    async fn a_panic_is_answered_and_the_next_request_works() {
        let mut ingress = Ingress::new(Recorder::default());
        let broken = ingress
            .call(request("broken", 1))
            .await
            .expect("infallible")
            .expect("an answer");
        assert_eq!(broken.error().map(|error| error.code.code()), Some(-32603));
        let next = ingress
            .call(request("hover", 2))
            .await
            .expect("infallible")
            .expect("an answer");
        assert!(next.is_ok());
        let silent = ingress.call(Request::build("broken").finish()).await;
        assert_eq!(silent, Ok(None));
    }
}
