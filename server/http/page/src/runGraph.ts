/** The graphs of a run: that of its pipeline, and those of the pipelines it calls, by name. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, messageOf, type RunGraph } from './api.ts';

export interface ShownGraph {
  /** The sub-pipeline; `undefined` for the pipeline of the run. */
  name: string | undefined;
  graph: RunGraph;
  /** The graphs on the way to it, the outermost first. */
  path: readonly (string | undefined)[];
}

/** Reads a graph once the run has `started`: it is stored by then. The graph before is shown until it is read. */
export function useRunGraph(id: string, name: string | undefined, started: boolean): { shown: ShownGraph | undefined; problem: string | undefined } {
  const [shown, setShown] = useState<ShownGraph>();
  const [problem, setProblem] = useState<string>();
  const known = useRef(new Map<string | undefined, RunGraph>());
  useEffect(() => {
    if (!started) return;
    let current = true;
    const show = (graph: RunGraph) => {
      known.current.set(name, graph);
      if (!current) return;
      setProblem(undefined);
      setShown({ name, graph, path: pathTo(name, known.current) });
    };
    const before = known.current.get(name);
    if (before) show(before);
    else api.graph(id, name).then(show, (error: unknown) => current && setProblem(messageOf(error)));
    return () => {
      current = false;
    };
  }, [id, name, started]);
  return { shown, problem };
}

/** The way to a graph through the graphs that call it, as far as they are known. */
export function pathTo(name: string | undefined, known: ReadonlyMap<string | undefined, Pick<RunGraph, 'nodes'>>): (string | undefined)[] {
  const path: (string | undefined)[] = [name];
  for (;;) {
    const first = path[0];
    if (first === undefined) return path;
    const callers = [...known].filter(([, { nodes }]) => nodes.some((node) => node.sub_pipeline === first));
    const caller = callers.map(([called]) => called).find((called) => !path.includes(called));
    path.unshift(callers.length === 0 || caller === undefined ? undefined : caller);
  }
}
