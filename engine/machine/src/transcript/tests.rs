//! Journals, and their transcripts as a client without colors prints them.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::{EntryKind, EventWithEntry, TranscriptEntry};
use crate::event::{Event, EventKind};

/// An event of an attempt of `fix`.
fn at(kind: &str, fields: &Value) -> Value {
    let mut event = json!({"type": kind, "node": "fix", "visit": 1, "attempt": 1});
    let own = event.as_object_mut().unwrap();
    own.extend(fields.as_object().unwrap().clone());
    event
}

fn entry(event: &Value) -> Option<TranscriptEntry> {
    TranscriptEntry::of(&serde_json::from_value::<EventKind>(event.clone()).unwrap())
}

/// What a plain client prints; `[role]` after what is not plain.
fn printed(event: &Value) -> String {
    let Some(entry) = entry(event) else {
        return "(not shown)\n".to_owned();
    };
    let role = |role| match serde_json::to_value(role).unwrap() {
        Value::String(role) if role != "plain" => format!("   [{role}]"),
        _ => String::new(),
    };
    let names_node = matches!(entry.kind, EntryKind::Line | EntryKind::Question);
    let node = entry.node.as_ref().filter(|_| names_node);
    let node = node.map(|node| format!("{node}: ")).unwrap_or_default();
    let tool = entry.tool.as_ref().map(|tool| format!("{tool} "));
    let (glyph, tool, text) = (entry.glyph, tool.unwrap_or_default(), &entry.text);
    let first = format!("{glyph} {node}{tool}{text}{}", role(entry.role));
    let mut shown = format!("{}\n", first.trim_end());
    for line in &entry.lines {
        let line = format!("    {}{}", line.text, role(line.role));
        let _ = writeln!(shown, "{}", line.trim_end());
    }
    shown
}

#[expect(clippy::needless_pass_by_value, reason = "expected texts are literals")]
fn check(events: &[Value], expected: Expect) {
    expected.assert_eq(&events.iter().map(printed).collect::<String>());
}

