//! `attractor dap` against a client that speaks the Debug Adapter Protocol. Every message is checked against the schema of
//! the protocol.

mod client;
mod live;
mod past;
mod wrong;
