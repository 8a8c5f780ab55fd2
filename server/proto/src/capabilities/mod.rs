//! What the two sides can do: [`client`] reads what the editor announced, [`server`] says what we offer.

pub mod client;
pub mod server;
