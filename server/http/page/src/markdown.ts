/** The safe part of Markdown that questions are written in: what is not one of these is text. Pure. */

export type Block =
  | { kind: 'paragraph'; text: readonly Span[] }
  | { kind: 'heading'; text: readonly Span[] }
  | { kind: 'list'; ordered: boolean; items: readonly (readonly Span[])[] }
  | { kind: 'code'; text: string };

/** The address of a link is `http:` or `https:`. */
export type Span = { kind: 'text' | 'strong' | 'emphasis' | 'code'; text: string } | { kind: 'link'; text: string; address: string };

const FENCE = /^\s*(`{3,}|~{3,})/;
const HEADING = /^#{1,6}\s+(.*?)\s*#*$/;
const ITEM = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/;

/** The blocks of a text. A line break inside of a paragraph stays one. */
export function blocks(markdown: string): Block[] {
  const lines = markdown.trim().split(/\r?\n/);
  const found: Block[] = [];
  let paragraph: string[] = [];
  const endParagraph = () => {
    if (paragraph.length > 0) found.push({ kind: 'paragraph', text: spans(paragraph.join('\n')) });
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, fence] = FENCE.exec(line) ?? [];
    const [, heading] = HEADING.exec(line) ?? [];
    const item = ITEM.exec(line);
    if (fence !== undefined) {
      endParagraph();
      const end = lines.findIndex((one, index) => index > at && one.trim().startsWith(fence));
      const last = end < 0 ? lines.length : end;
      found.push({ kind: 'code', text: lines.slice(at + 1, last).join('\n') });
      at = last;
    } else if (heading !== undefined) {
      endParagraph();
      found.push({ kind: 'heading', text: spans(heading) });
    } else if (item) {
      endParagraph();
      addItem(found, item[1] !== undefined, item[2] ?? '', lines[at - 1] ?? '');
    } else if (line.trim() === '') {
      endParagraph();
    } else {
      paragraph.push(line.trim());
    }
  }
  endParagraph();
  return found;
}

/** Adds an item to the list it continues, else begins one. */
function addItem(found: Block[], ordered: boolean, text: string, before: string): void {
  const last = found.at(-1);
  const item = spans(text);
  if (last?.kind === 'list' && last.ordered === ordered && ITEM.test(before)) {
    found[found.length - 1] = { ...last, items: [...last.items, item] };
  } else {
    found.push({ kind: 'list', ordered, items: [item] });
  }
}

/** Code, strong, emphasis, and links to the web. */
const SPAN = /(`+)(.+?)\1|\*\*(\S(?:[^]*?\S)?)\*\*|(?<!\w)([*_])(\S(?:[^]*?\S)?)\4(?!\w)|\[([^\]\n]+)\]\((https?:\/\/[^\s()]+)\)/g;

/** The spans of a line or a paragraph. */
export function spans(text: string): Span[] {
  const found: Span[] = [];
  let at = 0;
  for (const match of text.matchAll(SPAN)) {
    const [whole, , code, strong, , emphasis, label, address] = match;
    if (match.index > at) found.push({ kind: 'text', text: text.slice(at, match.index) });
    at = match.index + whole.length;
    if (code !== undefined) found.push({ kind: 'code', text: code.trim() });
    else if (strong !== undefined) found.push({ kind: 'strong', text: strong });
    else if (emphasis !== undefined) found.push({ kind: 'emphasis', text: emphasis });
    else if (label !== undefined && address !== undefined) found.push({ kind: 'link', text: label, address });
  }
  if (at < text.length) found.push({ kind: 'text', text: text.slice(at) });
  return found;
}

/** The first line of a text, as a heading, and the rest. */
export function headed(markdown: string): { heading: string; rest: string } {
  const [, first = '', rest = ''] = /^(.*)\n*([^]*)$/.exec(markdown.trim()) ?? [];
  return { heading: HEADING.exec(first)?.[1] ?? first, rest };
}
