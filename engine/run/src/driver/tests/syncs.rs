//! What durability costs: a step waits for the disk once.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use attractor_exec::{AppendFile, Disk, RealDisk};
use attractor_machine::transition::Begin;

use super::*;

/// The disk of this machine, which counts how often a file that only grows is made durable.
#[derive(Clone, Default)]
struct CountingDisk {
    syncs: Arc<AtomicUsize>,
}

struct CountingFile {
    syncs: Arc<AtomicUsize>,
    file: Box<dyn AppendFile>,
}

impl Disk for CountingDisk {
    fn open_append(&self, path: &Path, length: u64) -> io::Result<Box<dyn AppendFile>> {
        Ok(Box::new(CountingFile {
            syncs: self.syncs.clone(),
            file: RealDisk.open_append(path, length)?,
        }))
    }

    fn replace(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        RealDisk.replace(path, content)
    }

    fn rename_directory(&self, from: &Path, to: &Path) -> io::Result<()> {
        RealDisk.rename_directory(from, to)
    }
}

impl AppendFile for CountingFile {
    fn append(&mut self, content: &[u8]) -> io::Result<()> {
        self.file.append(content)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.syncs.fetch_add(1, Ordering::Relaxed);
        self.file.sync()
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.cut(length)
    }
}

/// How often a run of `nodes` nodes with these attributes makes its journal durable.
async fn syncs(nodes: usize, attributes: &str) -> usize {
    let harness = Harness::new();
    let chain: Vec<String> = (0..nodes).map(|node| format!("n{node}")).collect();
    let dot = format!(
        "digraph {{ s [shape=Mdiamond]; e [shape=Msquare]; node [{attributes}]; s -> {} -> e }}",
        chain.join(" -> ")
    );
    let disk = CountingDisk::default();
    let syncs = disk.syncs.clone();
    let launch = harness.launch(&dot);
    let handle = start_on(launch, Begin::default(), Arc::new(disk), None).unwrap();
    let report = handle.wait().await;
    assert_eq!(report.status, RunState::Success, "{:?}", report.failure);
    assert_eq!(report.path.len(), nodes + 2);
    syncs.load(Ordering::Relaxed)
}

#[tokio::test(flavor = "multi_thread")]
async fn step_waits_for_the_disk_once() {
    for attributes in ["shape=diamond", "shape=parallelogram, command=true"] {
        let (ten, thirty) = (syncs(10, attributes).await, syncs(30, attributes).await);
        assert_eq!(thirty - ten, 20, "{attributes}: {ten} and {thirty}");
    }
}
