/** The ways of a dry run as items to pick from, and as arguments of `attractor.run`. Pure. */
import { firstLine } from '../../../server/http/page/shared/format.ts';
import { plainText } from './plainText.ts';
import type { RunStateName, Way } from './protocol.ts';

/** What decides a dry run. */
export type DryRunArguments = Pick<Way, 'inputs' | 'outcomes' | 'answers'>;

/** The dry run that takes `way`, with the inputs that were entered. */
export function argumentsOf({ inputs, outcomes, answers }: Way, entered: object): DryRunArguments {
  return { inputs: { ...entered, ...inputs }, outcomes, answers };
}

/** What decides a way, how it ends, and the nodes it enters. */
export function itemOf(way: Way): { label: string; description: string; detail: string; way: Way } {
  return {
    label: way.decidedBy,
    description: endOf(way),
    detail: firstLine(way.path.join(' → '), 300),
    way,
  };
}

const ENDS: Partial<Record<RunStateName, string>> = { success: 'reaches its end', fail: 'fails', escalated: 'escalates' };

function endOf({ state, reason }: Way): string {
  const end = ENDS[state] ?? state;
  return reason === undefined ? end : `${end}: ${firstLine(plainText(reason), 80)}`;
}
