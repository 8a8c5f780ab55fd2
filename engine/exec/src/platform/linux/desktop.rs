//! The desktop, and how the system watches files.

/// Opens an address in the person's browser.
pub const OPEN_PROGRAM: &str = "xdg-open";

/// Whether the system watches a folder with all below it at the price of one watch: no, each directory has its own.
pub const WATCHES_TREES: bool = false;
