/** Places in a text. Pure. */

/** The index of a line and a column, both from 1; columns count characters, the index UTF-16 units. */
export function placeIn(text: string, line: number, column: number): number {
  const lines = text.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const characters = [...(lines[line - 1] ?? '')].slice(0, column - 1);
  return Math.min(text.length, before + characters.join('').length);
}
