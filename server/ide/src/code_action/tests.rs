//! What actions do: a text with `$0`, the action's title, and the text after it.

use attractor_dot::{TextRange, apply};
use attractor_model::{NoFiles, Options, Severity};
use expect_test::{Expect, expect};

use super::{Action, ActionKind, FileChange, NewFile, actions};
use crate::document::Document;
use crate::fixture::{Folder, cursor, doc};

#[track_caller]
fn offered(fixture: &str) -> (String, Vec<Action>) {
    let (doc, offset) = cursor(fixture);
    let actions = actions(&doc, TextRange::empty(offset), &[], &NoFiles);
    (doc.text.to_string(), actions)
}

/// The text after the first action whose title begins so.
#[track_caller]
fn check(fixture: &str, title: &str, expect: Expect) {
    let (text, actions) = offered(fixture);
    let titles: Vec<&str> = actions.iter().map(|action| action.title.as_str()).collect();
    let action = actions
        .iter()
        .find(|action| action.title.starts_with(title));
    assert!(action.is_some(), "{title} is not among {titles:?}");
    expect.assert_eq(&apply(&text, &action.unwrap().edits));
}

#[track_caller]
fn check_not(fixture: &str, title: &str) {
    let (_, actions) = offered(fixture);
    assert!(
        !actions.iter().any(|action| action.title.starts_with(title)),
        "{title} is offered"
    );
}

fn created(action: &Action) -> Option<&NewFile> {
    match action.other_file.as_ref()? {
        FileChange::Create(new) => Some(new),
        FileChange::Append { .. } => None,
    }
}

