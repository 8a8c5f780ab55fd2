/** What the graph shows of a run: states by element, and names for screen readers. Pure. */
import type { GraphStates } from '../../../../editors/graph-view/src/graphView.ts';
import type { RunGraph } from './api.ts';
import { edgeKey, nodeKey, type Run } from './run.ts';

/** `name` is that of the sub-pipeline, if it is one. */
export function statesOf(graph: RunGraph, run: Run, name?: string): GraphStates {
  const nodes: GraphStates['nodes'] = {};
  for (const { id, element } of graph.nodes) {
    const state = run.nodes.get(nodeKey(id, name))?.state;
    if (state) nodes[element] = state;
  }
  const taken = graph.edges.filter(({ from, to }) => run.taken.has(edgeKey(from, to, name)));
  return { nodes, taken: taken.map(({ element }) => element) };
}

/** `review, human gate, followed by ship, build`, by element. */
export function labelsOf(graph: RunGraph): Record<string, string> {
  const targets = new Map<string, string[]>();
  for (const { from, to } of graph.edges) targets.set(from, [...(targets.get(from) ?? []), to]);
  const labels = graph.nodes.map(({ id, element, kind }) => {
    const to = targets.get(id) ?? [];
    const followers = to.length === 0 ? '' : `followed by ${to.join(', ')}`;
    return [element, [id, kind.replaceAll('_', ' '), followers].filter((part) => part !== '').join(', ')];
  });
  return Object.fromEntries(labels) as Record<string, string>;
}
