//! The flowcharts of differences.

use expect_test::{Expect, expect};

use super::pipelines;
use crate::{diff_files, draw};

#[expect(clippy::needless_pass_by_value, reason = "callers write `expect![…]`")]
fn check(old: &str, new: &str, expected: Expect) {
    let (old, new) = (pipelines(old), pipelines(new));
    let mut differences = diff_files(&old, &new);
    draw(&mut differences, &old, &new);
    let flowcharts = differences.into_iter().filter_map(|one| one.flowchart);
    expected.assert_eq(&flowcharts.collect::<String>());
}

const OLD: &str = r#"digraph release {
    start [shape=Mdiamond]
    build [shape=parallelogram, command="make"]
    audit [prompt="Audit it"]
    gate [shape=hexagon]
    done [shape=Msquare]
    start -> build -> audit -> gate
    gate -> done [label="[Y] Yes"]
    gate -> build [label="[N] No"]
}"#;

#[test]
fn what_has_changed_is_marked() {
    let new = r#"digraph release {
    start [shape=Mdiamond]
    compile [shape=parallelogram, command="make"]
    test [shape=parallelogram, command="make test"]
    gate [shape=hexagon, prompt="Ship?"]
    done [shape=Msquare]
    start -> compile -> test
    test -> gate [condition="outcome == success"]
    gate -> done [label="[Y] Yes"]
    gate -> compile [label="[N] Never"]
}"#;
    check(
        OLD,
        new,
        expect![[r#"
            flowchart TD
                start(["start"])
                compile[/"compile (changed)"/]
                test[/"test (new)"/]
                gate{{"gate (changed)"}}
                done(["done"])
                audit["audit (removed)"]
                start --> compile
                compile ==> test
                test ==>|"outcome == success"| gate
                gate -->|"[N] Never (changed)"| compile
                gate -->|"[Y] Yes"| done
                compile -.-> audit
                audit -.-> gate
                classDef added fill:#dafbe1,stroke:#1a7f37,color:#1f2328
                class test added
                linkStyle 1,2 stroke:#1a7f37
                classDef changed fill:#fff8c5,stroke:#9a6700,color:#1f2328
                class compile,gate changed
                linkStyle 3 stroke:#9a6700
                classDef removed fill:#ffebe9,stroke:#cf222e,color:#1f2328
                class audit removed
                linkStyle 5,6 stroke:#cf222e
        "#]],
    );
}

#[test]
fn a_new_pipeline_has_no_marks_and_equal_ones_no_flowchart() {
    let new = "digraph other { start [shape=Mdiamond]; done [shape=Msquare]; start -> done }";
    check(
        OLD,
        &format!("{OLD} {new}"),
        expect![[r#"
        flowchart TD
            start(["start"])
            done(["done"])
            start --> done
    "#]],
    );
    check(&format!("{OLD} {new}"), OLD, expect![[r#""#]]);
}

#[test]
fn a_large_pipeline_has_none() {
    let chain: Vec<String> = (0..400).map(|at| format!("n{at}")).collect();
    let chain = chain.join(" -> ");
    let large = OLD.replace("-> gate\n", &format!("-> {chain} -> gate\n"));
    check(OLD, &large, expect![[r#""#]]);
}
