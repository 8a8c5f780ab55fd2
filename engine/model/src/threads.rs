//! Work shared out among threads. The only place that knows of them: what is shared out is a pure function, and its
//! results come in the order of the tasks, as if one thread had done them all.

use std::num::NonZero;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Graphs of fewer nodes are done before another thread has begun.
const WORTH_IT: usize = 500;
/// More threads than this only wait for each other.
const MOST: usize = 4;

/// Asking the system reads files.
static AVAILABLE: LazyLock<usize> =
    LazyLock::new(|| thread::available_parallelism().map_or(1, NonZero::get));

/// How many threads a graph of so many nodes deserves on this machine.
pub(crate) fn deserved(nodes: usize) -> usize {
    if nodes < WORTH_IT {
        1
    } else {
        (*AVAILABLE).min(MOST)
    }
}

/// What two functions make, done at the same time when there are threads for both.
pub(crate) fn both<A, B: Send>(
    threads: usize,
    here: impl FnOnce() -> A,
    there: impl Fn() -> B + Sync,
) -> (A, B) {
    if threads < 2 {
        return (here(), there());
    }
    thread::scope(|scope| {
        let helper = thread::Builder::new().spawn_scoped(scope, &there);
        let made = here();
        match helper.map(thread::ScopedJoinHandle::join) {
            Ok(Ok(other)) => (made, other),
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => (made, there()),
        }
    })
}

/// What `run` makes of each task, in the order of the tasks, done on so many threads. A thread that the system does not
/// give is done without.
pub(crate) fn map<T: Sync, R: Send>(
    threads: usize,
    tasks: &[T],
    run: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    if threads < 2 {
        return tasks.iter().map(run).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = tasks.get(at) else {
                return done;
            };
            done.push((at, run(task)));
        }
    };
    let mut done = thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let helpers: Vec<_> = (1..threads).filter_map(spawn).collect();
        let mut done = work();
        for helper in helpers {
            match helper.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// What `run` makes of each of many small items, in their order, done on so many threads.
pub(crate) fn map_each<T: Sync, R: Send>(
    threads: usize,
    items: &[T],
    run: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    // The last thread to begin has less to do.
    const PARTS: usize = 4;
    if threads < 2 {
        return items.iter().map(run).collect();
    }
    let length = items.len().div_ceil(threads * PARTS).max(1);
    let parts: Vec<&[T]> = items.chunks(length).collect();
    map(threads, &parts, |part| {
        part.iter().map(&run).collect::<Vec<R>>()
    })
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use super::{both, map, map_each};

    #[test]
    fn results_stand_in_the_order_of_the_tasks() {
        let tasks: Vec<usize> = (0..1_000).collect();
        let squares: Vec<usize> = tasks.iter().map(|task| task * task).collect();
        for threads in [0, 1, 2, 4] {
            assert_eq!(map(threads, &tasks, |task| task * task), squares);
            assert_eq!(map_each(threads, &tasks, |task| task * task), squares);
            assert_eq!(both(threads, || 1, || 2), (1, 2));
        }
    }
}
