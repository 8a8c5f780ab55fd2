/** What is shown of a node after its line and in lists. Pure. */
import { count, dollars, elapsed, firstLine } from '../../../server/http/page/shared/format.ts';
import type { NodeState } from './protocol.ts';

/**
 * `2.3 s · 1.2 k tokens · $0.01 · → shell`: with the tool of its agent, how long that has been silent, and the reason of a
 * failure.
 */
export function detailOf(node: NodeState, now: number): string {
  // The end time of a cancelled node is unknown.
  const took = node.state === 'cancelled' ? undefined : elapsed(node.startedAt, node.endedAt, now);
  const parts = [
    took,
    (node.visit ?? 1) > 1 ? `visit ${node.visit}` : undefined,
    (node.attempt ?? 1) > 1 ? `attempt ${node.attempt}` : undefined,
    node.tokens ? `${count(node.tokens)} tokens` : undefined,
    node.cost ? dollars(node.cost) : undefined,
    node.tool === undefined ? undefined : `→ ${node.tool}`,
    node.idleSeconds === undefined ? undefined : `no event for ${Math.round(node.idleSeconds)} s`,
    node.state === 'fail' && node.summary ? firstLine(node.summary, 80) : undefined,
    node.state === 'waiting' ? 'waiting for an answer' : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}
