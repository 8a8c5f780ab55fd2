//! What `attractor --version` prints. The values of this build are recorded by `build.rs`.

/// The version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The version, and what identifies this build, in lines. `-V` prints the version alone.
pub const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit:   ",
    env!("BUILD_COMMIT"),
    "\ntarget:   ",
    env!("BUILD_TARGET"),
    "\nfeatures: ",
    env!("BUILD_FEATURES"),
);
