//! `grep` and `glob`.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use expect_test::expect;
use serde_json::json;

use super::Fixture;
use crate::tools::walk::SearchLimits;
use crate::tools::{Glob, Grep};

fn project() -> Fixture {
    Fixture::new(&[
        ("src/main.rs", "fn main() {\n    run();\n}\n"),
        ("src/lib/run.rs", "pub fn run() {}\n"),
        ("notes.md", "run it\n"),
        (".github/ci.yml", "run: test\n"),
        (".git/config", "run\n"),
        (".gitignore", "target/\n"),
        ("target/out.rs", "run\n"),
        ("image.bin", "run\0run\n"),
    ])
}

#[tokio::test]
async fn matching_lines_are_found_with_file_and_line() {
    let one = project();
    expect![[r#"
        .github/ci.yml:1: run: test
        notes.md:1: run it
        src/lib/run.rs:1: pub fn run() {}
        src/main.rs:2:     run();"#]]
    .assert_eq(&one.call("grep", json!({"pattern": "run"})).await);
}

#[tokio::test]
async fn a_search_is_narrowed_and_widened() {
    let one = project();
    let mut results = Vec::new();
    for arguments in [
        json!({"pattern": "run", "include": "*.rs"}),
        json!({"pattern": "run", "include": "src/*.rs"}),
        json!({"pattern": "run", "path": "src/lib"}),
        json!({"pattern": "run", "path": "notes.md"}),
        json!({"pattern": "run", "path": "image.bin"}),
        json!({"pattern": "run", "path": "target"}),
        json!({"pattern": "run", "include_ignored": true, "include": "target/**"}),
        json!({"pattern": "run", "max_results": 1}),
        json!({"pattern": "nothing"}),
        json!({"pattern": "(", "path": "src"}),
        json!({"pattern": "run", "path": "nowhere"}),
    ] {
        results.push(format!("{arguments}"));
        results.push(one.call("grep", arguments).await);
    }
    expect![[r#"
        {"pattern":"run","include":"*.rs"}
        src/lib/run.rs:1: pub fn run() {}
        src/main.rs:2:     run();
        {"pattern":"run","include":"src/*.rs"}
        src/main.rs:2:     run();
        {"pattern":"run","path":"src/lib"}
        src/lib/run.rs:1: pub fn run() {}
        {"pattern":"run","path":"notes.md"}
        notes.md:1: run it
        {"pattern":"run","path":"image.bin"}
        No matches found.
        [not searched: `image.bin` is a binary file]
        {"pattern":"run","path":"target"}
        target/out.rs:1: run
        {"pattern":"run","include_ignored":true,"include":"target/**"}
        target/out.rs:1: run
        {"pattern":"run","max_results":1}
        .github/ci.yml:1: run: test
        [there are more matches than the 1 shown; narrow the search or raise `max_results`]
        {"pattern":"nothing"}
        No matches found.
        {"pattern":"(","path":"src"}
        error: invalid regular expression: regex parse error:
            (
            ^
        error: unclosed group
        {"pattern":"run","path":"nowhere"}
        error: file not found: `nowhere`"#]]
    .assert_eq(&results.join("\n"));
}

#[tokio::test]
async fn files_are_found_newest_first() {
    let one = project();
    let old = SystemTime::now() - Duration::from_hours(1);
    for path in ["src/lib/run.rs", "target/out.rs"] {
        let file = File::options().write(true).open(one.path(path)).unwrap();
        file.set_modified(old).unwrap();
    }
    let mut results = Vec::new();
    for arguments in [
        json!({"pattern": "**/*.rs"}),
        json!({"pattern": "*.rs"}),
        json!({"pattern": "*.rs", "path": "src"}),
        json!({"pattern": one.path("src/**/*.rs")}),
        json!({"pattern": "/etc/*"}),
        json!({"pattern": "**/*.rs", "include_ignored": true, "path": "target"}),
        json!({"pattern": "[", "path": "src"}),
        json!({"pattern": "*", "path": "notes.md"}),
        json!({"pattern": "*", "path": "nowhere"}),
    ] {
        results.push(one.call("glob", arguments).await);
    }
    expect![[r#"
        src/main.rs
        src/lib/run.rs
        No files matched.
        src/main.rs
        src/main.rs
        src/lib/run.rs
        error: `/etc/*` is outside the working folder ROOT; use a path inside it
        target/out.rs
        error: invalid glob: error parsing glob '[': unclosed character class; missing ']'
        error: `notes.md` is not a folder
        error: file not found: `nowhere`"#]]
    .assert_eq(&results.join("\n"));
}

#[tokio::test]
async fn names_with_line_ends_stay_on_one_line() {
    let one = Fixture::new(&[("a\nb.txt", "x\n")]);
    let grep = one.call("grep", json!({"pattern": "x"})).await;
    assert_eq!(grep, r#""a\nb.txt":1: x"#);
    let glob = one.call("glob", json!({"pattern": "*"})).await;
    assert_eq!(glob, r#""a\nb.txt""#);
}

#[tokio::test]
async fn a_search_in_too_many_files_ends_early_and_says_so() {
    let mut one = Fixture::new(&[]);
    for n in 0..30 {
        one.write(&format!("{n:02}.txt"), b"x\n");
    }
    let limits = SearchLimits {
        entries: 10,
        ..SearchLimits::default()
    };
    one.tools.register(std::sync::Arc::new(Grep { limits }));
    one.tools.register(std::sync::Arc::new(Glob { limits }));
    let grep = one.call("grep", json!({"pattern": "y"})).await;
    expect![[r#"
        No matches found.
        [not everything was searched: 10 files and folders were searched; narrow it with `path` or a more specific pattern]"#]].assert_eq(&grep);
    let glob = one.call("glob", json!({"pattern": "*"})).await;
    assert_eq!(glob.lines().count(), 10);
    assert!(glob.ends_with("more specific pattern]"), "{glob}");
}

#[tokio::test]
async fn a_search_without_time_or_after_a_cancel_ends() {
    let mut one = Fixture::new(&[("a.txt", "x\n")]);
    let limits = SearchLimits {
        time: Duration::ZERO,
        ..SearchLimits::default()
    };
    one.tools.register(std::sync::Arc::new(Grep { limits }));
    let grep = one.call("grep", json!({"pattern": "x"})).await;
    assert!(grep.contains("it took more than 0 seconds"), "{grep}");
    one.context.cancel.cancel();
    let glob = one.call("glob", json!({"pattern": "*"})).await;
    assert!(glob.contains("the session was cancelled"), "{glob}");
}

#[tokio::test]
async fn a_line_of_50_mb_is_searched_and_shown_in_part() {
    let one = Fixture::new(&[]);
    let mut line = vec![b'x'; 50 << 20];
    line.extend_from_slice(b"needle");
    fs::write(one.path("line"), line).unwrap();
    let grep = one.call("grep", json!({"pattern": "needle"})).await;
    assert!(
        grep.ends_with("xneedle [of a line of 52428806 bytes]"),
        "{}",
        grep.len()
    );
    assert!(grep.len() < 1000);
}
