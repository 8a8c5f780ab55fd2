/** The timeline: a row per node, with bars for attempts, waits and tool calls. */
import { memo } from '../memo.tsx';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { duration } from '../../shared/format.ts';
import { useNow } from '../hooks.ts';
import { activeNodes, isLive, type Run } from '../run.ts';
import { timeline, type Bar, type Break, type Row } from '../timeline.ts';
import { StateDot } from './StateBadge.tsx';

interface Props {
  run: Run;
  node: string | undefined;
  following: boolean;
  onSelect: (node: string | undefined) => void;
}

export function TimelinePane({ run, node, following, onSelect }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const now = useNow(isLive(run.state));
  const { rows, breaks, shown } = useMemo(() => timeline(run, now, duration), [run.nodes, run.endedAt, run.startedAt, run.state, now]);
  const tabStop = rows.find((row) => row.node === node) ?? rows[0];
  const latest = activeNodes(run).at(-1)?.key ?? rows.at(-1)?.node;
  useLayoutEffect(() => {
    const row = list.current?.children[rows.findIndex((one) => one.node === latest)];
    if (following && row instanceof HTMLElement) reveal(row);
  }, [latest, following]);
  return (
    <section class="timeline" aria-label="Timeline">
      <div class="pane-head">
        <h2>Timeline</h2>
        <span class="muted">{shown > 0 && `${duration(shown)}${breaks.length > 0 ? ', waits shortened' : ''}`}</span>
      </div>
      {rows.length === 0 && <p class="pane-note">Nothing has started yet.</p>}
      <ol ref={list} class="timeline-rows" onKeyDown={moveFocus}>
        {rows.map((row) => (
          <TimelineRow key={row.node} row={row} selected={row.node === node} isTabStop={row === tabStop} onSelect={onSelect} />
        ))}
      </ol>
      {run.startedAt !== undefined && rows.length > 0 && (
        <div class="axis" aria-hidden="true">
          <span>{clockTime(run.startedAt)}</span>
          {labelled(breaks).map(({ at, length }) => (
            <span key={at} class="left-out" style={{ left: percent(at) }}>
              {duration(length)}
            </span>
          ))}
          <span>{clockTime(run.endedAt ?? now)}</span>
        </div>
      )}
      <div class="breaks" aria-hidden="true">
        {breaks.map(({ at, length }) => (
          <span key={at} class="break" style={{ left: percent(at) }} title={`${duration(length)} not shown`} />
        ))}
      </div>
    </section>
  );
}

interface RowProps {
  row: Row;
  selected: boolean;
  /** One row is a tab stop; arrow keys move between rows. */
  isTabStop: boolean;
  onSelect: (node: string | undefined) => void;
}

const TimelineRow = memo(
  function TimelineRow({ row, selected, isTabStop, onSelect }: RowProps) {
    const attempts = row.bars.filter(({ kind }) => kind === 'attempt');
    return (
      <li class={selected ? 'selected' : undefined}>
        <button
          class="row-name"
          tabIndex={isTabStop ? 0 : -1}
          aria-pressed={selected}
          aria-label={`${row.node}: ${attempts.map(({ title }) => title).join('; ')}`}
          title={row.node}
          onClick={() => onSelect(selected ? undefined : row.node)}
        >
          <StateDot state={row.state} />
          <span>{row.node}</span>
        </button>
        <div class="bars" aria-hidden="true" onClick={() => onSelect(selected ? undefined : row.node)}>
          {row.bars.map((bar, index) => (
            <span
              key={index}
              class={`bar ${bar.kind} state-${bar.state}`}
              style={{ left: percent(bar.left), width: percent(bar.width) }}
              title={bar.title}
            />
          ))}
        </div>
      </li>
    );
  },
  (before, after) =>
    before.selected === after.selected &&
    before.isTabStop === after.isTabStop &&
    before.onSelect === after.onSelect && sameRow(before.row, after.row),
);

/** The longest breaks, as far as their labels have space next to each other. */
function labelled(breaks: readonly Break[]): Break[] {
  const shown: Break[] = [];
  for (const one of breaks.toSorted((a, b) => b.length - a.length)) {
    const isFree = one.at > 0.15 && one.at < 0.85 && shown.every(({ at }) => Math.abs(at - one.at) > 0.15);
    if (isFree) shown.push(one);
  }
  return shown;
}

function clockTime(time: number): string {
  return new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });
}

/** Arrow keys, Home and End move between the rows. */
function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const names = [...event.currentTarget.querySelectorAll<HTMLElement>('.row-name')];
  const at = names.findIndex((name) => name === document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: names.length - 1 }[event.key];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  names[Math.min(names.length - 1, Math.max(0, to))]?.focus();
}

/** Scrolls the list, and nothing around it, to a row. */
function reveal(row: HTMLElement): void {
  const list = row.parentElement;
  if (!list) return;
  const [above, below] = [row.offsetTop - list.scrollTop, row.offsetTop + row.offsetHeight - list.scrollTop - list.clientHeight];
  if (above < 0) list.scrollTop += above;
  else if (below > 0) list.scrollTop += below;
}

function sameRow(a: Row, b: Row): boolean {
  return a.state === b.state && a.bars.length === b.bars.length && a.bars.every((bar, index) => sameBar(bar, b.bars[index]));
}

function sameBar(a: Bar, b: Bar | undefined): boolean {
  return b !== undefined && a.left === b.left && a.width === b.width && a.state === b.state && a.title === b.title;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(3)}%`;
}
