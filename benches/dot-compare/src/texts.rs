//! What is read: the corpora, generated pipelines, and texts of nothing but one thing.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Result;

/// The corpora and the generated files.
pub fn usual(scratch: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for name in ["ATTRACTOR_CORPUS", "GRAPHVIZ_CORPUS"] {
        let Some(folder) = std::env::var_os(name) else {
            println!("left out: {name} is not set");
            continue;
        };
        let joined = scratch.join(format!("{}.gv", name.to_lowercase()));
        let mut text = String::new();
        join(Path::new(&folder), &mut text)?;
        fs::write(&joined, text)?;
        files.push(joined);
    }
    for megabytes in [1, 10, 100] {
        let file = scratch.join(format!("generated-{megabytes}.gv"));
        fs::write(&file, generated(megabytes * 1_000_000))?;
        files.push(file);
    }
    Ok(files)
}

/// Every file under `folder` that all of them can read.
fn join(folder: &Path, text: &mut String) -> Result<()> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<std::result::Result<_, _>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            join(&path, text)?;
        } else if let Ok(file) = fs::read_to_string(&path) {
            let parse = attractor_dot::parse(&file);
            let one = parse.file.graphs.len() == 1 && parse.errors.is_empty();
            if one && attractor_dot::graphviz_compat::violations(&parse.file.graphs[0], &file).is_empty() {
                text.push_str(&file);
                text.push('\n');
            }
        }
    }
    Ok(())
}

/// A pipeline of about `length` bytes in the manner of real ones.
fn generated(length: usize) -> String {
    let mut text = String::from(
        "digraph generated {\n    goal=\"Keep everything working\"\n    node [shape=box, fontname=\"Helvetica\"]\n",
    );
    let mut step = 0usize;
    while text.len() < length {
        text += &format!(
            "    step_{step} [label=\"Step {step}\", class=\"build\", max_retries=3, prompt=\"Look at what step {step} left behind and fix it.\\nThen say what you did.\"]\n"
        );
        if step > 0 {
            text += &format!(
                "    step_{} -> step_{step} [label=\"next\", condition=\"outcome=success\"]\n",
                step - 1
            );
        }
        if step % 16 == 15 {
            text += &format!(
                "    subgraph cluster_{step} {{ label=\"Part {step}\"; step_{} step_{step} }}\n    step_{step} -> step_{} [label=\"again\"]\n",
                step - 1,
                step - 8
            );
        }
        step += 1;
    }
    text + "}\n"
}

/// Texts that are hard in one way, each of about `length` bytes.
pub fn degenerate(length: usize) -> Vec<(&'static str, String)> {
    let of = |start: &str, piece: &str, end: &str| {
        start.to_owned() + &piece.repeat(length / piece.len()) + end
    };
    vec![
        ("statements `a`", of("digraph {", "a ", "}")),
        ("one edge chain", of("digraph { a", " -> a", "}")),
        ("one list", of("digraph { a [", "b=1,", "] }")),
        ("many lists of a node", of("digraph { a ", "[b=1,c=2]", "}")),
        ("empty subgraphs", of("digraph {", "{}", "}")),
        ("comments", of("digraph {", "/**/", "}")),
        ("comment lines", of("digraph {", "//\n", "}")),
        ("a string of lines", of("digraph { a [b=\"", "x\n", "\"] }")),
        ("blank lines", of("digraph {", "\n", "}")),
        ("small graphs", of("", "digraph{a->b}", "")),
        ("open braces", of("digraph ", "{", "")),
        ("surplus `}`", of("digraph {", "}", "")),
        ("surplus `]`", of("digraph {", "]", "}")),
        ("commas", of("digraph {", ",", "}")),
        ("open quotes", of("digraph {", "a [b=\"c]\n", "}")),
        ("headers", of("", "digraph ", "")),
        ("NULs", of("digraph {", "\0", "}")),
    ]
}
