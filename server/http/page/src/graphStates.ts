/** What the graph shows of a run: states by element, and names for screen readers. Pure. */
import type { GraphStates } from '../shared/graph/graphView.ts';
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
  const unreal = graph.nodes.filter(({ id }) => isUnreal(run, nodeKey(id, name)));
  return { nodes, unreal: unreal.map(({ element }) => element), taken: taken.map(({ element }) => element) };
}

/** Whether a node was not executed: in a dry run none is. */
function isUnreal(run: Run, key: string): boolean {
  const node = run.nodes.get(key);
  return node !== undefined && (run.reality === 'dry' || node.simulated === true);
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