#[test]
fn diagnostics_have_fixes() {
    check(
        "digraph { s [shape=Mdiamond]; e [shape=Msquare]; t [handler=too$0ll, command=x]; s -> t -> e }",
        "",
        expect![
            "digraph { s [shape=Mdiamond]; e [shape=Msquare]; t [handler=tool, command=x]; s -> t -> e }"
        ],
    );
    check(
        "digraph { s [shape=Mdiamond]; t [handler=$0toll, command=x]; s -> t }",
        "Allow `unknown_handler` here",
        expect![[r#"
        // attractor: allow(unknown_handler)
        digraph { s [shape=Mdiamond]; t [handler=toll, command=x]; s -> t }"#]],
    );
    check(
        "digraph { s [shape=Mdiamond] s -> a -- b$0 }",
        "",
        expect![[r#"
            digraph { s [shape=Mdiamond] s -> a -- b 
            b [label=b]
            }"#]],
    );
}

/// The handler actions of a file in `flows`, below the root.
#[track_caller]
fn declaration(handler: &str, files: &Folder) -> Option<FileChange> {
    let text = format!("digraph {{ s [shape=Mdiamond]; t [handler={handler}]; s -> t }}");
    let options = Options {
        path: Some("/project/flows/p.dot".into()),
        root: Some("/project".into()),
        ..Options::default()
    };
    let doc = Document::new(&text, 1, options, &NoFiles);
    let offset = text.find(handler).unwrap();
    let actions = actions(&doc, TextRange::empty(offset), &[], files);
    let mut declaring = actions
        .into_iter()
        .filter(|one| one.title.starts_with("Declare"));
    let action = declaring.next()?;
    assert_eq!(action.kind, ActionKind::QuickFix);
    assert_eq!(action.fixes.unwrap().0, "unknown_handler");
    action.other_file
}

#[test]
fn an_unknown_handler_is_declared_in_the_configuration() {
    let path = "../.attractor/config.toml";
    let create = |text: &str| {
        Some(FileChange::Create(NewFile {
            path: path.into(),
            text: text.into(),
        }))
    };
    let none = Folder(&[]);
    assert_eq!(
        declaration("quantum", &none),
        create("[handlers.quantum]\ncommand = [\"quantum\"]\n")
    );
    assert_eq!(
        declaration("\"roll out\"", &none),
        create("[handlers.\"roll out\"]\ncommand = [\"roll out\"]\n")
    );
    let before = "[lints]\ncycle = \"allow\"";
    let configured = Folder(&[("../.attractor/config.toml", "[lints]\ncycle = \"allow\"")]);
    assert_eq!(
        declaration("quantum", &configured),
        Some(FileChange::Append {
            path: path.into(),
            before: before.into(),
            text: "\n\n[handlers.quantum]\ncommand = [\"quantum\"]\n".into(),
        })
    );
    assert_eq!(declaration("tool, command=x", &none), None);
}

#[test]
fn fix_all_applies_every_safe_fix() {
    let (text, actions) = offered(
        "digraph { s [shape=Mdiamond]; a [handler=toll, command=x]; b [handler=promt]; s -> a -> b -> e; e [shape=Msquare] }$0",
    );
    let all = actions
        .iter()
        .find(|action| action.kind == ActionKind::FixAll)
        .unwrap();
    expect![[r#"
        Apply all 2 safe fixes
        digraph { s [shape=Mdiamond]; a [handler=tool, command=x]; b [handler=prompt]; s -> a -> b -> e; e [shape=Msquare] }"#]].assert_eq(&format!("{}\n{}", all.title, apply(&text, &all.edits)));
}

#[test]
fn unsafe_fixes_are_not_applied_by_fix_all() {
    let (_, actions) = offered(
        "digraph { s [shape=Mdiamond]; build [shape=parallelogram, command=make]; s -> biuld; build -> e; s -> s; e [shape=Msquare]; max_stps=3; t [command=x, shape=parallelogram]; build -> t [conditon=on_fail, lable=again]; t -> e [wieght=2] }$0",
    );
    assert!(
        !actions
            .iter()
            .any(|action| action.kind == ActionKind::FixAll)
    );
}

#[test]
fn a_required_attribute_is_spelled_by_fix_all() {
    let (text, actions) = offered(
        "digraph { s [shape=Mdiamond]; t [commnd=x, shape=parallelogram]; s -> t -> e; e [shape=Msquare] }$0",
    );
    let all = actions
        .iter()
        .find(|action| action.kind == ActionKind::FixAll)
        .unwrap();
    expect!["digraph { s [shape=Mdiamond]; t [command=x, shape=parallelogram]; s -> t -> e; e [shape=Msquare] }"]
        .assert_eq(&apply(&text, &all.edits));
}

#[test]
fn fixing_all_takes_one_pass() {
    let (text, actions) = offered(
        "digraph { s [shape=Mdiamond]; s -> e; s -> e; s -> e [promt=x, promt=x]; a [promt=x, promt=x]; s -> a -> e; e [shape=Msquare] }$0",
    );
    let all = actions
        .iter()
        .find(|action| action.kind == ActionKind::FixAll)
        .unwrap();
    let fixed = apply(&text, &all.edits);
    let again = offered(&format!("{fixed}$0")).1;
    assert!(
        !again.iter().any(|action| action.kind == ActionKind::FixAll),
        "{fixed}"
    );
    expect!["digraph { s [shape=Mdiamond]; s -> e;  s -> e [promt=x]; a [prompt=x]; s -> a -> e; e [shape=Msquare] }"].assert_eq(&fixed);
}

#[test]
fn only_one_fix_is_preferred() {
    let (_, actions) = offered(
        "digraph { s [shape=Mdiamond]; s -> bi$0uld -> e; build [prompt=x]; e [shape=Msquare] }",
    );
    let preferred: Vec<&str> = actions
        .iter()
        .filter(|action| action.preferred)
        .map(|action| action.title.as_str())
        .collect();
    assert_eq!(preferred, ["Replace with `build`"]);
}

/// The text after the first action on «…» whose title begins so; nothing when there is none.
fn on_selection(fixture: &str, title: &str) -> Option<String> {
    let (text, actions) = selected(fixture, &Folder(&[]));
    let action = actions
        .iter()
        .find(|action| action.title.starts_with(title))?;
    Some(apply(&text, &action.edits))
}

#[test]
fn quotes_are_added_and_removed() {
    let quoted = on_selection("digraph { a [label=«x»] }", "Add quotes");
    assert_eq!(quoted.as_deref(), Some("digraph { a [label=\"x\"] }"));
    let bare = on_selection("digraph { a [label=«\"x\"»] }", "Remove quotes");
    assert_eq!(bare.as_deref(), Some("digraph { a [label=x] }"));
    let words = "digraph { a [label=«\"two words\"»] }";
    assert_eq!(on_selection(words, "Remove quotes"), None);
    // Only on request, or where Graphviz requires them.
    check_not("digraph { a [label=x$0] }", "Add quotes");
    check_not("digraph { a$0 [label=\"x\"] }", "Add quotes");
    check(
        "digraph { goal=x; a [timeout=$0900s] }",
        "Add quotes",
        expect![[r#"digraph { goal=x; a [timeout="900s"] }"#]],
    );
}

#[test]
fn run_comes_before_rewrites() {
    let (_, actions) = selected("digraph p {\n  goal=x\n  «a» -> b\n}", &Folder(&[]));
    let titles: Vec<&str> = actions.iter().map(|action| action.title.as_str()).collect();
    let at = |title: &str| titles.iter().position(|known| *known == title).unwrap();
    assert!(at("▶ Run pipeline") < at("Add quotes"), "{titles:?}");
}

#[test]
fn chains_are_split_and_joined() {
    check(
        "digraph {\n  a $0-> b -> c [label=x]\n}",
        "Split edge chain",
        expect![[r#"
        digraph {
          a -> b [label=x];
          b -> c [label=x]
        }"#]],
    );
    check(
        "digraph {\n  a $0-> b;\n  b -> c -> d\n}",
        "Join with next edge",
        expect![[r#"
        digraph {
          a -> b -> c -> d
        }"#]],
    );
    check_not("digraph { a $0-> b [x=1]; b -> c }", "Join");
    check_not("digraph { a $0-> {b c} -> d }", "Split");
}

#[test]
fn gates_and_checkpoints_go_onto_edges() {
    check(
        "digraph {\n  goal=x\n  a $0-> b [condition=\"outcome=success\"]\n}",
        "Insert human gate",
        expect![[r#"
        digraph {
          goal=x
          approve_b [shape=hexagon, prompt="Approve this step?"]
          a -> approve_b [condition="outcome=success"]
          approve_b -> b [label="[A] Approve"]
          approve_b -> a [label="[R] Revise"]
        }"#]],
    );
    check(
        "digraph {\n  goal=x\n  before_b; s -> a $0-> b -> c\n}",
        "Insert checkpoint",
        expect![[r#"
        digraph {
          goal=x
          before_b; before_b_2 [shape=cylinder, name=before_b_2]
          s -> a -> before_b_2
          before_b_2 -> b
          b -> c
        }"#]],
    );
    check_not("digraph { a $0-> b }", "Insert");
}

#[test]
fn a_gate_after_the_start_leads_nowhere_back_to_it() {
    check(
        "digraph {\n  s [shape=Mdiamond]\n  e [shape=Msquare]\n  s $0-> a -> e\n}",
        "Insert human gate",
        expect![[r#"
            digraph {
              s [shape=Mdiamond]
              e [shape=Msquare]
              approve_a [shape=hexagon, prompt="Approve this step?"]
              s -> approve_a
              approve_a -> a [label="[A] Approve"]
              approve_a -> e [label="[S] Stop"]
              a -> e
            }"#]],
    );
    check(
        "digraph {\n  goal=x\n  start $0-> a\n}",
        "Insert human gate",
        expect![[r#"
            digraph {
              goal=x
              approve_a [shape=hexagon, prompt="Approve this step?"]
              start -> approve_a
              approve_a -> a
            }"#]],
    );
}

#[test]
fn a_retry_loop_goes_onto_the_only_edge_of_a_node_that_can_fail() {
    check(
        "digraph {\n  goal=x\n  t [shape=parallelogram, command=make]\n  t $0-> done\n}",
        "Insert retry loop",
        expect![[r#"
            digraph {
              goal=x
              t [shape=parallelogram, command=make]
              t -> done [condition="outcome=success"]
              t -> t [condition="outcome=fail", max_visits=3]
            }"#]],
    );
    check_not("digraph { start $0-> a }", "Insert retry loop");
    check_not("digraph { goal=x; a $0-> b; a -> c }", "Insert retry loop");
    check_not(
        "digraph { goal=x; a $0-> b [weight=2] }",
        "Insert retry loop",
    );
}

#[test]
fn defaults_go_to_the_nodes_that_inherit_them() {
    check(
        "digraph {\n  goal=x\n  a [prompt=x]\n  no$0de [class=fast, timeout=5m]\n  b\n  c [prompt=y, class=slow]\n  a -> b -> c\n}",
        "Inline node defaults",
        expect![[r#"
            digraph {
              goal=x
              a [prompt=x]
              b [class=fast, timeout=5m]
              c [prompt=y, class=slow, timeout=5m]
              a -> b -> c
            }"#]],
    );
    // A node that only an edge names has no statement to write it on.
    check_not(
        "digraph { goal=x; no$0de [class=fast]; a -> b }",
        "Inline node defaults",
    );
    // A shape of its own would make another kind of node.
    check_not(
        "digraph { goal=x; no$0de [shape=hexagon]; a [command=make] }",
        "Inline node defaults",
    );
}

#[test]
fn words_of_another_dialect_become_canonical() {
    check(
        "digrap$0h p {\n  goal=x // kept\n  t [node_type=shell, tool_command=\"ls\", llm_model=m]\n}",
        "Convert",
        expect![[r#"
            digraph p {
              goal=x // kept
              t [handler=tool, command="ls", llm_model=m]
            }"#]],
    );
    check_not(
        "digrap$0h p { goal=x; t [handler=tool, command=ls] }",
        "Convert",
    );
}

#[test]
fn selected_statements_become_a_subgraph() {
    let after = on_selection(
        "digraph {\n  goal=x\n  «a [prompt=\"one\n two\"]\n  b [prompt=y]\n  a -> b»\n  b -> c\n}",
        "Extract to subgraph",
    );
    expect![[r#"
        digraph {
          goal=x
          subgraph cluster_group {
            a [prompt="one
         two"]
            b [prompt=y]
            a -> b
          }
          b -> c
        }"#]]
    .assert_eq(&after.unwrap());
    let with_defaults = "digraph { goal=x; «node [class=fast]; a»; b }";
    assert_eq!(on_selection(with_defaults, "Extract to subgraph"), None);
}

#[test]
fn repeated_attributes_become_defaults() {
    check(
        "digraph {\n  goal=x\n  a [cla$0ss=fast, label=A]\n  b [class=fast]\n  c [label=C, class=fast]\n}",
        "Extract `class=fast`",
        expect![[r#"
            digraph {
              node [class=fast]
              goal=x
              a [label=A]
              b
              c [label=C]
            }"#]],
    );
    check_not(
        "digraph { goal=x; a [cla$0ss=fast]; b [class=fast]; c }",
        "Lift",
    );
}

#[test]
fn the_missing_way_out_is_added() {
    check(
        "digraph {\n  s [shape=Mdiamond]\n  t [shape=parallelogram, command=make]\n  e [shape=Msquare]\n  s -> $0t\n  t -> e [condition=\"outcome=success\"];\n}",
        "Add an edge for `fail`",
        expect![[r#"
            digraph {
              s [shape=Mdiamond]
              t [shape=parallelogram, command=make]
              e [shape=Msquare]
              s -> t
              t -> e [condition="outcome=success"];
              t -> e [condition="outcome=fail"]
            }"#]],
    );
    check_not(
        "digraph { goal=x; t$0 -> e [condition=\"outcome=success\"]; t -> s }",
        "Add an edge",
    );
    // What is compared is not what it is compared with.
    check(
        "digraph {\n  s [shape=Mdiamond]\n  t [shape=parallelogram, command=make]\n  e [shape=Msquare]\n  s -> $0t\n  t -> e [condition=\"outcome!=fail\"]\n}",
        "Add an edge for `fail`",
        expect![[r#"
            digraph {
              s [shape=Mdiamond]
              t [shape=parallelogram, command=make]
              e [shape=Msquare]
              s -> t
              t -> e [condition="outcome!=fail"]
              t -> e [condition="outcome=fail"]
            }"#]],
    );
}

#[test]
fn a_client_without_lenses_can_run() {
    let (_, actions) = offered("digraph p { goal=x; a$0 -> b }");
    let commands: Vec<&str> = actions
        .iter()
        .filter_map(|action| Some(action.command.as_ref()?.name()))
        .collect();
    assert_eq!(commands, ["attractor.run", "attractor.run"]);
}

const FLOW: &str = "digraph p {\n  goal=x\n  start [shape=Mdiamond]\n  done [shape=Msquare]\n«  build [shape=parallelogram, command=make]\n  test [shape=parallelogram, command=check]\n»  start -> build -> test -> done\n  test -> build [condition=\"outcome=fail\"]\n}\n";

/// A text with «…» selected.
#[track_caller]
fn selected(fixture: &str, files: &Folder) -> (String, Vec<Action>) {
    let (start, end) = (fixture.find('«').unwrap(), fixture.find('»').unwrap());
    let text = fixture.replace(['«', '»'], "");
    let range = TextRange::new(start, end - '«'.len_utf8());
    let actions = actions(&doc(&text), range, &[], files);
    (text, actions)
}

#[test]
fn selected_nodes_become_a_pipeline_of_their_own() {
    let (text, actions) = selected(FLOW, &Folder(&[("build_part.dot", "")]));
    let here = &actions
        .iter()
        .find(|action| action.kind == ActionKind::Extract)
        .unwrap();
    expect![[r#"
        Extract 2 nodes to sub-pipeline `build_part_2` in this file
        digraph p {
          goal=x
          start [shape=Mdiamond]
          done [shape=Msquare]
          build_part_2 [shape=folder, sub_pipeline=build_part_2]
          start -> build_part_2
          build_part_2 -> done
        }

        digraph build_part_2 {
          goal=x
          start [shape=Mdiamond]
          done [shape=Msquare]
          build [shape=parallelogram, command=make]
          test [shape=parallelogram, command=check]
          start -> build
          build -> test
          test -> done
          test -> build [condition="outcome=fail"]
        }
    "#]]
    .assert_eq(&format!("{}\n{}", here.title, apply(&text, &here.edits)));
    let after = doc(&apply(&text, &here.edits));
    let errors = after.analysis.diagnostics.iter();
    let errors: Vec<_> = errors
        .filter(|found| found.severity == Severity::Error)
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    let created = actions.iter().find_map(created).unwrap();
    assert_eq!(created.path, "build_part_2.dot");
    assert!(created.text.starts_with("digraph build_part_2 {\n"));
}

#[test]
fn extraction_preserves_behavior() {
    let refused = [
        // Two ways in.
        "  start -> test\n}",
        // A way out that depends on how it went.
        "  test -> start [condition=\"outcome=fail\"]\n}",
        // A name from outside.
        "  other [retry_target=build]\n}",
        // An edge over a group.
        "  start -> {build test}\n}",
    ];
    for more in refused {
        let (_, actions) = selected(&FLOW.replace('}', more), &Folder(&[]));
        assert!(
            !actions
                .iter()
                .any(|action| action.title.contains("sub-pipeline")),
            "{more}"
        );
    }
    let (_, actions) = selected(
        "digraph { goal=x; «start [shape=Mdiamond]; a»; start -> a -> b }",
        &Folder(&[]),
    );
    assert!(
        !actions
            .iter()
            .any(|action| action.title.contains("sub-pipeline"))
    );
}

#[test]
fn prompts_are_extracted_and_inlined() {
    let files = Folder(&[
        ("prompts/plan.md", "taken"),
        ("say.md", "say \"hi\" in C:\\new\n"),
    ]);
    let (text, actions) = selected(
        "digraph { goal=x\n plan [prompt=\"«»First \\\"look\\\"\\nthen plan\"]\n}",
        &files,
    );
    let put = actions
        .iter()
        .find(|action| created(action).is_some())
        .unwrap();
    let new = created(put).unwrap();
    expect![[r#"
        Extract prompt to `prompts/plan_2.md`
        digraph { goal=x
         plan [prompt="@prompts/plan_2.md"]
        }
        --- prompts/plan_2.md
        First "look"
        then plan"#]]
    .assert_eq(&format!(
        "{}\n{}\n--- {}\n{}",
        put.title,
        apply(&text, &put.edits),
        new.path,
        new.text
    ));

    let (text, actions) = selected("digraph { goal=x\n a [prompt=\"«»@say.md\"]\n}", &files);
    let bring = actions
        .iter()
        .find(|action| action.kind == ActionKind::Inline)
        .unwrap();
    expect![[r#"
        Inline `say.md`
        digraph { goal=x
         a [prompt="say \"hi\" in C:\\new
        "]
        }"#]]
    .assert_eq(&format!("{}\n{}", bring.title, apply(&text, &bring.edits)));
}

#[test]
fn a_chain_of_independent_nodes_runs_in_parallel() {
    let title = "Run these";
    check(
        "digraph {
  start [shape=Mdiamond]; done [shape=Msquare]
  // Says hello.
  a [prompt=\"A\", timeout=5m]
  b [shape=parallelogram, command=\"make b\"]
  c [prompt=\"C\"]
  start -> a -> $0b -> c -> done // the way
}",
        title,
        expect![[r#"
            digraph {
              start [shape=Mdiamond]; done [shape=Msquare]
              // Says hello.
              a [prompt="A", timeout=5m]
              b [shape=parallelogram, command="make b"]
              c [prompt="C"]
              parallel_a [shape=component]
              join_c [shape=tripleoctagon]
              start -> parallel_a -> {a b c} -> join_c -> done // the way
            }"#]],
    );
    check(
        "digraph {
  start [shape=Mdiamond]; done [shape=Msquare]
  a [prompt=\"A\"]; \"b 1\" [prompt=\"B\"]; c [prompt=\"C\"]
  start -> a$0 [label=\"go\"]
  a -> \"b 1\"
  \"b 1\" -> c // last
  c -> check
  check [shape=diamond]
  check -> done [condition=\"outcome=success\"]
  check -> a [condition=\"outcome=fail\"]
}",
        title,
        expect![[r#"
            digraph {
              start [shape=Mdiamond]; done [shape=Msquare]
              a [prompt="A"]; "b 1" [prompt="B"]; c [prompt="C"]
              start -> parallel_a [label="go"]
              parallel_a [shape=component]
              join_b_1 [shape=tripleoctagon]
              parallel_a -> {a "b 1"} -> join_b_1
              join_b_1 -> c // last
              c -> check
              check [shape=diamond]
              check -> done [condition="outcome=success"]
              check -> parallel_a [condition="outcome=fail"]
            }"#]],
    );
    check(
        "digraph { start [shape=Mdiamond]; a [prompt=A]; b [prompt=B]; done [shape=Msquare]; start -> a; a ->$0 b -> done }",
        title,
        expect![
            "digraph { start [shape=Mdiamond]; a [prompt=A]; b [prompt=B]; done [shape=Msquare]; start -> parallel_a; parallel_a [shape=component]; join_b [shape=tripleoctagon]; parallel_a -> {a b} -> join_b -> done }"
        ],
    );
}

#[test]
fn nodes_that_depend_on_each_other_stay_in_order() {
    for (nodes, edges) in [
        // A key that the next one reads.
        (
            "a [prompt=A, output_key=plan]; b [prompt=\"Do {plan}\"]",
            "start -> a -> b -> done",
        ),
        (
            "a [shape=parallelogram, command=x]; b [prompt=\"Fix {tool.output}\"]",
            "start -> a -> b -> done",
        ),
        // An edge that decides by what it did.
        (
            "a [prompt=A]; b [shape=parallelogram, command=y]",
            "start -> a -> b; b -> done [condition=\"outcome=success\"]; b -> a [condition=\"outcome=fail\"]",
        ),
        (
            "a [prompt=A]; b [prompt=B]",
            "start -> a; a -> b [condition=\"outcome=success\"]; b -> done",
        ),
        // A conversation that continues, and a target of retries.
        (
            "a [prompt=A, thread_id=t]; b [prompt=B, thread_id=t]",
            "start -> a -> b -> done",
        ),
        (
            "a [prompt=A]; b [prompt=B, retry_target=a]",
            "start -> a -> b -> done",
        ),
        // A gate between them, and another way in.
        (
            "a [prompt=A]; b [shape=hexagon, prompt=\"Go?\"]",
            "start -> a -> b -> done",
        ),
        (
            "a [prompt=A]; b [prompt=B]",
            "start -> {a b}; a -> b -> done",
        ),
        // A comment that would be lost.
        (
            "a [prompt=A]; b [prompt=B]",
            "start -> a -> /* then */ b -> done",
        ),
    ] {
        let edges = edges.replacen("a -> ", "a$0 -> ", 1);
        check_not(
            &format!(
                "digraph {{ start [shape=Mdiamond]; done [shape=Msquare]; {nodes}; {edges} }}"
            ),
            "Run these",
        );
    }
}

/// At every node and edge operator of public pipelines: the result is DOT, and has no new problem.
#[test]
#[ignore = "needs a corpus of pipelines"]
fn parallel_chains_of_public_pipelines_validate() {
    let mut applied = 0;
    for text in crate::fixture::corpus() {
        let doc = doc(&text);
        let errors = |doc: &crate::document::Document| {
            let found = doc.analysis.diagnostics.iter();
            found
                .filter(|one| one.severity <= Severity::Warning)
                .count()
        };
        for (offset, _) in text.match_indices("->") {
            let offered = actions(&doc, TextRange::empty(offset), &[], &NoFiles);
            for action in offered
                .iter()
                .filter(|one| one.title.starts_with("Run these"))
            {
                let after = crate::fixture::doc(&apply(&text, &action.edits));
                assert!(
                    after.parse.errors.len() <= doc.parse.errors.len(),
                    "{}",
                    after.text
                );
                assert!(errors(&after) <= errors(&doc), "{}", after.text);
                applied += 1;
            }
        }
    }
    println!("applied {applied} times");
    assert!(applied > 0);
}

#[test]
fn edges_are_reversed() {
    check(
        "digraph {\n  goal=x\n  start -> a -> b -> done\n  b $0-> a [condition=\"outcome=fail\"] // again\n}",
        "Reverse edge",
        expect![[r#"
            digraph {
              goal=x
              start -> a -> b -> done
              a -> b [condition="outcome=fail"] // again
            }"#]],
    );
    // A chain, a loop, and the only way to the end.
    check_not("digraph { goal=x; a $0-> b -> c }", "Reverse edge");
    check_not("digraph { goal=x; a $0-> a }", "Reverse edge");
}

#[test]
fn a_node_is_deleted_and_its_neighbours_are_connected() {
    let title = "Delete `b`";
    check(
        "digraph {
  start [shape=Mdiamond]; done [shape=Msquare]
  a [prompt=x]
  // Goes.
  b$0 [prompt=y]
  start -> a
  a -> b -> c -> done
  a -> b [condition=\"outcome=fail\", label=again]
  b -> a [condition=\"outcome=fail\"]
  c [prompt=z]
}",
        title,
        expect![[r#"
            digraph {
              start [shape=Mdiamond]; done [shape=Msquare]
              a [prompt=x]
              // Goes.
              start -> a
              a -> c -> done
              a -> c [condition="outcome=fail", label=again]
              c [prompt=z]
            }"#]],
    );
    for fixture in [
        // Another node decides by it, a value names it, a group has it.
        "digraph { goal=x; start -> b$0; b -> c; b -> d; c -> done; d -> done }",
        "digraph { goal=x; start -> b$0 -> c; c [prompt=\"{output.b}\"] }",
        "digraph { goal=x; start -> {b$0 c} -> done }",
        "digraph { goal=x; b$0 -> c }",
    ] {
        check_not(fixture, title);
    }
}

#[test]
fn an_error_path_is_added() {
    let text = "digraph {
  start [shape=Mdiamond]; done [shape=Msquare]
  t$0 [shape=parallelogram, command=make]
  u [shape=parallelogram, command=check]
  fix [prompt=Fix]
  start -> t -> u
  u -> done [condition=\"outcome=success\"]
  u -> fix [condition=\"outcome=fail\"]
  fix -> u
}";
    check(
        text,
        "Add error path from `t` to `fix`",
        expect![[r#"
        digraph {
          start [shape=Mdiamond]; done [shape=Msquare]
          t [shape=parallelogram, command=make]
          u [shape=parallelogram, command=check]
          fix [prompt=Fix]
          start -> t -> u
          t -> fix [condition="outcome=fail"]
          u -> done [condition="outcome=success"]
          u -> fix [condition="outcome=fail"]
          fix -> u
        }"#]],
    );
    check(
        text,
        "Add error path from `t` to a new",
        expect![[r#"
        digraph {
          start [shape=Mdiamond]; done [shape=Msquare]
          t [shape=parallelogram, command=make]
          u [shape=parallelogram, command=check]
          fix [prompt=Fix]
          start -> t -> u
          t_failed [shape=hexagon, prompt="`t` failed. Try again?"]
          t -> t_failed [condition="outcome=fail"]
          t_failed -> t [label="[R] Retry"]
          t_failed -> done [label="[S] Stop"]
          u -> done [condition="outcome=success"]
          u -> fix [condition="outcome=fail"]
          fix -> u
        }"#]],
    );
    check_not(
        &text.replace("t$0", "t").replace("  u [", "  u$0 ["),
        "Add error path",
    );
    check_not("digraph { goal=x; start$0 -> a }", "Add error path");
}

#[test]
fn the_kind_of_a_node_changes() {
    let text = "digraph {
  goal=x
  a [sha$0pe=box, prompt=\"Do it\", max_turns=3, timeout=5m, model=\"gpt-5.4\", class=slow]
  start -> a -> done
}";
    check(
        text,
        "Change to `tool`",
        expect![[r#"
        digraph {
          goal=x
          a [command="echo 'not written yet' && exit 1", shape=parallelogram, timeout=5m, class=slow]
          start -> a -> done
        }"#]],
    );
    check(
        text,
        "Change to `human_gate`",
        expect![[r#"
        digraph {
          goal=x
          a [shape=hexagon, prompt="Do it", timeout=5m, model="gpt-5.4", class=slow]
          start -> a -> done
        }"#]],
    );
    check(
        text,
        "Change to `prompt`",
        expect![[r#"
        digraph {
          goal=x
          a [shape=tab, prompt="Do it", max_turns=3, timeout=5m, model="gpt-5.4", class=slow]
          start -> a -> done
        }"#]],
    );
    let (_, offered) = offered(text);
    let titles = offered.iter().map(|action| action.title.as_str());
    let titles: Vec<&str> = titles.filter(|title| title.starts_with("Change")).collect();
    expect![[r#"
        Change to `prompt`
        Change to `tool`, dropping `prompt`, `max_turns`, `model`
        Change to `human_gate`, dropping `max_turns`"#]]
    .assert_eq(&titles.join("\n"));
    check_not(
        "digraph { goal=x; a [shape=Mdiam$0ond]; a -> b }",
        "Change to",
    );
    check_not("digraph { goal=x; a [cla$0ss=x]; a -> b }", "Change to");
}

#[test]
fn nodes_are_sorted_by_the_order_of_a_run() {
    check(
        "digr$0aph {
  goal=x
  done [shape=Msquare]
  // Second.
  b [prompt=b]; // b
  start [shape=Mdiamond]

  a [prompt=a,
     timeout=5m]
  node [class=late]
  d [prompt=d]
  c [prompt=c]
  start -> a -> b -> c -> d -> done
}",
        "Sort nodes",
        expect![[r#"
            digraph {
              goal=x
              start [shape=Mdiamond]
              a [prompt=a,
                 timeout=5m]
              // Second.
              b [prompt=b]; // b

              done [shape=Msquare]
              node [class=late]
              c [prompt=c]
              d [prompt=d]
              start -> a -> b -> c -> d -> done
            }"#]],
    );
    check_not("digr$0aph { goal=x\n a\n b\n a -> b }", "Sort nodes");
    check_not(
        "digr$0aph { goal=x\n b [prompt=x]; a [prompt=y]\n a -> b }",
        "Sort nodes",
    );
}

const CALL: &str = "digraph p {
  start [shape=Mdiamond]
  done [shape=Msquare]
  lint [shape=parallelogram, command=lint]
  check$0s [shape=folder, sub_pipeline=checks, label=Checks]
  start -> lint -> checks -> done
}

digraph checks {
  start [shape=Mdiamond]
  done [shape=Msquare]
  lint [shape=parallelogram, command=style]
  test [shape=parallelogram, command=test, timeout=5m]
  start -> lint -> test
  test -> done [condition=\"outcome=success\"]
  test -> lint [condition=\"outcome=fail\", max_visits=3]
}
";

#[test]
fn a_sub_pipeline_is_inlined() {
    check(
        CALL,
        "Inline sub-pipeline `checks`",
        expect![[r#"
        digraph p {
          start [shape=Mdiamond]
          done [shape=Msquare]
          lint [shape=parallelogram, command=lint]
          checks_lint [shape=parallelogram, command=style]
          test [shape=parallelogram, command=test, timeout=5m]
          checks_lint -> test
          test -> done [condition="outcome=success"]
          test -> checks_lint [condition="outcome=fail", max_visits=3]
          start -> lint -> checks_lint
        }

        digraph checks {
          start [shape=Mdiamond]
          done [shape=Msquare]
          lint [shape=parallelogram, command=style]
          test [shape=parallelogram, command=test, timeout=5m]
          start -> lint -> test
          test -> done [condition="outcome=success"]
          test -> lint [condition="outcome=fail", max_visits=3]
        }
    "#]],
    );
    for (was, is) in [
        // The call, its ways out, and what both graphs say.
        ("label=Checks", "max_visits=3"),
        (
            "checks -> done",
            "checks -> done [condition=\"outcome=success\"]",
        ),
        ("digraph checks {", "digraph checks {\n  model=large"),
        ("digraph checks {", "digraph checks {\n  node [timeout=1m]"),
        // A name in a value.
        ("command=style", "command=\"echo {output.lint}\""),
        ("start -> lint -> test", "start -> {lint test}"),
    ] {
        let changed = CALL.replace(was, is);
        assert_ne!(changed, CALL);
        check_not(&changed, "Inline sub-pipeline");
    }
}

#[test]
fn a_sub_pipeline_of_another_file_is_inlined() {
    let files = Folder(&[(
        "checks.dot",
        "digraph { start [shape=Mdiamond]; done [shape=Msquare]; test [shape=parallelogram, command=test]; start -> test -> done }",
    )]);
    let (text, actions) = selected(
        "digraph p { start [shape=Mdiamond]; done [shape=Msquare]; «»c [shape=folder, sub_pipeline=checks]; start -> c -> done }",
        &files,
    );
    let mut inlining = actions
        .iter()
        .filter(|action| action.kind == ActionKind::Inline);
    let action = inlining.next().unwrap();
    expect![[r#"
        digraph p { start [shape=Mdiamond]; done [shape=Msquare]; test [shape=parallelogram, command=test]
        test -> done; start -> test }"#]].assert_eq(&apply(&text, &action.edits));
}

#[test]
fn extraction_and_inlining_are_inverse() {
    let (text, actions) = selected(FLOW, &Folder(&[]));
    let here = actions
        .iter()
        .find(|action| action.kind == ActionKind::Extract && action.other_file.is_none())
        .unwrap();
    let extracted = apply(&text, &here.edits);
    let call = extracted.find("build_part [").unwrap();
    let doc = doc(&extracted);
    let actions = super::actions(&doc, TextRange::empty(call), &[], &NoFiles);
    let mut inlining = actions
        .iter()
        .filter(|action| action.kind == ActionKind::Inline);
    let inlined = crate::fixture::doc(&apply(&extracted, &inlining.next().unwrap().edits));
    let edges = |doc: &Document| {
        let pipeline = doc.pipeline(0).unwrap();
        let edges = pipeline.edges.iter();
        let edges = edges.map(|edge| {
            (
                pipeline.id(edge.from).to_owned(),
                pipeline.id(edge.to).to_owned(),
            )
        });
        let mut edges: Vec<_> = edges.collect();
        edges.sort();
        edges
    };
    assert_eq!(edges(&inlined), edges(&crate::fixture::doc(&text)));
}
