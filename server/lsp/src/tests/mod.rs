//! What a client sees of the server, over the wire format.

mod authoring;
mod diagnostics;
mod files;
mod hostile;
mod lifecycle;
mod order;
mod runs;
mod scenarios;
