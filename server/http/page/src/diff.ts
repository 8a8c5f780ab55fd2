/** Unified diffs as lines with a class each. Pure. */

export interface DiffLine {
  kind: 'add' | 'remove' | 'hunk' | 'file' | 'same';
  text: string;
}

export function diffLines(diff: string): DiffLine[] {
  if (diff === '') return [];
  // The names of the files precede the first hunk; in a hunk, `---` is a removed line.
  let inHunk = false;
  return diff.replace(/\n$/, '').split('\n').map((text) => {
    if (text.startsWith('@@')) inHunk = true;
    else if (text.startsWith('diff ')) inHunk = false;
    return { kind: kindOf(text, inHunk), text };
  });
}

function kindOf(line: string, inHunk: boolean): DiffLine['kind'] {
  if (line.startsWith('@@')) return 'hunk';
  if (!inHunk) return 'file';
  if (line.startsWith('+')) return 'add';
  return line.startsWith('-') ? 'remove' : 'same';
}
