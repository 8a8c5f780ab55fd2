/** The pipelines of the tests. They run real commands and need only a shell. */

/** A release with one typo: `toool`. */
export const RELEASE = `digraph release {
    goal = "Ship a version we trust"

    start  [shape=Mdiamond]
    test   [type=toool, command="echo running 12 tests; sleep 1; echo 12 passed > report.txt; cat report.txt"]
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

/** Seconds of a command that is to be cancelled; unique, to find its process. */
export const NAP = 86399;
export const SLOW = `digraph slow {
    goal = "Never end"

    start [shape=Mdiamond]
    nap   [type=tool, command="sleep ${NAP}", timeout=2d]
    done  [shape=Msquare]

    start -> nap -> done
}
`;

/** Fails as soon as the file `go` exists. */
export const FAILING = `digraph failing {
    goal = "Fail in the background"

    start [shape=Mdiamond]
    wait  [type=tool, command="until [ -e go ]; do sleep 0.1; done", timeout=2m]
    a     [type=tool, command="echo broken; exit 3"]
    done  [shape=Msquare]

    start -> wait -> a -> done
}
`;

/** A plain graph. */
export const PLAIN = 'digraph plain { apple -> pear }\n';

/** A chain of `length` commands. */
export function chain(name, length, more = '') {
  const ids = ['start', ...Array.from({ length }, (_, number) => `n${number}`), 'done'];
  const nodes = ids.slice(1, -1).map((id) => `    ${id} [type=tool, command="true", timeout=1m]`);
  return `digraph ${name} {
    goal = "Be long"
    ${more}
    start [shape=Mdiamond]
${nodes.join('\n')}
    done [shape=Msquare]

    ${ids.join(' -> ')}
}
`;
}

/** One gate. */
export const SMALL = `digraph small {
    goal = "Ask once"

    start  [shape=Mdiamond]
    review [type=human_gate, prompt="Go?"]
    mark   [type=tool, command="touch approved", timeout=1m]
    done   [shape=Msquare]

    start -> review
    review -> mark [label="[A] Approve"]
    review -> done [label="[R] Reject"]
    mark -> done
}
`;

/** A release that has scenarios. */
export const TESTED = `digraph release {
    goal = "Ship a version we trust"

    start  [shape=Mdiamond]
    test   [type=tool, command="make test", max_visits=3]
    fix    [prompt="Make the tests pass. Output so far:\\n{stdout}"]
    review [type=human_gate, prompt="Release this version?"]
    done   [shape=Msquare]

    start -> test
    test -> review [condition="outcome=success"]
    test -> fix    [condition="outcome=fail"]
    fix -> test
    review -> done [label="[A] Approve"]
    review -> fix  [label="[R] Revise"]
}
`;

/** One of these passes. */
export const SCENARIOS = `[[scenario]]
name = "every step succeeds"
expect.path = ["start", "test", "review", "done"]

[[scenario]]
name = "the tests fail once"
outcomes = { test = ["fail", "success"] }
expect.path = ["start", "test", "review", "done"]
`;

/** A supervisor whose sub-pipeline hands over to a person. */
export const SUPERVISED = `digraph main {
    goal = "Watch a sub-pipeline"

    start [shape=Mdiamond]
    watch [shape=house, sub_pipeline=child, max_iterations=1]
    hand  [type=escalate, pace_level=contingency, reason="Somebody has to look"]

    start -> watch -> hand
}

digraph child {
    hello [start=true, type=tool, command="echo hello from the child", timeout=1m]
    end   [shape=Msquare]

    hello -> end
}
`;

/** Two commands that note that they ran; with a step of a model, so that files are recorded. */
export const NOTED = `digraph noted {
    goal = "Note each step"

    start  [shape=Mdiamond]
    look   [prompt="Look at what was noted"]
    first  [type=tool, command="echo first >> ran.txt", timeout=1m]
    second [type=tool, command="echo second >> ran.txt", timeout=1m]
    done   [shape=Msquare]

    start -> first -> second -> look -> done
}
`;

/** Asks for inputs. */
export const ASKING = `digraph ask {
    goal = "Use what was entered"
    vars = "version, level=3, deploy=false"

    start [shape=Mdiamond]
    write [type=tool, command="echo {version} {level} {deploy} > out.txt", timeout=1m]
    done  [shape=Msquare]

    start -> write -> done
}
`;

/** Meets its limit of visits. */
export const LIMITED = `digraph limited {
    goal = "Go round"

    start [shape=Mdiamond]
    again [type=tool, command="true", timeout=1m, max_visits=2]
    done  [shape=Msquare]

    start -> again
    again -> again [condition="outcome=success"]
    again -> done  [condition="outcome=fail"]
}
`;

/** A gate that ends by itself. */
export const EXPIRING = `digraph expiring {
    goal = "Wait a little"

    start [shape=Mdiamond]
    test  [type=tool, command="echo all green", timeout=1m]
    ask   [type=human_gate, prompt="Proceed?", timeout=15s, human.default_choice="stop"]
    go    [type=tool, command="touch gone", timeout=1m]
    stop  [shape=Msquare, label="Stop"]

    start -> test -> ask
    ask -> go   [label="[G] Go"]
    ask -> stop [label="[S] Stop"]
    go -> stop
}
`;

/** A node whose statement has several lines. */
export const LONG = `digraph long {
    goal = "Be looked at"

    start [shape=Mdiamond]
    write [prompt="Write it"]
    test  [type=tool, command="true", timeout=1m]
    gate  [
        type=human_gate,
        prompt="Is it right, after one last look?"
    ]
    done  [shape=Msquare]

    start -> write -> test -> gate
    gate -> done  [label="[Y] Yes"]
    gate -> write [label="[N] No"]
}
`;

/** Two typos: `timout` and `sucess`. */
export const TYPOS = `digraph typos {
    goal = "Ship version 2"

    start [shape=Mdiamond]
    plan  [label="Plan: $goal", prompt="Plan it"]
    test  [type=tool, command="true", timout=1m]
    done  [shape=Msquare]

    start -> plan -> test
    test -> done [condition="outcome=sucess"]
    test -> plan [condition="outcome=fail"]
}
`;

/** What its command prints decides where it continues; without an edge for anything else. */
export const PRINTED = `digraph printed {
    goal = "Follow what is printed"

    start [shape=Mdiamond]
    test  [type=tool, command="make test", timeout=1m]
    fix   [type=tool, command="make fix", timeout=1m]
    stuck [type=tool, command="true", timeout=1m]
    done  [shape=Msquare]

    start -> test
    test -> done  [condition="context.tool.last_line=pass"]
    test -> fix   [condition="context.tool.last_line=broken"]
    test -> stuck [condition="outcome=fail"]
    fix -> done
    stuck -> done [condition="context.color=blue && context.color=red"]
}
`;

/** Two commands that leave a line each. */
export const STEPS = `digraph steps {
    start [shape=Mdiamond]
    done  [shape=Msquare]
    first [type=tool, command="echo first >> effects", timeout=1m]
    second [type=tool, command="echo second >> effects", timeout=1m]

    start -> first -> second -> done
}
`;
