/** A gate's question as people see and answer it. Pure: Markdown and choices, no editor API. */
import type { EvidenceFile, OpenQuestion, Question } from './protocol.ts';

/** One way to answer: what is sent, and what its button says. */
export interface Choice {
  answer: string;
  label: string;
  to?: string;
}

/** The answers that need no typing; a yes/no question has two even when the wire names none. */
export function choices(question: Question): Choice[] {
  if (question.options.length > 0) {
    return question.options.map(({ key, label, to }) => ({
      answer: key || label,
      label: plainLabel(label),
      ...(to === undefined ? {} : { to }),
    }));
  }
  if (question.kind !== 'confirm') return [];
  return [
    { answer: 'yes', label: 'Yes' },
    { answer: 'no', label: 'No' },
  ];
}

/** Whether words of one's own are an answer. */
export function takesText(question: Question): boolean {
  return question.kind === 'freeform' || question.kind === 'choiceOrText';
}

/** The choices named in `reply`, when it names nothing else: by key or label, in any case; several by comma. */
export function chosen(question: Question, reply: string): Choice[] | undefined {
  const words = reply
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');
  const known = choices(question);
  const found = words.map((word) =>
    known.find((it) => it.answer.toLowerCase() === word || it.label.toLowerCase() === word),
  );
  const named = found.filter((it) => it !== undefined);
  const single = question.kind !== 'multi';
  if (named.length === 0 || named.length !== words.length) return undefined;
  return single && named.length > 1 ? undefined : named;
}

/** `[A] Approve`, `A) Approve`, `A - Approve` → `Approve`: the accelerator is for keyboards. */
export function plainLabel(label: string): string {
  return label.replace(/^\s*(?:\[\w\]|\w\)|\w\s-)\s+/, '').trim() || label;
}

/**
 * The question as the body of a comment: the text, a button per choice, the evidence folded away.
 * `link` gives the command URI that answers with a choice.
 */
export function markdown(open: OpenQuestion, link: (choice: Choice) => string): string {
  const { question } = open;
  const parts = [question.text.trim() || `**${question.node}** waits for you.`];
  const buttons = choices(question).map((choice) => button(choice, link(choice)));
  if (buttons.length > 0) parts.push(buttons.join('&nbsp;&nbsp; '));
  if (takesText(question)) {
    parts.push(buttons.length > 0 ? '_…or answer in words below._' : '_Answer in words below._');
  }
  const notes = [
    question.default === undefined ? undefined : `default **${escape(question.default)}**`,
    question.deadline === undefined ? undefined : `until ${clockTime(question.deadline)}`,
  ].filter((note) => note !== undefined);
  if (notes.length > 0) parts.push(`_${notes.join(' · ')}_`);
  const output = question.evidence?.output?.trim();
  if (output) parts.push('---', fenced(lastLines(output, 12)));
  const files = question.evidence?.files ?? [];
  for (const file of files) {
    parts.push(fileHeading(file));
    if (file.diff) parts.push(fenced(firstLines(file.diff, 20), 'diff'));
  }
  const more = question.evidence?.moreFiles ?? 0;
  if (more > 0) parts.push(`_…and ${more} more changed files_`);
  return parts.join('\n\n');
}

/** Exactly the properties, in the order, that the editor's sanitiser lets through. */
const BUTTON =
  'color:var(--vscode-button-foreground);background-color:var(--vscode-button-background);border-radius:3px;';

/** A link that looks like a button; the colours are the theme's. */
function button(choice: Choice, href: string): string {
  const title = choice.to === undefined ? '' : ` title="goes to ${attribute(choice.to)}"`;
  const text = `&nbsp;&nbsp;${escape(choice.label)}&nbsp;&nbsp;`;
  return `<a href="${attribute(href)}"${title}><span style="${BUTTON}">${text}</span></a>`;
}

function fenced(text: string, language = 'text'): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function lastLines(text: string, wanted: number): string {
  const lines = text.trimEnd().split('\n');
  return lines.length <= wanted ? lines.join('\n') : ['…', ...lines.slice(-wanted)].join('\n');
}

function firstLines(text: string, wanted: number): string {
  const lines = text.trimEnd().split('\n');
  return lines.length <= wanted ? lines.join('\n') : [...lines.slice(0, wanted), '…'].join('\n');
}

/** `src/a.ts` +3 −1 */
function fileHeading(file: EvidenceFile): string {
  const change = { added: 'new', modified: file.added === undefined ? 'changed' : '', deleted: 'deleted' };
  const notes = [
    file.change === undefined ? '' : change[file.change],
    file.added ? `+${file.added}` : '',
    file.removed ? `−${file.removed}` : '',
  ];
  return [`\`${file.path.replace(/`/g, "'")}\``, ...notes.filter((note) => note !== '')].join(' ');
}

function clockTime(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.valueOf())
    ? iso
    : time.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}

/** Text that Markdown and HTML leave as it is. */
export function escape(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!~|]/g, '\\$&').replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

function attribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}
