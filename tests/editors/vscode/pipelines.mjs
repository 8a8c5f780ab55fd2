/** The files the test opens. They run real commands that need nothing but a shell. */

/** A release with one slip of the pen: `toool`. */
export const RELEASE = `digraph release {
    goal = "Ship a version we trust"

    start  [shape=Mdiamond]
    test   [type=toool, command="echo running 12 tests; sleep 1; echo 12 passed", timeout=10m]
    review [type=human_gate, prompt="Tests are **green**. Release this version?"]
    fix    [prompt="Make the tests pass. Output so far:\\n{stdout}", max_visits=3]
    notes  [type=human_gate, mode=freeform, prompt="What shall the release notes say?"]
    ship   [type=tool, command="printf '%s\\n' {human.gate.text} > released.txt"]
    done   [shape=Msquare]

    start -> test
    test -> review [condition="outcome=success"]
    test -> fix    [condition="outcome=fail"]
    fix -> test
    review -> notes [label="[A] Approve"]
    review -> fix   [label="[R] Revise"]
    notes -> ship -> done
}
`;

/** A command that does not end by itself, for the cancel button; nobody else sleeps so long. */
export const NAP = 86399;
export const SLOW = `digraph slow {
    goal = "Never end"

    start [shape=Mdiamond]
    nap   [type=tool, command="sleep ${NAP}", timeout=2d]
    done  [shape=Msquare]

    start -> nap -> done
}
`;
