/** The graph of the run, drawn by the graph view that the VS Code preview uses. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { GraphView, type GraphStates } from '../../../../../editors/graph-view/src/graphView.ts';
import { plural } from '../../../../../editors/vscode/src/format.ts';
import { api, messageOf, type RunGraph } from '../api.ts';
import { layout } from '../graphviz.ts';
import { labelsOf, statesOf } from '../graphStates.ts';
import { useKeys } from '../hooks.ts';
import type { Run } from '../run.ts';

interface Props {
  id: string;
  run: Run;
  node: string | undefined;
  following: boolean;
  onFollow: (following: boolean) => void;
  onSelect: (node: string | undefined) => void;
}

export function GraphPane({ id, run, node, following, onFollow, onSelect }: Props) {
  const stage = useRef<HTMLDivElement>(null);
  const announcement = useRef<HTMLDivElement>(null);
  const view = useRef<GraphView | undefined>(undefined);
  const [graph, setGraph] = useState<RunGraph>();
  const [problem, setProblem] = useState<string>();
  const [drawn, setDrawn] = useState(false);
  const open = useRef<(element: string) => void>(() => undefined);
  open.current = (element) => {
    const target = graph?.nodes.find((one) => one.element === element)?.id ?? graph?.edges.find((one) => one.element === element)?.from;
    if (target !== undefined) onSelect(target === node ? undefined : target);
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
  // The graph is stored by the time the run has an event.
  const started = run.last > 0;
  useEffect(() => {
    if (!started) return;
    api.graph(id).then(setGraph, (error: unknown) => setProblem(messageOf(error)));
  }, [id, started]);
  useEffect(() => {
    if (!graph || !view.current) return;
    const [nodes, edges] = [graph.nodes.length, graph.edges.length];
    const title = `Graph ${graph.name}, ${plural(nodes, 'node')}, ${plural(edges, 'edge')}`;
    view.current.showStates(shown.current);
    view.current.draw({ key: id, dot: graph.dot, title, labels: labelsOf(graph) }).then(
      () => setDrawn(true),
      (error: unknown) => setProblem(`Graphviz cannot draw this graph: ${error instanceof Error ? error.message : String(error)}`),
    );
  }, [graph, id]);
  useEffect(() => {
    if (!graph) return;
    shown.current = statesOf(graph, run);
    view.current?.showStates(shown.current);
  }, [graph, run.nodes, run.taken, drawn]);
  useEffect(() => {
    view.current?.select(graph?.nodes.find((one) => one.id === node)?.element);
  }, [graph, node, drawn]);
  useEffect(() => {
    if (view.current) view.current.following = following;
  }, [following]);
  const zoom = { '+': () => view.current?.zoomBy(1.25), '-': () => view.current?.zoomBy(0.8), '0': () => view.current?.fit() };
  useKeys({ ...zoom, '=': zoom['+'] });
  return (
    <>
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
