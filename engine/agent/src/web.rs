//! Pages of the web for the model: fetched over HTTP from public addresses only, as Markdown.
//!
//! The address of a server is looked up here, each result is checked, and the connection goes to the checked address: a name
//! that leads elsewhere a moment later leads nowhere. Redirects to another host are a call of their own, so that rules and
//! people decide about each host.

mod address;
mod fetch;
mod page;

pub(crate) use address::is_public;
pub(crate) use fetch::{Fetched, Fetcher, host_of};
pub(crate) use page::text_of;
