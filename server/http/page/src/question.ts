/** Questions of a run and the ways to answer them. Pure. */
import { plainLabel } from '../shared/answerLabel.ts';
import { isObject, number, object, text } from './runEvent.ts';

export type QuestionKind = 'choice' | 'confirm' | 'freeform' | 'multi' | 'choice_or_text';

export interface Choice {
  /** The answer to send. */
  answer: string;
  label: string;
  /** The node it leads to. */
  to?: string;
  approves: boolean;
  /** Text has to go with it. */
  needsText: boolean;
}

export interface EvidenceFile {
  path: string;
  change?: 'added' | 'modified' | 'deleted';
  added?: number;
  removed?: number;
  diff: string;
}

export interface Question {
  id: string;
  node: string;
  kind: QuestionKind;
  text: string;
  choices: readonly Choice[];
  default?: string;
  deadline?: string;
  askedAt: string;
  /** Who should answer; others may, too. */
  reviewers: readonly string[];
  output?: string;
  files: readonly EvidenceFile[];
  /** Changed files beyond those in `files`. */
  moreFiles: number;
}

const KINDS: readonly string[] = ['choice', 'confirm', 'freeform', 'multi', 'choice_or_text'];

/** Whether free text is a valid answer. */
export function takesText(question: Question): boolean {
  return question.kind === 'freeform' || question.kind === 'choice_or_text';
}

/** The question of an event. Fields that are missing or of another type get a value that can be shown. */
export function readQuestion(value: Record<string, unknown>, askedAt: string): Question {
  const kind = text(value, 'kind') ?? '';
  const evidence = object(value, 'evidence') ?? {};
  const [answer, deadline, output] = [text(value, 'default'), text(value, 'deadline'), text(evidence, 'output')];
  return {
    id: text(value, 'id') ?? '',
    node: text(value, 'node') ?? '',
    kind: (KINDS.includes(kind) ? kind : 'freeform') as QuestionKind,
    text: text(value, 'text') ?? '',
    choices: readChoices(value, kind),
    askedAt,
    reviewers: strings(value['reviewers']),
    files: list(evidence['files']).map(readFile),
    moreFiles: number(evidence, 'more_files') ?? 0,
    ...(answer ? { default: answer } : {}),
    ...(deadline ? { deadline } : {}),
    ...(output ? { output } : {}),
  };
}

function readChoices(value: Record<string, unknown>, kind: string): Choice[] {
  const options = list(value['options']).map((option): Choice => {
    const label = text(option, 'label') ?? text(option, 'key') ?? '';
    const to = text(option, 'to');
    return {
      answer: text(option, 'key') ?? label,
      label: plainLabel(label),
      approves: option['approves'] === true,
      needsText: option['freeform'] === true,
      ...(to ? { to } : {}),
    };
  });
  if (options.length > 0 || kind !== 'confirm') return options;
  return [
    { answer: 'yes', label: 'Yes', approves: true, needsText: false },
    { answer: 'no', label: 'No', approves: false, needsText: false },
  ];
}

function readFile(file: Record<string, unknown>): EvidenceFile {
  const change = text(file, 'change');
  const [added, removed] = [number(file, 'added'), number(file, 'removed')];
  return {
    path: text(file, 'path') ?? '',
    diff: text(file, 'diff') ?? '',
    ...(change === 'added' || change === 'modified' || change === 'deleted' ? { change } : {}),
    ...(added === undefined ? {} : { added }),
    ...(removed === undefined ? {} : { removed }),
  };
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
