/** The graph next to the text. A file of its own, loaded with Graphviz when the preview is opened first. */
import type { LSPClient } from '@codemirror/lsp-client';
import { layout } from '../../../http/page/src/graphviz.ts';
import { GraphView } from '../../../http/page/shared/graph/graphView.ts';
import { element } from './element.ts';
import { URI } from './uri.ts';

interface Position {
  line: number;
  character: number;
}

interface Graph {
  dot: string;
  nodes: { id: string; element: string; kind: string; range: { start: Position } }[];
  edges: { from: string; to: string; element: string; range: { start: Position } }[];
}

export interface PreviewOptions {
  client: LSPClient;
  /** Shows a place of the text. */
  onOpen(position: Position): void;
}

export class Preview {
  readonly #client: LSPClient;
  readonly #view: GraphView;
  readonly #stage = element('stage');
  #graph: Graph | undefined;
  #requests = 0;

  constructor({ client, onOpen }: PreviewOptions) {
    this.#client = client;
    this.#view = new GraphView({
      stage: this.#stage,
      announcement: element('announcement'),
      layout,
      onOpen: (id) => {
        const found = [...(this.#graph?.nodes ?? []), ...(this.#graph?.edges ?? [])].find((one) => one.element === id);
        if (found) onOpen(found.range.start);
      },
    });
    element('zoom-in').addEventListener('click', () => this.#view.zoomBy(1.25));
    element('zoom-out').addEventListener('click', () => this.#view.zoomBy(0.8));
    element('fit').addEventListener('click', () => this.#view.fit());
  }

  /** Draws the text that the server has; keeps the last graph while the text has none. */
  async draw(): Promise<void> {
    const request = (this.#requests += 1);
    try {
      this.#client.sync();
      const params = { command: 'attractor.graph', arguments: [{ uri: URI }] };
      const graph = await this.#client.request<unknown, Graph>('workspace/executeCommand', params);
      if (request !== this.#requests) return;
      this.#graph = graph;
      await this.#view.draw({ key: URI, dot: graph.dot, ...described(graph) });
      notice(undefined);
    } catch (error) {
      if (request === this.#requests) notice(`The preview shows the last graph that could be drawn. ${messageOf(error)}`);
    }
  }
}

function described({ nodes, edges }: Graph): { title: string; labels: Record<string, string>; kinds: Record<string, string> } {
  const targets = Map.groupBy(edges, ({ from }) => from);
  const labels = nodes.map(({ id, element: svg, kind }): [string, string] => {
    const to = targets.get(id)?.map((edge) => edge.to) ?? [];
    return [svg, [id, kind.replaceAll('_', ' '), to.length > 0 && `followed by ${to.join(', ')}`].filter(Boolean).join(', ')];
  });
  return {
    title: `Graph with ${nodes.length} nodes and ${edges.length} edges`,
    labels: Object.fromEntries(labels),
    kinds: Object.fromEntries(nodes.map(({ element: svg, kind }) => [svg, kind])),
  };
}

function notice(text: string | undefined): void {
  const place = element('graph-notice');
  place.hidden = text === undefined;
  place.textContent = text ?? '';
}

function messageOf(error: unknown): string {
  return error !== null && typeof error === 'object' && 'message' in error ? String(error.message) : String(error);
}
