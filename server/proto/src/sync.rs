//! Locking without a panic path.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks `mutex`. A panic in another handler while it held the lock is answered there; the data under
/// our locks is replaced as a whole, never half-written, so it stays usable.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
