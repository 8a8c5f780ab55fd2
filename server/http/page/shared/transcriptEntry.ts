/**
 * An event as people read it. The server words it and sends it with the event (`docs/reference/events.md`); it is `null` for
 * an event that is not shown. Pure.
 */

/** What an entry or a line means. A newer server may have others. */
export type EntryRole =
  | 'plain'
  | 'start'
  | 'success'
  | 'failure'
  | 'attention'
  | 'dialogue'
  | 'output'
  | 'thinking'
  | 'added'
  | 'removed'
  | 'choices'
  | 'more';

export type EntryKind = 'line' | 'transition' | 'output' | 'tool_call' | 'tool_result' | 'model_call' | 'question';

export interface EntryLine {
  role: EntryRole;
  text: string;
}

export interface TranscriptEntry {
  kind: EntryKind;
  /** Before the text; before each line of an output. */
  glyph: string;
  role: EntryRole;
  /** `GRAPH/NODE` in a sub-pipeline. */
  node?: string;
  /** The tool of a call. */
  tool?: string;
  /** A line, without the node. Absent for an output: that is the `text` of its event. */
  text?: string;
  lines?: EntryLine[];
}

/** The text of an entry after its node: what happened to it. The work within a node is shown without. */
export function withNode({ kind, node, text = '' }: TranscriptEntry): string {
  const named = kind === 'line' || kind === 'question' ? node : undefined;
  return [named, text].filter((part) => part !== undefined && part !== '').join(': ');
}
