/** The state of a run or of a node: a color, a glyph and a word. */
import type { Status } from '../api.ts';
import type { RunStateName } from '../run.ts';
import type { NodeStateName } from '../../../../../editors/graph-view/src/graphView.ts';

export type StateName = RunStateName | NodeStateName;

const GLYPHS: Record<StateName, string> = {
  running: '●',
  waiting: '?',
  retrying: '⟲',
  succeeded: '✓',
  failed: '✗',
  cancelled: '■',
  escalated: '▲',
  interrupted: '⏸',
};

/** The word of a person for a status of the server. */
export function stateOf(status: Status): RunStateName {
  if (status === 'success') return 'succeeded';
  return status === 'fail' ? 'failed' : status;
}

export function StateBadge({ state }: { state: StateName }) {
  return (
    <span class={`badge state-${state}`}>
      <span class="glyph" aria-hidden="true">
        {GLYPHS[state]}
      </span>
      {state}
    </span>
  );
}

/** Only the glyph, with the word for screen readers. */
export function StateDot({ state }: { state: StateName }) {
  return (
    <span class={`dot state-${state}`} role="img" aria-label={state}>
      {GLYPHS[state]}
    </span>
  );
}

/** Marks a run whose models are simulated, or that is dry: what it shows has not happened. */
export function Simulated() {
  return (
    <span class="chip simulated" title="No model was asked. In a dry run, no command has run either.">
      simulated
    </span>
  );
}
