/**
 * The timeline of a run: a row per node with bars for attempts, waits and tool calls. Pure.
 *
 * The scale follows the time in which something is done. Times in which nothing is done (a gate that waits overnight, a
 * process that was gone) are shortened, so that they do not hide the rest.
 */
import type { NodeStateName } from '../shared/states.ts';
import type { Run } from './run.ts';

export interface Bar {
  kind: 'attempt' | 'wait' | 'call';
  /** Shares of the width, from 0 to 1. */
  left: number;
  width: number;
  state: NodeStateName;
  title: string;
}

export interface Row {
  node: string;
  state: NodeStateName;
  bars: readonly Bar[];
}

export interface Break {
  /** Share of the width. */
  at: number;
  /** Milliseconds that are left out. */
  length: number;
}

export interface Timeline {
  rows: readonly Row[];
  /** Where time is shortened. */
  breaks: readonly Break[];
  /** Milliseconds that are shown. */
  shown: number;
}

interface Segment {
  from: number;
  to: number;
  /** Its length in the picture, in milliseconds of work. */
  length: number;
}

/** A time in which nothing is done takes at most this share of the time in which something is. */
const LONGEST_IDLE = 0.12;
const SHORTEST_IDLE_MS = 1000;
/** Shares of the width; shorter bars could not be seen. */
const SMALLEST_BAR = 0.004;

/** The timeline of a run at the time `now`. `titleOf` describes a bar by its length in milliseconds. */
export function timeline(run: Run, now: number, duration: (milliseconds: number) => string): Timeline {
  const segments = scale(run, now);
  const shown = segments.reduce((sum, { length }) => sum + length, 0);
  const place = (time: number) => placed(segments, time) / Math.max(1, shown);
  const bar = (kind: Bar['kind'], from: number, to: number | undefined, state: NodeStateName, what: string): Bar => {
    const end = Math.max(from, to ?? now);
    const left = Math.min(place(from), 1 - SMALLEST_BAR);
    const width = Math.min(1 - left, Math.max(SMALLEST_BAR, place(end) - left));
    return { kind, left, width, state, title: `${what}, ${duration(end - from)}` };
  };
  const rows = [...run.nodes.values()].map((node): Row => {
    const bars = node.attempts.flatMap((one) => [
      bar('attempt', one.from, one.to, one.state, attemptTitle(one)),
      ...one.waits.map((wait) => bar('wait', wait.from, wait.to, 'waiting', 'waiting for an answer')),
      ...one.calls.map((call) => bar('call', call.from, call.to, call.failed ? 'fail' : one.state, call.name)),
    ]);
    return { node: node.key, state: node.state, bars };
  });
  const shortened = segments.filter(({ from, to, length }) => length < to - from);
  const breaks = shortened.map(({ from, to, length }) => ({ at: place((from + to) / 2), length: to - from - length }));
  return { rows, breaks, shown };
}

function attemptTitle({ visit, attempt, state }: { visit: number; attempt: number; state: string }): string {
  const numbers = [visit > 1 ? `visit ${visit}` : '', attempt > 1 ? `attempt ${attempt}` : ''];
  return [...numbers.filter((part) => part !== ''), state].join(', ');
}

/** Segments from the first event to the last, with the time in which nothing is done shortened. */
function scale(run: Run, now: number): Segment[] {
  const start = run.startedAt;
  if (start === undefined) return [];
  const end = Math.max(start, run.endedAt ?? latest(run) ?? now, isActive(run) ? now : 0);
  const work = merged(workOf(run, now));
  const total = work.reduce((sum, [from, to]) => sum + to - from, 0);
  const longest = Math.max(SHORTEST_IDLE_MS, total * LONGEST_IDLE);
  const segments: Segment[] = [];
  let at = start;
  for (const [from, to] of [...work, [end, end] as const]) {
    if (from > at) segments.push({ from: at, to: from, length: Math.min(from - at, longest) });
    if (to > from) segments.push({ from, to, length: to - from });
    at = Math.max(at, to);
  }
  return segments;
}

function isActive(run: Run): boolean {
  return run.state === 'running' || run.state === 'waiting';
}

function latest(run: Run): number | undefined {
  const ends = [...run.nodes.values()].flatMap((node) => node.attempts.map((one) => one.to ?? one.from));
  return ends.length === 0 ? undefined : ends.reduce((a, b) => Math.max(a, b));
}

/** When something was done: attempts without the times they waited for an answer. */
function workOf(run: Run, now: number): [number, number][] {
  const spans: [number, number][] = [];
  for (const node of run.nodes.values()) {
    // A wait node does nothing while it waits.
    if (node.kind === 'wait') continue;
    for (const attempt of node.attempts) {
      let at = attempt.from;
      for (const wait of attempt.waits) {
        spans.push([at, wait.from]);
        at = wait.to ?? now;
      }
      spans.push([at, Math.max(at, attempt.to ?? now)]);
    }
  }
  return spans;
}

function merged(spans: [number, number][]): [number, number][] {
  const sorted = spans.filter(([from, to]) => to > from).sort(([a], [b]) => a - b);
  const result: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = result.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}

/** The place of a time in the picture, in milliseconds from its beginning. */
function placed(segments: readonly Segment[], time: number): number {
  let before = 0;
  for (const { from, to, length } of segments) {
    if (time <= from) return before;
    if (time < to) return before + ((time - from) / (to - from)) * length;
    before += length;
  }
  return before;
}
