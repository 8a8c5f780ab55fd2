/**
 * The graph of a pipeline in a browser: draws, shows node states, handles mouse and keyboard. Knows neither where the
 * graph comes from nor what opening a node means.
 */
import { ACTIVE_NODE_STATES, type NodeStateName } from '../states.ts';
import { isArrow, nextBox } from './arrows.ts';
import { exported } from './export.ts';
import { themed } from './svg.ts';
import { View } from './view.ts';

/** State of a node in a run. Nodes that were not reached have none. */

/** A graph to draw. */
export interface DrawnGraph {
  /** Identifies the graph: another one gets an initial view, the same one keeps its position. */
  key: string;
  /** Valid Graphviz DOT, with an `id` for each node and edge. */
  dot: string;
  /** The accessible name of the whole graph. */
  title: string;
  /** Accessible names by element id. */
  labels: Record<string, string>;
  /** Kinds of nodes by element id: each is a class `kind-…`, for its color. */
  kinds?: Record<string, string>;
}

/** The states of a run, by the `id` of SVG elements. */
export interface GraphStates {
  nodes: Record<string, NodeStateName>;
  /** Nodes that were simulated or only walked through: their marks are dashed. */
  unreal?: readonly string[];
  /** The edges the run has taken. */
  taken: readonly string[];
}

export interface GraphViewOptions {
  /** The element that gets the graph; it fills it. */
  stage: HTMLElement;
  /** A live region for screen readers. */
  announcement?: HTMLElement;
  /** Lays out DOT: the result is the SVG of Graphviz. */
  layout(dot: string): string | Promise<string>;
  /** A node or an edge was clicked, or Enter was pressed at a node. */
  onOpen(element: string): void;
}


export class GraphView {
  /** Whether the view moves to the node that is active, and to the selected one. */
  #following = true;
  readonly #options: GraphViewOptions;
  readonly #view: View;
  #drawnDot = '';
  #source = '';
  #labels: DrawnGraph['labels'] = {};
  #states: GraphStates = { nodes: {}, taken: [] };
  #selected: string | undefined;
  /** What is searched for, in lower case; empty without a search. */
  #query = '';
  /** Counts drawings: of several layouts under way, the last one is shown. */
  #drawing = 0;

  constructor(options: GraphViewOptions) {
    this.#options = options;
    this.#view = new View(options.stage);
    this.#addListeners();
  }

