/** Where the graph is that is shown: the pipelines around it, and those that its nodes call. */
import { nodeKey, type Run } from '../run.ts';
import type { ShownGraph } from '../runGraph.ts';

interface Props {
  run: Run;
  shown: ShownGraph;
  /** The node that is selected. */
  node: string | undefined;
  onGraph: (graph: string | undefined) => void;
}

export function GraphPath({ run, shown, node, onGraph }: Props) {
  const called = new Set(shown.graph.nodes.flatMap(({ sub_pipeline: name }) => name ?? []));
  const selected = shown.graph.nodes.find(({ id }) => nodeKey(id, shown.name) === node)?.sub_pipeline;
  const offered = selected === undefined ? [...called] : [selected];
  if (shown.path.length === 1 && called.size === 0) return null;
  return (
    <nav class="graph-path" aria-label="Pipelines">
      <ol>
        {shown.path.map((name) => (
          <li key={name}>
            {name === shown.name ? (
              <span aria-current="true">{name ?? run.pipeline}</span>
            ) : (
              <button class="link" onClick={() => onGraph(name)}>
                {name ?? run.pipeline}
              </button>
            )}
          </li>
        ))}
      </ol>
      {offered.slice(0, MOST).map((name) => (
        <button key={name} class="small" title={`Show the graph of ${name}`} onClick={() => onGraph(name)}>
          Open {name}
        </button>
      ))}
    </nav>
  );
}

/** The most pipelines that are offered at once; a node that is selected offers its own. */
const MOST = 3;