#[test]
fn a_run_reads_as_its_story() {
    let other = |kind: &str, fields: &Value| {
        let mut event = at(kind, fields);
        event["node"] = json!("test");
        event
    };
    check(
        &[
            json!({"type": "pipeline_started", "pipeline": "release", "goal": "Ship it\nsoon", "nodes": 4, "start": "test", "reality": "simulated"}),
            other(
                "stage_started",
                &json!({"kind": "tool", "label": "Run the tests"}),
            ),
            other(
                "stage_output",
                &json!({"stream": "stdout", "text": "12 passed\n"}),
            ),
            other(
                "stage_failed",
                &json!({"reason": "exit code 1\nFAILED a", "class": "deterministic", "will_retry": true, "duration_ms": 900}),
            ),
            other(
                "stage_retrying",
                &json!({"attempt": 2, "delay": 200, "max_attempts": 3}),
            ),
            other(
                "stage_retrying",
                &json!({"attempt": 2, "delay": 3000, "max_attempts": 3, "until": "2026-01-02T03:04:05Z", "waiting_for": "openai"}),
            ),
            other(
                "stage_started",
                &json!({"attempt": 2, "visit": 3, "branch": "fan/a", "graph": "inner", "kind": "tool", "label": "test"}),
            ),
            other(
                "stage_completed",
                &json!({"status": "success", "duration_ms": 1200, "summary": "exit code 0"}),
            ),
            other(
                "stage_completed",
                &json!({"status": "partial_success", "duration_ms": 12_000, "usage": {"input_tokens": 1200, "output_tokens": 40, "cost": 0.02},
                    "model": {"model": "gpt-6-luna", "warnings": ["temperature was left out"]}, "summary": "Done."}),
            ),
            other(
                "stage_completed",
                &json!({"status": "fail", "duration_ms": 1, "model": {"simulated": "no key"}}),
            ),
            other(
                "stage_completed",
                &json!({"status": "skipped", "duration_ms": 0}),
            ),
            other(
                "stage_stopped",
                &json!({"usage": {"input_tokens": 7, "output_tokens": 0, "cost": 0.0}}),
            ),
            other("stage_rerun", &json!({})),
            other(
                "verification",
                &json!({"check": "exit_code == 0", "passed": false}),
            ),
            json!({"type": "edge_selected", "from": "test", "to": "review", "rule": "condition", "condition": "outcome=success", "warnings": ["`x` is not set"]}),
            json!({"type": "edge_selected", "from": "test", "to": "ship", "graph": "inner", "rule": "preferred_label", "label": "[A] Approve"}),
            json!({"type": "edge_selected", "from": "test", "to": "end", "rule": "retry_target"}),
            json!({"type": "pipeline_failed", "failure": {"node": "test", "reason": "exit code 1", "class": "deterministic"}, "steps": 1, "duration_ms": 900}),
            json!({"type": "pipeline_completed", "steps": 3, "duration_ms": 125_000, "usage": {"input_tokens": 12_000, "output_tokens": 345, "cost": 0.03}}),
            json!({"type": "pipeline_cancelled", "by": "ada (vscode)", "steps": 2}),
            json!({"type": "pipeline_interrupted", "by": "SIGTERM", "steps": 2}),
            json!({"type": "pipeline_resumed", "reality": "real"}),
            json!({"type": "pipeline_forked", "from": "01J", "node": "test", "visit": 2, "attempt": 1, "files": {"folder": "/tmp/x"}}),
        ],
        expect![[r#"
            ▶ release started (simulated)   [start]
                Ship it
                soon
            ● test: tool · Run the tests   [start]
            │    [output]
            ✗ test: exit code 1 · will retry · 900 ms   [failure]
                FAILED a
            ⟲ test: attempt 2 of 3 in 200 ms   [attention]
            ⟲ test: waiting for openai until 2026-01-02T03:04:05Z (in 3.0 s)   [attention]
            ● inner/test: tool · branch fan/a · visit 3 · attempt 2   [start]
            ✓ test: success · 1.2 s   [success]
                exit code 0
            ✓ test: partial success · 12.0 s · 1 k tokens · $0.02 · gpt-6-luna   [attention]
                Done.
                ! temperature was left out   [attention]
            ✗ test: fail · 1 ms · simulated   [failure]
            – test: skipped · 0 ms
            ■ test: stopped · 7 tokens
            ↻ test: runs again: its outcome before the interruption is unknown   [attention]
            ✗ test: verify exit_code == 0   [failure]
            → review  (outcome=success)
                ! `x` is not set   [attention]
            → ship  ([A] Approve)
            → end  (retry target)
            ✗ failed: test: exit code 1 · 1 step · 900 ms   [failure]
            ✓ completed · 3 steps · 2 min 5 s · 12 k tokens · $0.03   [success]
            ■ cancelled by ada (vscode) · 2 steps   [failure]
            ■ interrupted by SIGTERM · 2 steps   [failure]
            ⟲ resumed   [start]
            ▶ forked from 01J at test@2, in /tmp/x   [start]
        "#]],
    );
}

#[test]
fn the_work_of_an_agent() {
    check(
        &[
            at(
                "stage_output",
                &json!({"stream": "thinking", "text": "The sum is wrong.\n"}),
            ),
            at(
                "stage_output",
                &json!({"stream": "model", "text": "I correct it.\n"}),
            ),
            at(
                "agent.model_call",
                &json!({"provider": "openai", "model": "gpt-6-luna", "usage": {"input_tokens": 1100, "output_tokens": 40, "cost": 0.01}, "duration_ms": 3200, "finish_reason": "tool_use"}),
            ),
            call(
                "edit_file",
                &json!({"path": "sum.py", "old_string": "total = 1\n", "new_string": "total = 0\nx"}),
            ),
            result("edit_file", "edited sum.py\n", false),
            call(
                "write_file",
                &json!({"path": "new.py", "content": "x = 1\n"}),
            ),
            call(
                "apply_patch",
                &json!({"patch": "*** Update File: a\n@@\n-x\n+y\n z\n"}),
            ),
            call(
                "shell",
                &json!({"command": "pytest -q\nsecond line", "timeout_ms": 5}),
            ),
            result("shell", "", true),
            at(
                "agent.tool_hook",
                &json!({"hook": "audit", "when": "before", "tool_name": "shell", "tool_call_id": "c", "outcome": "passed", "exit_code": 0, "duration_ms": 3}),
            ),
            at(
                "agent.tool_hook",
                &json!({"hook": "no-tests", "when": "before", "tool_name": "shell", "tool_call_id": "c", "outcome": "refused", "exit_code": 3, "duration_ms": 3, "output": "not now\nask"}),
            ),
            at(
                "agent.notice",
                &json!({"notice": "warning", "message": "no sandbox\nsee the manual"}),
            ),
            at(
                "agent.notice",
                &json!({"notice": "files_changed", "tool_call_id": "c", "paths": ["a", "b"]}),
            ),
            at(
                "agent.notice",
                &json!({"notice": "error", "error": "overloaded", "phase": "llm_call"}),
            ),
            at(
                "agent.plan",
                &json!({"steps": [
                    {"step": "Read the test", "status": "completed"},
                    {"step": "Fix the sum", "status": "in_progress"},
                    {"step": "Run pytest", "status": "pending"},
                ]}),
            ),
            at(
                "agent.progress",
                &json!({"turns": 1, "tool_calls": 0, "tokens": 0, "cost": 0.0, "idle_seconds": 0.0}),
            ),
        ],
        expect![[r#"
            ┆    [thinking]

            · gpt-6-luna · 1 k tokens · $0.01 · 3.2 s
            → edit_file sum.py
                - total = 1   [removed]
                + total = 0   [added]
                + x   [added]
            ← edit_file: edited sum.py
            → write_file new.py
                + x = 1   [added]
            → apply_patch *** Update File: a
                *** Update File: a
                @@
                -x   [removed]
                +y   [added]
                 z
            → shell pytest -q
            ✗ shell: nothing   [failure]
            ✓ fix: hook `audit` before shell: passed   [success]
            ✗ fix: hook `no-tests` before shell: refused the call, exit code 3: not now   [failure]
                ask   [output]
            ! fix: warning: no sandbox   [attention]
                see the manual
            · fix: changed a, b
            ✗ fix: error: overloaded   [failure]
            ☰ fix: 1 of 3 steps · Fix the sum
                ● Read the test   [success]
                ◐ Fix the sum   [start]
                ○ Run pytest
            (not shown)
        "#]],
    );
}

#[test]
fn people_are_asked_and_answer() {
    let options = json!([
        {"key": "A", "label": "[A] Approve", "approves": true},
        {"key": "R", "label": "[R] Revise", "approves": false},
    ]);
    let asked = |text: &str, options: &Value| {
        let question = json!({"id": "fix.1", "node": "fix", "kind": "choice", "text": text, "options": options});
        at("interview_started", &json!({"question": question}))
    };
    check(
        &[
            asked("## Ship it?\n\nAll **checks** pass:\n\n- unit\n", &options),
            asked("#1 or #2?", &json!([])),
            asked("", &json!([])),
            at(
                "interview_completed",
                &json!({"question": "fix.1", "answer": "Approve", "text": "well done\nall", "by": "ada (vscode)"}),
            ),
            at(
                "interview_timeout",
                &json!({"question": "fix.1", "default": "Revise"}),
            ),
            at("interview_timeout", &json!({"question": "fix.1"})),
            at(
                "interview_withdrawn",
                &json!({"question": "fix.1", "reason": "the branch was stopped"}),
            ),
            json!({"type": "steering_injected", "to": "inner/fix", "message": "Be brief\nplease", "by": "ada"}),
            at(
                "steering_deferred",
                &json!({"message": "Be brief", "by": "ada"}),
            ),
        ],
        expect![[r#"
            ? fix: Ship it?   [attention]
                All **checks** pass:
    
                - unit
                [A] Approve · [R] Revise   [choices]
            ? fix: #1 or #2?   [attention]
            ? fix: waiting for an answer   [attention]
            ! fix: Approve — ada (vscode)   [dialogue]
                well done
                all
            ! fix: no answer in time; using the default: Revise   [attention]
            ! fix: no answer in time   [attention]
            ! fix: question closed: the branch was stopped
            ↪ inner/fix: Be brief — ada   [dialogue]
                please
            ↪ fix: ended without reading a message, which is added to the next prompt   [attention]
                Be brief — ada
        "#]],
    );
}

#[test]
fn branches_sub_pipelines_and_limits() {
    let report = json!({"plan_id": "x", "plan_name": "x", "run": "r", "mode": "graph", "state": "running", "visited": {}, "path": [], "total_nodes": 1, "completed_nodes": 0, "started_at": "", "since_transition_ms": 0, "turns_since_transition": 0, "events": [], "asked": []});
    let files: Vec<Value> = (0..14)
        .map(|n| json!({"path": format!("f{n}"), "change": "added", "branches": ["a"]}))
        .collect();
    check(
        &[
            at("parallel_started", &json!({"branches": ["a", "b"]})),
            at(
                "parallel_branch_started",
                &json!({"name": "a", "index": 0, "worktree": "worktrees/a"}),
            ),
            at("parallel_branch_started", &json!({"name": "b", "index": 1})),
            at(
                "parallel_branch_completed",
                &json!({"name": "a", "index": 0, "status": "success"}),
            ),
            at("parallel_completed", &json!({"succeeded": 1, "failed": 1})),
            at(
                "files_merged",
                &json!({"branches": ["a"], "files": files, "more_files": 3}),
            ),
            at("files_merged", &json!({"branches": ["a"]})),
            at(
                "files_merged",
                &json!({"branches": ["a", "b"], "conflicts": [{"path": "x", "branches": ["a", "b"], "reason": "same_lines"}]}),
            ),
            at(
                "child_started",
                &json!({"child": "child.1", "pipeline": "child", "nodes": 1}),
            ),
            at(
                "child_observed",
                &json!({"child": "child.1", "report": report}),
            ),
            at(
                "child_completed",
                &json!({"child": "child.1", "status": "fail", "reason": "its node `x` failed"}),
            ),
            json!({"type": "status_report", "report": report}),
            json!({"type": "goal_gate_unmet", "unmet": ["a", "b"], "redirect": "fix"}),
            json!({"type": "validation_warning", "message": "no such file", "rule": "file_missing", "line": 3}),
            json!({"type": "budget_warning", "limit": "max_cost", "used": 0.8, "allowed": 1.0}),
            at(
                "escalated",
                &json!({"level": "alternate", "reason": "fix failed", "ends": true}),
            ),
            at("checkpoint_saved", &json!({"name": "built"})),
            json!({"type": "expired", "stall_timeout_ms": 300_000}),
            json!({"type": "expired", "stale_after_turns": 1}),
        ],
        expect![[r#"
            ∥ fix: branches a, b   [start]
            ∥ fix: a works in worktrees/a
            (not shown)
            (not shown)
            ∥ fix: 1 succeeded, 1 failed
            ∥ fix: merged f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, 5 more
            ∥ fix: merged no files
            ✗ fix: conflicts in x   [failure]
            ▶ fix: starts child (1 node)   [start]
            (not shown)
            ✗ fix: child.1: fail: its node `x` failed   [failure]
            (not shown)
            ✗ unmet goal gates: a, b; redirecting to fix   [failure]
            ! line 3: no such file (file_missing)   [attention]
            ! max_cost: 0.8 of 1 used   [attention]
            ▲ fix: alternate: fix failed   [attention]
            ◆ fix: checkpoint built
            ✗ stalled: no activity for 5 min 0 s   [failure]
            ✗ stale: 1 model turn without a transition   [failure]
        "#]],
    );
}

#[test]
fn long_outputs_and_differences_are_shortened() {
    let lines = |count: usize| "x\n".repeat(count);
    let count = |event: &Value| {
        let lines = entry(event).unwrap().lines;
        let last = lines.last().unwrap().text.clone();
        (lines.len(), last)
    };
    assert_eq!(
        count(&result("shell", &lines(13), false)),
        (13, "x".to_owned())
    );
    let long = (13, "… 2 more lines".to_owned());
    assert_eq!(count(&result("shell", &lines(14), false)), long);
    let written = call("write_file", &json!({"path": "a", "content": lines(14)}));
    assert_eq!(count(&written), long);
    let subject = call("shell", &json!({"command": "y".repeat(500)}));
    assert_eq!(entry(&subject).unwrap().text.chars().count(), 160);
}

/// Neovim refuses lines that contain others, and a table of entries has a row for each.
#[test]
fn no_line_contains_a_line_break() {
    let text = "one\r\ntwo\nthree\rfour";
    for event in [
        json!({"type": "pipeline_started", "pipeline": text, "goal": text, "nodes": 1, "start": ""}),
        at("stage_started", &json!({"kind": text, "label": text})),
        at(
            "stage_failed",
            &json!({"reason": text, "class": "timeout", "will_retry": false, "duration_ms": 1}),
        ),
        call(text, &json!({"command": text, "old_string": text})),
        result(text, text, false),
        json!({"type": "edge_selected", "from": text, "to": text, "rule": "condition", "condition": text, "warnings": [text]}),
        json!({"type": "steering_injected", "to": text, "message": text, "by": text}),
    ] {
        let entry = entry(&event).unwrap();
        let lines = entry.lines.iter().map(|line| &line.text);
        let texts = [&entry.text].into_iter().chain(lines);
        for text in texts.chain(&entry.node).chain(&entry.tool) {
            assert!(!text.contains(['\n', '\r']), "{text:?}");
        }
    }
}

#[test]
fn an_event_is_sent_with_its_entry() {
    let mut event = at("stage_output", &json!({"stream": "stdout", "text": "x\n"}));
    let own = [("run", json!("r")), ("seq", json!(1)), ("time", json!("t"))];
    let fields = event.as_object_mut().unwrap();
    fields.extend(own.map(|(name, value)| (name.to_owned(), value)));
    let sent = |event: &Value| {
        let event: Event = serde_json::from_value(event.clone()).unwrap();
        let sent = serde_json::to_value(EventWithEntry::from(&event)).unwrap();
        // A client reads the event as before.
        assert_eq!(
            serde_json::from_value::<Event>(sent.clone()).unwrap(),
            event
        );
        sent["entry"].clone()
    };
    let output = json!({"kind": "output", "glyph": "│", "role": "output", "node": "fix"});
    assert_eq!(sent(&event), output);
    event["type"] = json!("parallel_branch_started");
    event["name"] = json!("a");
    event["index"] = json!(0);
    assert_eq!(sent(&event), Value::Null);
}

fn call(tool: &str, arguments: &Value) -> Value {
    at(
        "agent.tool_call_start",
        &json!({"tool_name": tool, "tool_call_id": "c", "arguments": arguments}),
    )
}

fn result(tool: &str, output: &str, is_error: bool) -> Value {
    at(
        "agent.tool_call_end",
        &json!({"tool_name": tool, "tool_call_id": "c", "output": output, "is_error": is_error}),
    )
}