  /** Draws a graph. Rejects if it cannot be laid out; the last graph is kept. */
  async draw(graph: DrawnGraph): Promise<void> {
    const { stage } = this.#options;
    const drawing = (this.#drawing += 1);
    if (graph.dot !== this.#drawnDot) {
      const source = await this.#options.layout(graph.dot);
      if (drawing !== this.#drawing) return;
      this.#source = source;
      this.#drawnDot = graph.dot;
      const focused = document.activeElement?.closest('g.node')?.id;
      stage.innerHTML = themed(source);
      this.#labels = graph.labels;
      this.#view.onDrawn(graph.key, () => this.#initialFocus());
      this.#prepareNodes(focused);
      this.#find(this.#query);
    }
    this.#labels = graph.labels;
    this.#showKinds(graph.kinds ?? {});
    stage.setAttribute('aria-label', graph.title);
    this.showStates(this.#states);
  }

  showStates(now: GraphStates): void {
    const before = this.#states;
    this.#states = now;
    const taken = new Set(now.taken);
    const unreal = new Set(now.unreal);
    for (const group of this.#options.stage.querySelectorAll<SVGGElement>('g.node, g.edge')) {
      const state = now.nodes[group.id];
      for (const name of [...group.classList]) {
        if (name.startsWith('state-') && name !== `state-${state}`) group.classList.remove(name);
      }
      if (state) group.classList.add(`state-${state}`);
      group.classList.toggle('unreal', unreal.has(group.id));
      group.classList.toggle('taken', taken.has(group.id));
      group.classList.toggle('selected', group.id === this.#selected);
      if (group.classList.contains('node')) group.setAttribute('aria-label', this.#described(group.id));
    }
    const changed = Object.keys(now.nodes).filter((id) => now.nodes[id] !== before.nodes[id]);
    const { announcement } = this.#options;
    if (announcement && changed.length > 0) announcement.textContent = changed.map((id) => this.#described(id)).join('; ');
    const live = this.#liveNode();
    if (this.#following && live && changed.includes(live.id)) this.#view.reveal(live);
  }

  /** Marks an element, and moves it into view when following. */
  select(element: string | undefined): void {
    const { stage } = this.#options;
    this.#selected = element;
    for (const other of stage.querySelectorAll('.selected')) other.classList.remove('selected');
    const node = this.#nodeOf(element);
    node?.classList.add('selected');
    if (node && !stage.contains(document.activeElement)) this.#makeTabStop(node);
    if (this.#following && node) this.#view.reveal(node);
  }

  get following(): boolean {
    return this.#following;
  }

  set following(following: boolean) {
    this.#following = following;
    if (following) this.select(this.#selected);
  }

  /** Marks the nodes whose name or kind contains a text, and returns their ids in the order of the graph. */
  find(query: string): string[] {
    this.#query = query.trim().toLowerCase();
    return this.#find(this.#query);
  }

  /** Moves the view to a node, and marks it as the match that is looked at. */
  revealNode(element: string): void {
    const node = this.#nodeOf(element);
    for (const other of this.#nodes()) other.classList.toggle('current-match', other === node);
    if (node) this.#view.reveal(node);
  }

  fit(): void {
    this.#view.fit();
  }

  zoomBy(factor: number): void {
    this.#view.zoomBy(factor);
  }

  /** The graph as SVG text or as PNG in Base64; `undefined` if nothing is drawn. */
  async exported(format: 'svg' | 'png'): Promise<string | undefined> {
    return this.#source === '' ? undefined : exported(this.#source, format);
  }

  /** Stops listening to the window. */
  dispose(): void {
    this.#drawing += 1;
    this.#view.dispose();
  }

  #find(query: string): string[] {
    // Of `n1, tool, followed by n2` the name and the kind.
    const searched = (id: string) => (this.#labels[id] ?? id).split(', followed by ', 1)[0]?.toLowerCase() ?? '';
    const found = this.#nodes().filter(({ id }) => query !== '' && searched(id).includes(query));
    for (const node of this.#nodes()) {
      node.classList.toggle('match', found.includes(node));
      if (!found.includes(node)) node.classList.remove('current-match');
    }
    this.#options.stage.classList.toggle('searching', found.length > 0);
    return found.map(({ id }) => id);
  }

  #showKinds(kinds: Record<string, string>): void {
    for (const node of this.#nodes()) {
      for (const name of [...node.classList]) if (name.startsWith('kind-')) node.classList.remove(name);
      const kind = kinds[node.id];
      if (kind !== undefined) node.classList.add(`kind-${kind.replace(/[^\w-]/g, '_')}`);
    }
  }

  /** The center of the initial view of a large graph: the active node, else the selected one, else the first. */
  #initialFocus(): Element | undefined {
    return this.#liveNode() ?? this.#nodeOf(this.#selected) ?? this.#nodes()[0];
  }

  #nodes(): SVGGElement[] {
    return [...this.#options.stage.querySelectorAll<SVGGElement>('g.node')];
  }

  #nodeOf(id: string | undefined): SVGGElement | undefined {
    return id === undefined ? undefined : this.#nodes().find((node) => node.id === id);
  }

  #liveNode(): SVGGElement | undefined {
    return this.#nodes().find(({ id }) => ACTIVE_NODE_STATES.has(this.#states.nodes[id] ?? ''));
  }

  #described(id: string): string {
    const unreal = this.#states.unreal?.includes(id) ? 'not real' : undefined;
    return [this.#labels[id] ?? id, this.#states.nodes[id], unreal].filter(Boolean).join(', ');
  }

  /** A single tab stop; arrow keys move between nodes. */
  #prepareNodes(focused: string | undefined): void {
    for (const [index, node] of this.#nodes().entries()) {
      node.setAttribute('role', 'button');
      node.setAttribute('tabindex', index === 0 ? '0' : '-1');
    }
    for (const edge of this.#options.stage.querySelectorAll('g.edge')) edge.setAttribute('aria-hidden', 'true');
    if (focused !== undefined) this.#focus(this.#nodeOf(focused));
  }

  #focus(node: SVGGElement | undefined): void {
    if (!node) return;
    this.#makeTabStop(node);
    node.focus({ preventScroll: true });
    this.#view.reveal(node);
  }

  #makeTabStop(node: SVGGElement): void {
    for (const other of this.#options.stage.querySelectorAll('g.node[tabindex="0"]')) other.setAttribute('tabindex', '-1');
    node.setAttribute('tabindex', '0');
  }

  #addListeners(): void {
    const { stage, onOpen } = this.#options;
    stage.addEventListener('click', ({ target }) => {
      const group = target instanceof Element ? target.closest('g.node, g.edge') : null;
      if (group && !this.#view.dragged) onOpen(group.id);
    });
    stage.addEventListener('focusin', ({ target }) => {
      const node = target instanceof Element ? target.closest('g.node') : null;
      if (node?.matches(':focus-visible')) this.#view.reveal(node);
    });
    stage.addEventListener('keydown', (event) => {
      const all = this.#nodes();
      const at = all.findIndex((node) => node === document.activeElement);
      const node = all[at];
      if (!node) return;
      if (event.key === 'Enter' || event.key === ' ') onOpen(node.id);
      else if (event.key === 'Home') this.#focus(all[0]);
      else if (event.key === 'End') this.#focus(all.at(-1));
      else if (isArrow(event.key)) {
        const boxes = all.map((one) => this.#view.boxOf(one));
        this.#focus(all[nextBox(boxes, at, event.key) ?? at]);
      } else return;
      event.preventDefault();
    });
  }
}
