//! Stand-ins for tests: a disk that fails, an environment that starts nothing.

#[cfg(test)]
pub(crate) mod faults;
#[cfg(test)]
pub(crate) mod recording;
