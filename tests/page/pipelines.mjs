/** The pipelines of the scenarios. */

/** Branches, of which one waits for the file `continue`; a retry; a gate for text, and one with choices. */
export const RELEASE = `digraph release {
  label="Release"
  goal="Release version {version} of the service"
  inputs="version, continue"
  start [shape=Mdiamond]
  build [type=tool, command="echo compiling 14 crates; echo built > build.txt"]
  checks [type=parallel, join=all]
  lint [type=tool, command="echo no warnings"]
  unit [type=tool, command="echo test 1 ... ok; echo test 2 ... ok; until test -e {continue}; do sleep 0.1; done; echo test 3 ... ok"]
  flaky [type=tool, command="test -f once || { touch once; echo connection refused >&2; exit 1; }", max_retries=2]
  collect [type=fan_in]
  notes [type=human_gate, prompt="What shall the release notes say?"]
  review [type=human_gate, prompt="Release version {version}?\\nAll checks have passed."]
  publish [type=tool, command="echo published"]
  done [shape=Msquare]
  start -> build -> checks
  checks -> lint; checks -> unit; checks -> flaky
  lint -> collect; unit -> collect; flaky -> collect
  collect -> notes
  notes -> review [freeform=true]
  review -> publish [label="[A] Approve"]
  review -> build [label="[R] Revise"]
  publish -> done
}
`;

/** Fails, until the file \`fixed\` is there. */
export const FAILING = `digraph deploy {
  start [shape=Mdiamond]
  deploy [type=tool, command="test -f \\"$FIXED\\" || { echo no route to host >&2; exit 2; }"]
  done [shape=Msquare]
  start -> deploy -> done
}
`;

/** Repeats until its limit of steps is reached. */
export const LOOP = `digraph loop {
  max_steps=5
  start [shape=Mdiamond]
  build [type=tool, command="true"]
  check [type=tool, command="false"]
  done [shape=Msquare]
  start -> build -> check
  check -> done [condition="outcome=success"]
  check -> build [condition="outcome=fail"]
}
`;

/** Asks in Markdown; a link of a script is text. */
export const MARKDOWN = `digraph asks {
  start [shape=Mdiamond]
  ask [type=human_gate, prompt="## Ship *version* 1.2?\\n\\nAll **checks** have passed:\\n\\n- unit tests\\n- \`cargo deny\`\\n\\nSee [the notes](https://example.org/notes), not [this](javascript:hacked=1)."]
  done [shape=Msquare]
  start -> ask
  ask -> done [label="[Y] Yes"]
  ask -> start [label="[N] No"]
}
`;

/** Waits at a gate. */
export const GATE = `digraph approval {
  start [shape=Mdiamond]
  ask [type=human_gate, prompt="Continue?"]
  done [shape=Msquare]
  start -> ask
  ask -> done [label="[Y] Yes"]
  ask -> start [label="[N] No"]
}
`;

/** Calls a pipeline, and waits at a gate. */
export const CALLING = `digraph ship {
  start [shape=Mdiamond]
  checks [shape=folder, sub_pipeline=checks]
  ask [type=human_gate, prompt="Ship it?"]
  done [shape=Msquare]
  start -> checks -> ask
  ask -> done [label="[Y] Yes"]
}
digraph checks {
  begin [shape=Mdiamond]
  lint [type=tool, command="echo no warnings"]
  unit [type=tool, command="echo 3 tests passed"]
  end [shape=Msquare]
  begin -> lint -> unit -> end
}
`;

/** Writes a file, and waits at a gate. */
export const NOTES = `digraph notes {
  start [shape=Mdiamond]
  write [type=tool, command="echo one > notes.txt"]
  ask [type=human_gate, prompt="Publish the notes?"]
  done [shape=Msquare]
  start -> write -> ask
  ask -> done [label="[Y] Yes"]
  ask -> write [label="[N] No"]
}
`;

/** Its texts try to be markup, links and scripts. */
export const HOSTILE = `digraph hostile {
  label="</title><script>hacked=1</script>"
  goal="<img src=x onerror=hacked=1>"
  URL="javascript:hacked=1"
  start [shape=Mdiamond, label="<svg onload=hacked=1>", URL="javascript:hacked=1", href="javascript:hacked=1"]
  say [type=tool, label=<<b>bold</b>>, image="https://example.org/x.png", command="echo '<img src=x onerror=hacked=1>'"]
  ask [type=human_gate, prompt="<img src=x onerror=hacked=1><a href='javascript:hacked=1'>here</a>"]
  done [shape=Msquare]
  start -> say -> ask
  ask -> done [label="<script>hacked=1</script>", edgeURL="javascript:hacked=1"]
}
`;

/** An agent that reads, runs a command and edits. */
export const AGENT = `digraph fix {
  start [shape=Mdiamond]
  fix [shape=box, prompt="Make the test pass.", model="sonnet"]
  done [shape=Msquare]
  start -> fix -> done
}
`;

/** A chain of `count` commands, of which number `waits` waits for the file `continue`. */
export function commands(count, waits) {
  const names = Array.from({ length: count }, (_, index) => `n${index}`);
  const command = (index) => (index === waits ? 'until test -e {continue}; do sleep 0.1; done' : 'true');
  const nodes = names.map((name, index) => `  ${name} [type=tool, command="${command(index)}"]`).join('\n');
  return `digraph commands {\n  inputs="continue"\n  start [shape=Mdiamond]\n${nodes}\n  done [shape=Msquare]\n  start -> ${names.join(' -> ')} -> done\n}\n`;
}

/** A chain of \`count\` nodes. */
export function chain(count) {
  const names = Array.from({ length: count }, (_, index) => `n${index}`);
  const nodes = names.map((name) => `  ${name} [type=prompt, prompt="Next."]`).join('\n');
  return `digraph chain {\n  start [shape=Mdiamond]\n${nodes}\n  done [shape=Msquare]\n  start -> ${names.join(' -> ')} -> done\n}\n`;
}
