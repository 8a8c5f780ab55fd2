/** What the preview's page and the extension say to each other. Types only. */
import type { NodeStateName } from '../protocol.ts';

/** What a panel shows; the page keeps it so that a reload finds it again. */
export interface Shows {
  uri: string;
  graph?: string;
}

export interface Picture {
  kind: 'picture';
  shows: Shows;
  /** Clean Graphviz DOT, written by the server from its tree. */
  dot: string;
  title: string;
  /** For screen readers: each node by its element, in the order of the text. */
  labels: Record<string, string>;
  /** Set when the text cannot be drawn as it is now: the page keeps the last good picture. */
  stale?: string;
}

/** Nodes and edges go by the `id` of their group in the picture. */
export interface States {
  kind: 'states';
  nodes: Record<string, NodeStateName>;
  /** Edges the run has taken. */
  taken: string[];
}

export interface Cursor {
  kind: 'cursor';
  node: string | undefined;
}

export interface ExportRequest {
  kind: 'export';
  format: 'svg' | 'png';
}

export type ToPage = Picture | States | Cursor | ExportRequest;

export type FromPage =
  | { kind: 'ready' }
  | { kind: 'reveal'; element: string }
  | { kind: 'save'; format: 'svg' | 'png' }
  /** `data` is the SVG text, or the PNG in base 64. */
  | { kind: 'exported'; format: 'svg' | 'png'; data: string }
  | { kind: 'problem'; message: string };
