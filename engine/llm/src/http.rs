//! The rim: HTTP requests to providers. What they contain is the business of a [`Protocol`].

mod adapter;
mod connect;
mod headers;
mod model_list;
mod options;
mod protocol;
mod read;
mod stream;

pub(crate) use adapter::HttpAdapter;
pub use connect::{http_client, is_loopback};
pub(crate) use headers::{Headers, parse_go_duration};
pub use options::{Endpoint, HttpOptions, Timeouts};
pub(crate) use protocol::{Call, HttpRequest, Progress, Protocol, StreamDecoder};
