/** An entry of the transcript. */
import { memo } from '../memo.tsx';
import { useState } from 'preact/hooks';
import type { Entry, LineEntry, OutputEntry, ToolEntry } from '../transcript.ts';
import { InlineMarkdown, Markdown } from './Markdown.tsx';

export const TranscriptEntry = memo(function TranscriptEntry({ entry, showsNode }: { entry: Entry; showsNode: boolean }) {
  switch (entry.kind) {
    case 'line':
      return <Line entry={entry} />;
    case 'output':
      return <Output entry={entry} showsNode={showsNode} />;
    case 'tool':
      return <Tool entry={entry} />;
  }
});

/** The tone of an event by its glyph. */
const TONES: Record<string, string> = { '✓': 'good', '✗': 'bad', '?': 'asks', '●': 'starts', '⟲': 'asks', '▲': 'asks', '■': 'bad' };

function Line({ entry }: { entry: LineEntry }) {
  // A question is written in Markdown: `ask: ## Ship it?`
  const asks = entry.glyph === '?';
  return (
    <div class={`entry line ${TONES[entry.glyph] ?? ''}`}>
      <Time time={entry.time} />
      <span class="glyph" aria-hidden="true">
        {entry.glyph}
      </span>
      <span class="text">{asks ? <InlineMarkdown text={entry.text.replace(/: #{1,6} /, ': ')} /> : entry.text}</span>
      {entry.body && (asks ? <div class="body"><Markdown text={entry.body} /></div> : <pre class="body">{entry.body}</pre>)}
    </div>
  );
}

/** What a stream is, where its look does not say so. */
const SOURCES: Record<string, string> = { stderr: 'error output', thinking: 'thinking' };

/** Longer texts are cut to their end, until a person asks for the rest. */
const MOST_LINES = 60;

function Output({ entry, showsNode }: { entry: OutputEntry; showsNode: boolean }) {
  const [whole, setWhole] = useState(false);
  const lines = entry.text.trimEnd().split('\n');
  const hidden = whole ? 0 : Math.max(0, lines.length - MOST_LINES);
  return (
    <div class={`entry output ${entry.stream}`}>
      {(showsNode || entry.stream in SOURCES) && entry.node && (
        <span class="from">{[showsNode ? entry.node : '', SOURCES[entry.stream] ?? ''].filter((part) => part !== '').join(', ')}</span>
      )}
      {hidden > 0 && (
        <button class="link" onClick={() => setWhole(true)}>
          Show {hidden} earlier lines
        </button>
      )}
      <pre>{lines.slice(hidden).join('\n')}</pre>
    </div>
  );
}

function Tool({ entry }: { entry: ToolEntry }) {
  const state = entry.output === undefined ? 'running' : entry.failed ? 'failed' : 'done';
  return (
    <details class={`entry tool ${state}`}>
      <summary>
        <Time time={entry.time} />
        <span class="glyph" aria-hidden="true">
          {{ running: '→', failed: '✗', done: '←' }[state]}
        </span>
        <span class="tool-name">{entry.name}</span>
        <span class="text">{entry.summary}</span>
        {state !== 'done' && <span class="tool-state">{state}</span>}
      </summary>
      {entry.arguments !== '' && <pre class="body">{entry.arguments}</pre>}
      {entry.output !== undefined && <pre class="body result">{entry.output || '(no output)'}</pre>}
    </details>
  );
}

function Time({ time }: { time: string }) {
  const at = new Date(time);
  if (Number.isNaN(at.valueOf())) return <span class="time" />;
  const text = at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });
  return (
    <time class="time" dateTime={time} title={at.toLocaleString()}>
      {text}
    </time>
  );
}
