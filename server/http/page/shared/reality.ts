/** How real a run is: the words of the protocol, and what marks a run that is not real. */

export type Reality = 'real' | 'mixed' | 'simulated' | 'dry';

const MARKS: Partial<Record<Reality, string>> = {
  mixed: 'partly simulated',
  simulated: 'simulated',
  dry: 'dry run',
};

/** What a run is marked with; nothing where everything is real. */
export function realityMark(reality: Reality | undefined): string | undefined {
  return reality === undefined ? undefined : MARKS[reality];
}

/** Joins what happened before and after a run was continued. */
export function joined(before: Reality, now: Reality): Reality {
  return before === now ? before : 'mixed';
}

/** Reads the word of an event or an answer. */
export function readReality(value: unknown): Reality | undefined {
  const known: readonly string[] = ['real', 'mixed', 'simulated', 'dry'];
  return typeof value === 'string' && known.includes(value) ? (value as Reality) : undefined;
}
