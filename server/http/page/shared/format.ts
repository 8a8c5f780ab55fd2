/** Formatting of durations, counts and times for the status bar, the tree view and decorations. Pure. */

/** `850 ms`, `2.3 s`, `1:05`, `1:02:03`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (n: number) => String(n).padStart(2, '0');
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}

/** `940`, `1.2 k`, `3.4 M`. */
export function count(n: number): string {
  if (n < 1000) return String(n);
  if (n < 1_000_000) return `${(n / 1000).toFixed(1)} k`;
  return `${(n / 1_000_000).toFixed(1)} M`;
}

/** `$0.01`; amounts below a cent keep one significant digit. */
export function dollars(amount: number): string {
  return `$${amount < 0.01 ? amount.toPrecision(1) : amount.toFixed(2)}`;
}

/** The cost of a run, if it has any: `$0.12`. */
export function costOf(usage: { cost: number } | undefined): string | undefined {
  return usage && usage.cost > 0 ? dollars(usage.cost) : undefined;
}

/** Time from `from` to `to`, or to `now`; `undefined` if it has not started. */
export function elapsed(
  from: string | undefined,
  to: string | undefined,
  now: number,
): string | undefined {
  const start = from === undefined ? NaN : Date.parse(from);
  const end = to === undefined ? now : Date.parse(to);
  return Number.isNaN(start) || Number.isNaN(end) ? undefined : duration(end - start);
}

/** `14:05` if today, else `22 Nov, 14:05`, in the format of the locale. */
export function clock(iso: string, now: Date, locale?: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.valueOf())) return iso;
  const time = at.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' });
  if (at.toDateString() === now.toDateString()) return time;
  return `${at.toLocaleDateString(locale, { day: 'numeric', month: 'short' })}, ${time}`;
}

/** `2 nodes`, `1 node`. */
export function plural(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** The first line of a text, truncated to `width` characters with an ellipsis. */
export function firstLine(text: string, width: number): string {
  const line = text.trimStart().split('\n', 1)[0]?.trimEnd() ?? '';
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}
