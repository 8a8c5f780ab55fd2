/** The graph of the run, drawn by the graph view that the VS Code preview uses. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { GraphView, type GraphStates } from '../../shared/graph/graphView.ts';
import { plural } from '../../shared/format.ts';
import { layout } from '../graphviz.ts';
import { labelsOf, statesOf } from '../graphStates.ts';
import { useKeys } from '../hooks.ts';
import { activeNodes, nodeKey, type Run } from '../run.ts';
import type { ShownGraph } from '../runGraph.ts';
import { GraphPath } from './GraphPath.tsx';

interface Props {
  id: string;
  run: Run;
  shown: ShownGraph | undefined;
  /** Why a graph cannot be shown. */
  refusal: string | undefined;
  node: string | undefined;
  following: boolean;
  onFollow: (following: boolean) => void;
  onSelect: (node: string | undefined) => void;
  /** Shows the graph of a sub-pipeline, or that of the run. */
  onGraph: (graph: string | undefined) => void;
}

export function GraphPane({ id, run, shown: current, refusal, node, following, onFollow, onSelect, onGraph }: Props) {
  const stage = useRef<HTMLDivElement>(null);
  const announcement = useRef<HTMLDivElement>(null);
  const view = useRef<GraphView | undefined>(undefined);
  const { graph, name } = current ?? {};
  const [failure, setProblem] = useState<string>();
  const problem = failure ?? refusal;
  const [drawn, setDrawn] = useState(false);
  const open = useRef<(element: string) => void>(() => undefined);
  open.current = (element) => {
    const target = graph?.nodes.find((one) => one.element === element)?.id ?? graph?.edges.find((one) => one.element === element)?.from;
    if (target === undefined) return;
    const key = nodeKey(target, name);
    onSelect(key === node ? undefined : key);
  };
  const shown = useRef<GraphStates>({ nodes: {}, taken: [] });

  useEffect(() => {
    if (!stage.current || !announcement.current) return;
    const current = new GraphView({
      stage: stage.current,
      announcement: announcement.current,
      layout,
      onOpen: (element) => open.current(element),
    });
    view.current = current;
    return () => current.dispose();
  }, []);
  useEffect(() => {
    if (!graph || !view.current) return;
    const [nodes, edges] = [graph.nodes.length, graph.edges.length];
    const title = `Graph ${graph.name}, ${plural(nodes, 'node')}, ${plural(edges, 'edge')}`;
    shown.current = statesOf(graph, run, name);
    view.current.showStates(shown.current);
    setProblem(undefined);
    view.current.draw({ key: JSON.stringify([id, name]), dot: graph.dot, title, labels: labelsOf(graph) }).then(
      () => setDrawn(true),
      (error: unknown) => setProblem(`Graphviz cannot draw this graph: ${error instanceof Error ? error.message : String(error)}`),
    );
  }, [graph, id, name]);
  useEffect(() => {
    if (!graph) return;
    shown.current = statesOf(graph, run, name);
    view.current?.showStates(shown.current);
  }, [graph, name, run.nodes, run.taken, drawn]);
  useEffect(() => {
    view.current?.select(graph?.nodes.find((one) => nodeKey(one.id, name) === node)?.element);
  }, [graph, name, node, drawn]);
  useEffect(() => {
    if (view.current) view.current.following = following;
  }, [following]);
  // The view itself follows active nodes; of a run without any, the node that was entered last is shown.
  const last = activeNodes(run).length > 0 || node !== undefined ? undefined : run.latest;
  useEffect(() => {
    if (drawn && following) view.current?.revealNode(graph?.nodes.find(({ id }) => nodeKey(id, name) === last)?.element ?? '');
  }, [graph, name, drawn, following, last]);
  const zoom = { '+': () => view.current?.zoomBy(1.25), '-': () => view.current?.zoomBy(0.8), '0': () => view.current?.fit() };
  useKeys({ ...zoom, '=': zoom['+'] });
  return (
    <>
      {current && <GraphPath run={run} shown={current} node={node} onGraph={onGraph} />}
      <div ref={stage} class="graph-stage" role="group" aria-label="Graph" aria-describedby="graph-keys" />
      <div id="graph-keys" hidden>
        Arrow keys move between nodes, Enter selects one.
      </div>
      <div ref={announcement} class="sr-only" role="status" aria-live="polite" />
      {!drawn && !problem && <p class="pane-note">Drawing…</p>}
      {problem && (
        <p class="pane-note" role="alert">
          {problem}
        </p>
      )}
      <div class="toolbar" role="toolbar" aria-label="Graph">
        <button onClick={zoom['-']} aria-label="Zoom out" title="Zoom out (-)">
          −
        </button>
        <button onClick={zoom['0']} title="Zoom to fit (0)">
          Fit
        </button>
        <button onClick={zoom['+']} aria-label="Zoom in" title="Zoom in (+)">
          +
        </button>
        <button aria-pressed={following} onClick={() => onFollow(!following)} title="Follow what happens now (f)">
          Follow
        </button>
      </div>
    </>
  );
}
