//! Random pipelines: blocks in a row, with edges across.

use std::fmt::Write as _;

/// Sub-pipelines the blocks may call.
const LIBRARY: &str = "
digraph child { goal=sub; c [shape=Mdiamond]; c -> d -> f; d [prompt=x]; f [shape=Msquare] }
digraph checked { goal=sub; c [shape=Mdiamond]; c -> t; t [command=\"make\"]
    t -> good [condition=\"exit_code == 0\"]; t -> bad [condition=\"exit_code != 0\"] }
";

/// Blocks: `@` is the number of the block. The first node is its entry, `@z` (or the entry) its end.
pub(super) const BLOCKS: &[&str] = &[
    "n@ [prompt=\"Do {last_response} for $goal, {missing:-x} {{ goal }} {\\\"a\\\": 1}\"]",
    "n@ [prompt=x, max_retries=2]",
    "n@ [prompt=x, max_retries=1, allow_partial=true]",
    "n@ [prompt=x, goal_gate=true]",
    "n@ [prompt=x, goal_gate=true, retry_target=n0]",
    "n@ [prompt=x, retry_target=n1]",
    "n@ [prompt=x, on_failure=route]",
    "n@ [prompt=x, on_failure=continue]",
    "n@ [prompt=x, max_visits=3]",
    "n@ [shape=tab, prompt=x, output_key=answer]",
    "n@ [shape=parallelogram, tool_command=\"echo {answer} $HOME\"]",
    "n@ [command=\"make\", max_retries=1, retry_policy=linear]",
    "n@ [shape=diamond]",
    "n@ [shape=insulator, duration=5m]",
    "n@ [shape=cylinder]",
    "n@ [shape=octagon, pace_level=alternate]",
    "n@ [shape=hexagon, prompt=\"Continue?\"]",
    "n@ [type=\"wait.human\"]; n@ -> n@y [label=\"[Y] Yes\"]; n@ -> n@z [label=\"[N] No\"]; n@y [prompt=x]; n@y -> n@z; n@z [prompt=x]",
    "n@ [shape=component]; n@ -> {n@a n@b} -> n@z; n@a [prompt=x]; n@b [command=x]; n@z [shape=tripleoctagon]",
    "n@ [shape=component, join_policy=first_success]; n@ -> n@a -> n@z; n@ -> n@b -> n@z; n@a [prompt=x]; n@b [prompt=x]; n@z [shape=tripleoctagon]",
    "n@ [handler=parallel, branches=\"n@a, n@b\"]; n@a [prompt=x]; n@b [command=x]; n@a -> n@z; n@b -> n@z; n@ -> n@z; n@z [prompt=x]",
    "n@ [shape=house, sub_pipeline=child]",
    "n@ [shape=house, manager.max_cycles=2, manager.stop_condition=\"outcome=success\"]",
    "n@ [shape=house, sub_pipeline=checked, max_iterations=2, done_condition=\"outcome=success\"]",
    "n@ [shape=folder, sub_pipeline=checked]",
    "n@ [shape=trapezium, loop_id=l@, loop_max=2]; n@ -> n@a -> n@z; n@a [prompt=x]; n@z [shape=invtrapezium, loop_id=l@]",
];

/// Ways out of a block besides the one to the next: `%` is where it leads.
pub(super) const WAYS: &[&str] = &[
    "",
    "-> % [condition=\"outcome=fail\"]",
    "-> % [condition=\"outcome=failed\", loop_restart=true]",
    "-> % [condition=\"outcome!=success\", max_visits=2]",
    "-> % [condition=on_fail]",
    "-> % [condition=on_exhaust]",
    "-> % [condition=on_retry]",
    "-> % [condition=always]",
    "-> % [condition=\"exit_code != 0\"]",
    "-> % [condition=\"outcome=succes\"]",
    "-> % [condition=\"outcome=retry\"]",
    "-> % [condition=\"context.score > 3\"]",
    "-> % [condition=\"outcome=success && outcome=fail\"]",
    "-> % [condition=\"approved == false\"]",
    "-> % [condition=\"preferred_label=again\"]",
    "-> % [label=Again]",
    "-> % [label=Later, weight=-1]",
    "-> % [priority=1]",
];

/// The way to the next block.
pub(super) const ON: &[&str] = &[
    "-> %",
    "-> %",
    "-> %",
    "-> % [condition=\"outcome=success\"]",
    "-> % [condition=on_success]",
    "-> % [condition=\"exit_code == 0\"]",
    "-> % [condition=\"approved\"]",
    "-> % [condition=\"outcome=success or outcome=fail\"]",
    "-> % [label=Go]",
];

/// What the graph says.
pub(super) const GRAPHS: &[&str] = &[
    "",
    "",
    "retry_target=n0",
    "default_max_retries=1",
    "on_failure=route",
];

/// One block with its ways out.
pub(super) type Block = (usize, usize, usize, usize);

pub(super) fn dot(graph: usize, blocks: &[Block]) -> String {
    let pick = |table: &[&'static str], at: usize| table[at % table.len()];
    let mut text = format!(
        "digraph main {{ goal=ship; {}\nstart [shape=Mdiamond]; done [shape=Msquare]\nstart -> n0\n",
        pick(GRAPHS, graph)
    );
    for (at, (block, on, way, to)) in blocks.iter().enumerate() {
        let body = pick(BLOCKS, *block).replace('@', &at.to_string());
        let end = format!("n{at}z");
        let end = if body.contains(&end) {
            end
        } else {
            format!("n{at}")
        };
        let next = match at + 1 {
            next if next < blocks.len() => format!("n{next}"),
            _ => "done".to_owned(),
        };
        writeln!(text, "{body}").unwrap();
        writeln!(text, "{end} {}", pick(ON, *on).replace('%', &next)).unwrap();
        let way = pick(WAYS, *way).replace('%', &format!("n{}", to % blocks.len()));
        if !way.is_empty() {
            writeln!(text, "{end} {way}").unwrap();
        }
    }
    text.push('}');
    text.push_str(LIBRARY);
    text
}
