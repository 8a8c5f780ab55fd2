//! The table of processes, as the kernel reports it in `/proc`.

use std::collections::HashSet;
use std::fs;
use std::sync::LazyLock;

/// What the kernel says about a process.
pub(crate) struct Process {
    pub(crate) pid: i32,
    pub(crate) zombie: bool,
    pub(crate) parent: i32,
    pub(crate) group: i32,
    pub(crate) session: i32,
    /// Clock ticks since the boot.
    pub(crate) started: u64,
}

/// Every process there is now. Their numbers are read first: new ones have higher numbers, so that a list that is read
/// while each is looked at need not end.
pub(crate) fn processes() -> impl Iterator<Item = Process> {
    let numbers = fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok());
    let numbers: Vec<i32> = numbers.collect();
    numbers.into_iter().filter_map(read)
}

/// Reads `PID (NAME) STATE PARENT GROUP SESSION …`; the name may hold anything.
pub(crate) fn read(pid: i32) -> Option<Process> {
    /// Fields between the session and the number of threads.
    const BEFORE_THREADS: usize = 13;
    /// Fields between the number of threads and the time it began.
    const BEFORE_START: usize = 1;
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let state = fields.next()?;
    let mut number = || fields.next()?.parse().ok();
    let [parent, group, session] = [number()?, number()?, number()?];
    let threads: u32 = fields.nth(BEFORE_THREADS)?.parse().ok()?;
    Some(Process {
        pid,
        // Where only the first thread has ended, the others run on.
        zombie: matches!(state, "Z" | "X") && threads <= 1,
        parent,
        group,
        session,
        started: fields.nth(BEFORE_START)?.parse().ok()?,
    })
}

/// Those of the processes that began last that are still in the table, the newest first. Reads no list: while processes begin
/// and end all the time, the kernel takes seconds to give one.
pub(crate) fn newest() -> impl Iterator<Item = Process> {
    /// How many numbers are looked at.
    const NUMBERS: i32 = 256;
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let last = text.split_whitespace().last();
    let last: i32 = last.and_then(|last| last.parse().ok()).unwrap_or_default();
    let numbers = (last.saturating_sub(NUMBERS).max(1)..=last).rev();
    numbers.filter_map(read)
}

/// Everything below a process: its children, theirs, and so on. Looks at nothing else, so that it costs little
/// on a machine with many processes.
pub(crate) fn descendants(of: i32) -> Vec<Process> {
    let mut found: Vec<Process> = Vec::new();
    let mut pending: Vec<(i32, u64)> = read(of)
        .map(|of| (of.pid, of.started))
        .into_iter()
        .collect();
    while let Some((parent, started)) = pending.pop() {
        let below = children(parent).into_iter().filter_map(read);
        let mut below: Vec<Process> = below.filter(|child| child.parent == parent).collect();
        below.retain(|child| found.iter().all(|known| known.pid != child.pid));
        // Else it has ended meanwhile, and these may be children of another process that has its number now.
        if read(parent).is_some_and(|now| now.started == started) {
            pending.extend(below.iter().map(|child| (child.pid, child.started)));
            found.append(&mut below);
        }
    }
    found
}

/// The children of every thread of a process.
pub(crate) fn children(of: i32) -> Vec<i32> {
    /// Kernels can be built without that list.
    static HAS_LIST: LazyLock<bool> =
        LazyLock::new(|| fs::exists("/proc/thread-self/children").unwrap_or_default());
    if !*HAS_LIST {
        let below = processes().filter(|process| process.parent == of);
        return below.map(|process| process.pid).collect();
    }
    let threads = fs::read_dir(format!("/proc/{of}/task"));
    threads
        .into_iter()
        .flatten()
        .filter_map(|thread| thread.ok()?.file_name().to_str()?.parse().ok())
        .flat_map(|thread| children_of_thread(of, thread))
        .collect()
}

/// The children of one thread. Empty where the kernel has no such list.
pub(super) fn children_of_thread(of: i32, thread: i32) -> Vec<i32> {
    let pids = fs::read_to_string(format!("/proc/{of}/task/{thread}/children"));
    let pids = pids.unwrap_or_default();
    let pids = pids.split_whitespace();
    pids.filter_map(|pid| pid.parse().ok()).collect()
}

/// Whether a process was started with this variable.
pub(crate) fn carries(pid: i32, (name, value): (&str, &str)) -> bool {
    let Ok(environment) = fs::read(format!("/proc/{pid}/environ")) else {
        return false;
    };
    environment.split(|byte| *byte == 0).any(|entry| {
        entry
            .strip_prefix(name.as_bytes())
            .and_then(|rest| rest.strip_prefix(b"="))
            == Some(value.as_bytes())
    })
}

/// The sessions that processes are in.
pub(crate) fn sessions_of(processes: &[Process]) -> HashSet<i32> {
    processes.iter().map(|process| process.session).collect()
}

/// Which boot of the machine this is.
pub(crate) fn boot() -> Option<String> {
    let text = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(text.trim().to_owned())
}
