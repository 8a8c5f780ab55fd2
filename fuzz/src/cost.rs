//! Memory by the allocator's high-water mark, time by the clock of this thread's own work: a busy
//! machine makes neither larger.

use std::time::Duration;

use peak_alloc::PeakAlloc;
use rustix::time::{ClockId, clock_gettime};

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// Work on a text may hold at most so many bytes for each of its bytes, …
const BYTES_PER_BYTE: usize = 50;
/// … and so many besides: what a text of nothing but errors says about them.
const BYTES: usize = 512 * 1024;

/// Long texts are made of short ones until they have this many bytes.
const LONG: usize = 512 * 1024;
/// An instrumented build that works so long on each byte is quick, whatever the growth: some ten times
/// what it does for ordinary text.
const QUICK: Duration = Duration::from_nanos(1500);
/// Work on a text this many times as long …
const LONGER: usize = 8;
/// … may take this many times as long; 64 times is quadratic. …
const SLOWER: u32 = 20;
/// … But a longer text may be of a kind that is read in more ways, each of them once: then work on one
/// twice as long takes twice as long again, where 4 times is quadratic.
const TWICE: u32 = 3;

/// Does `work` on something of `length` bytes.
///
/// # Panics
/// If it needed more memory at a time than it may.
pub fn frugal<T>(length: usize, work: impl FnOnce() -> T) -> T {
    ALLOCATED.reset_peak_usage();
    let before = ALLOCATED.current_usage();
    let result = work();
    let needed = ALLOCATED.peak_usage().saturating_sub(before);
    let may = BYTES_PER_BYTE * length + BYTES;
    assert!(
        needed <= may,
        "{needed} bytes of memory for {length} bytes; {may} would be fair"
    );
    result
}

/// Does `work` on long texts made of `text`, one input in 32: the text again and again, or its
/// repetition inside a graph. What grows faster than the text shows there, if it shows anywhere.
///
/// # Panics
/// If the work grew much faster than the text, three times in a row.
pub fn linear(text: &str, work: impl Fn(&str)) {
    let sum = text.bytes().fold(0u32, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(u32::from(byte))
    });
    if text.is_empty() || !(sum >> 8).is_multiple_of(32) {
        return;
    }
    let made = |length: usize| {
        let many = text.repeat(length.div_ceil(text.len()));
        if sum & 0x80 == 0 {
            many
        } else {
            format!("digraph {{\n{many}\n}}\n")
        }
    };
    let (short, long, longest) = (made(LONG / LONGER), made(LONG), made(2 * LONG));
    let quick = QUICK * u32::try_from(long.len()).unwrap_or(u32::MAX);
    let grows = || {
        let took = time(|| work(&long));
        took > quick
            && took > time(|| work(&short)) * SLOWER
            && time(|| work(&longest)) > took * TWICE
    };
    assert!(
        !(0..3).all(|_| grows()),
        "work on {} bytes takes more than {SLOWER} times what {} bytes take, beginning with {text:?}",
        long.len(),
        short.len(),
    );
}

/// How long this thread worked on it.
fn time(work: impl FnOnce()) -> Duration {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(
            time.tv_sec.unsigned_abs(),
            u32::try_from(time.tv_nsec).unwrap_or(0),
        )
    };
    let from = now();
    work();
    now().saturating_sub(from)
}
