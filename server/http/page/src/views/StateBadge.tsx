/** The state of a run or of a node: a color, a glyph and a word. */
import { realityMark, type Reality } from '../../shared/reality.ts';
import { stateLabel, type StateName } from '../../shared/states.ts';

export const GLYPHS: Record<StateName, string> = {
  running: '●',
  waiting: '?',
  pending: '⟲',
  paused: '⏸',
  success: '✓',
  partial_success: '◐',
  fail: '✗',
  invalid: '✗',
  skipped: '⤼',
  cancelled: '■',
  escalated: '▲',
  interrupted: '⏸',
};

export function StateBadge({ state }: { state: StateName }) {
  return (
    <span class={`badge state-${state}`}>
      <span class="glyph" aria-hidden="true">
        {GLYPHS[state]}
      </span>
      {stateLabel(state)}
    </span>
  );
}

/** Only the glyph, with the word for screen readers. */
export function StateDot({ state }: { state: StateName }) {
  return (
    <span class={`dot state-${state}`} role="img" aria-label={stateLabel(state)}>
      {GLYPHS[state]}
    </span>
  );
}

const TITLES: Partial<Record<Reality, string>> = {
  mixed: 'Some models were not called.',
  simulated: 'No model was called; commands are real.',
  dry: 'Nothing was executed.',
};

/** Marks a run that is not real: what it shows has not happened. */
export function RealityMark({ reality }: { reality: Reality }) {
  const mark = realityMark(reality);
  return mark === undefined ? null : (
    <span class="chip simulated" title={TITLES[reality]}>
      {mark}
    </span>
  );
}
