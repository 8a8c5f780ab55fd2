//! Threads and stacks: a thread is the main line of a run or a parallel branch; a stack is a node in a sub-pipeline, then the
//! node that called it.

use attractor_machine::frame::FrameId;
use attractor_machine::transition::{Frame, Phase};

use crate::client_format::ClientFormat;
use crate::debuggee::{Debuggee, node_of};
use crate::protocol::{Source, StackFrame, Thread};

/// The thread of the main line.
pub(crate) const MAIN: i64 = 1;

/// The number of a frame for the client, which counts from 1.
pub(crate) fn number(frame: FrameId) -> i64 {
    i64::from(frame) + 1
}

/// The frame of a number.
pub(crate) fn frame_id(number: i64) -> Option<FrameId> {
    FrameId::try_from(number.checked_sub(1)?).ok()
}

/// The threads of the moment; at least the main line.
pub(crate) fn threads(debuggee: &Debuggee) -> Vec<Thread> {
    let frames = debuggee.frames().iter();
    let roots = frames.filter(|(_, frame)| is_root(debuggee, frame));
    let threads = roots.map(|(id, frame)| Thread {
        id: number(*id),
        name: match (&frame.parent, &frame.branch) {
            (Some(_), Some(branch)) => branch.clone(),
            _ => "main".to_owned(),
        },
    });
    let mut threads: Vec<Thread> = threads.collect();
    if threads.is_empty() {
        threads.push(Thread {
            id: MAIN,
            name: "main".to_owned(),
        });
    }
    threads
}

/// The thread of a frame.
pub(crate) fn thread_of(debuggee: &Debuggee, id: FrameId) -> i64 {
    let callers = std::iter::successors(Some(id), |id| debuggee.frame(*id)?.parent);
    let mut roots = callers.filter(|id| {
        let frame = debuggee.frame(*id);
        frame.is_some_and(|frame| is_root(debuggee, frame))
    });
    roots.next().map_or(MAIN, number)
}

/// The innermost frame of a thread.
pub(crate) fn top(debuggee: &Debuggee, thread: i64) -> Option<FrameId> {
    frames(debuggee, thread).first().copied()
}

/// The frames of a thread, the innermost first.
pub(crate) fn frames(debuggee: &Debuggee, thread: i64) -> Vec<FrameId> {
    let root = frame_id(thread).filter(|id| debuggee.frame(*id).is_some());
    let mut stack: Vec<FrameId> =
        std::iter::successors(root, |id| match debuggee.frame(*id)?.phase {
            Phase::Calling { child, .. } => Some(child),
            _ => None,
        })
        .filter(|id| debuggee.frame(*id).is_some())
        .collect();
    stack.reverse();
    stack
}

/// A frame for the client.
pub(crate) fn shown(debuggee: &Debuggee, id: FrameId, format: ClientFormat) -> Option<StackFrame> {
    let frame = debuggee.frame(id)?;
    let node = node_of(frame);
    let graph = frame.graph.as_deref();
    let place = debuggee.locate(graph, node);
    let (source, line, column) = match place {
        Some((path, at)) => {
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            let path = Some(path.display().to_string());
            let source = Some(Source { name, path });
            (source, format.line(at.line), format.column(at.character))
        }
        None => (None, 0, 0),
    };
    Some(StackFrame {
        id: number(id),
        name: name(frame),
        source,
        line,
        column,
        can_restart: frame.branch.is_none()
            && !matches!(frame.phase, Phase::Held { again: false, .. }),
    })
}

/// `fix@2`, `child/fix@2`, `before fix`
fn name(frame: &Frame) -> String {
    let point = attractor_run::node_point(frame.graph.as_deref(), node_of(frame));
    match &frame.phase {
        Phase::Held { again: false, .. } => format!("before {point}"),
        _ => format!("{point}@{}", frame.visit),
    }
}

fn is_root(debuggee: &Debuggee, frame: &Frame) -> bool {
    let parent = frame.parent.map(|parent| debuggee.frame(parent));
    match parent {
        None => true,
        Some(parent) => parent.is_some_and(|parent| matches!(parent.phase, Phase::Split { .. })),
    }
}
