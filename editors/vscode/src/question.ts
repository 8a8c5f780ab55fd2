/** The question of a gate as Markdown, and its choices. No editor API. */
import type { EvidenceFile, OpenQuestion, Question } from './protocol.ts';
import { plainLabel } from '../../../server/http/page/shared/answerLabel.ts';

/** A choice: the answer to send and the label of its button. */
export interface Choice {
  answer: string;
  label: string;
  to?: string;
  /** Text has to go with it. */
  needsText?: boolean;
}

/** The choices of a question; a yes/no question without options has two. */
export function choices(question: Question): Choice[] {
  if (question.options.length > 0) {
    return question.options.map(({ key, label, to, freeform }) => ({
      answer: key || label,
      label: plainLabel(label),
      ...(to === undefined ? {} : { to }),
      ...(freeform ? { needsText: true } : {}),
    }));
  }
  if (question.kind !== 'confirm') return [];
  return [
    { answer: 'yes', label: 'Yes' },
    { answer: 'no', label: 'No' },
  ];
}

/** Whether free text is a valid answer. */
export function takesText(question: Question): boolean {
  return question.kind === 'freeform' || question.kind === 'choiceOrText';
}

/** The choices in `reply` if it consists of nothing else: keys or labels, case-insensitive, separated by commas. */
export function chosen(question: Question, reply: string): Choice[] | undefined {
  const words = reply
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');
  const options = choices(question);
  const found = words.map((word) =>
    options.find((it) => it.answer.toLowerCase() === word || it.label.toLowerCase() === word),
  );
  const selected = found.filter((it) => it !== undefined);
  const single = question.kind !== 'multi';
  if (selected.length === 0 || selected.length !== words.length) return undefined;
  return single && selected.length > 1 ? undefined : selected;
}

/**
 * The question as the body of a comment: the text, a button per choice, the evidence.
 * `link` returns the command URI that sends a choice.
 */
export function markdown(open: OpenQuestion, link: (choice: Choice) => string): string {
  const { question } = open;
  const parts = [question.text.trim() || `**${question.node}** is waiting for your answer.`];
  const buttons = choices(question).map((choice) => button(choice, link(choice)));
  if (buttons.length > 0) parts.push(buttons.join('&nbsp;&nbsp; '));
  if (takesText(question)) {
    parts.push(buttons.length > 0 ? '_Or type an answer below._' : '_Type an answer below._');
  }
  const note = expiryNote(question);
  if (note !== undefined) parts.push(`_${note}_`);
  const output = question.evidence?.output?.trim();
  if (output) {
    const node = question.evidence?.node;
    parts.push('---', node === undefined ? 'Output:' : `Output of ${code(node)}:`, fenced(lastLines(output, 12)));
  }
  const files = question.evidence?.files ?? [];
  for (const file of files) {
    parts.push(fileHeading(file));
    if (file.diff) parts.push(fenced(firstLines(file.diff, 20), 'diff'));
  }
  const more = question.evidence?.moreFiles ?? 0;
  if (more > 0) parts.push(`_…and ${more} more changed files_`);
  return parts.join('\n\n');
}

/** What happens without an answer, and when: `Without an answer until 13:55:10: **Reject**`. */
function expiryNote(question: Question): string | undefined {
  const label = defaultLabel(question);
  const taken = label === undefined ? undefined : `**${escape(label)}**`;
  if (question.deadline === undefined) return taken && `Default: ${taken}`;
  return `Without an answer until ${clockTime(question.deadline)}: ${taken ?? 'the gate fails'}`;
}

/** The label of the choice that is taken without an answer. */
export function defaultLabel(question: Question): string | undefined {
  const { default: key } = question;
  if (key === undefined) return undefined;
  return choices(question).find((choice) => choice.answer === key)?.label ?? plainLabel(key);
}

/** `Reject in 0:42`, for the title of a thread; `undefined` without a deadline. */
export function countdown(question: Question, now: number): string | undefined {
  const end = Date.parse(question.deadline ?? '');
  if (Number.isNaN(end)) return undefined;
  const seconds = Math.max(0, Math.ceil((end - now) / 1000));
  const two = (n: number) => String(n).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const left = hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  return `${defaultLabel(question) ?? 'fails'} in ${left}`;
}

/** What is said when a question ended without an answer in time. */
export function expired(question: Question): string {
  const label = defaultLabel(question);
  const next = label === undefined ? 'The gate failed.' : `The run continues with “${label}”.`;
  return `Gate ${question.node}: no answer in time. ${next}`;
}

/** The sanitizer of VS Code accepts only these properties in this order. */
const BUTTON =
  'color:var(--vscode-button-foreground);background-color:var(--vscode-button-background);border-radius:3px;';

/** A link styled as a button in the colors of the theme. */
function button(choice: Choice, href: string): string {
  const title = choice.to === undefined ? '' : ` title="Continue at ${attribute(choice.to)}"`;
  const text = `&nbsp;&nbsp;${escape(choice.label)}&nbsp;&nbsp;`;
  return `<a href="${attribute(href)}"${title}><span style="${BUTTON}">${text}</span></a>`;
}

function fenced(text: string, language = 'text'): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** `src/a.ts` +3 −1 */
function fileHeading(file: EvidenceFile): string {
  const change = { added: 'new', modified: file.added === undefined ? 'changed' : '', deleted: 'deleted' };
  const notes = [
    file.change === undefined ? '' : change[file.change],
    file.added ? `+${file.added}` : '',
    file.removed ? `−${file.removed}` : '',
  ];
  return [code(file.path), ...notes.filter((note) => note !== '')].join(' ');
}

/** A code span; a path may contain backticks. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}

function firstLines(text: string, wanted: number): string {
  const lines = text.trimEnd().split('\n');
  return lines.length <= wanted ? lines.join('\n') : [...lines.slice(0, wanted), `… ${lines.length - wanted} more lines`].join('\n');
}

function lastLines(text: string, wanted: number): string {
  const lines = text.trimEnd().split('\n');
  return lines.length <= wanted ? lines.join('\n') : ['…', ...lines.slice(-wanted)].join('\n');
}

function clockTime(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.valueOf())
    ? iso
    : time.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });
}

/** Escapes Markdown and HTML. */
export function escape(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!~|]/g, '\\$&').replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

function attribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}
