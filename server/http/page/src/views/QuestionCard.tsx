/** An open question: its text, the choices, a field for text, and what helps to decide. */
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { clock, dollars, plural } from '../../shared/format.ts';
import { api, ApiError, messageOf } from '../api.ts';
import { headed } from '../markdown.ts';
import { takesText, type Choice, type Question } from '../question.ts';
import { FileDiff } from './FileDiff.tsx';
import { InlineMarkdown, Markdown } from './Markdown.tsx';

export function QuestionCard({ run, question, cost }: { run: string; question: Question; cost: number }) {
  const [sent, setSent] = useState<string>();
  const [error, setError] = useState<string>();
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [writes, setWrites] = useState<Choice>();
  const [text, setText] = useState('');
  const heading = useId();
  const multi = question.kind === 'multi';
  const card = useRef<HTMLElement>(null);
  // The focus must not get lost with the controls: it stays on the card, and moves on when the card is removed.
  useLayoutEffect(
    () => () => {
      if (card.current?.contains(document.activeElement)) document.getElementById('main')?.focus();
    },
    [],
  );
  const send = (answer: string, note?: string) => {
    card.current?.focus();
    setSent(answer);
    setError(undefined);
    api.answer(run, question.id, answer, note).catch((problem: unknown) => {
      setSent(undefined);
      setError(refusal(problem));
    });
  };
  const choose = (choice: Choice) => {
    if (multi) setPicked(picked.includes(choice.answer) ? picked.filter((one) => one !== choice.answer) : [...picked, choice.answer]);
    else if (choice.needsText) setWrites(choice);
    else send(choice.answer);
  };
  const { heading: first, rest } = headed(question.text);
  const hasField = takesText(question) || writes !== undefined;
  const submit = (event: Event) => {
    event.preventDefault();
    if (text.trim() === '') return;
    if (writes) send(writes.answer, text);
    else send(text);
  };
  return (
    <article ref={card} class="question" tabIndex={-1} aria-labelledby={heading} aria-busy={sent !== undefined}>
      <p class="asks">
        <span class="node">{question.node}</span> asks{question.reviewers.length > 0 && ` ${question.reviewers.join(', ')}`}
        <Facts question={question} cost={cost} />
      </p>
      <h2 id={heading}>
        <InlineMarkdown text={first || 'Waiting for an answer'} />
      </h2>
      {rest && <Markdown text={rest} />}
      {question.choices.length > 0 && (
        <div class="choices" role="group" aria-labelledby={heading}>
          {question.choices.map((choice) => (
            <button
              key={choice.answer}
              class={choice.approves && !multi ? 'primary' : undefined}
              aria-pressed={multi ? picked.includes(choice.answer) : undefined}
              aria-expanded={choice.needsText ? writes === choice : undefined}
              disabled={sent !== undefined}
              title={choice.to === undefined ? undefined : `Continue at ${choice.to}`}
              onClick={() => choose(choice)}
            >
              {choice.label}
              {choice.needsText && '…'}
            </button>
          ))}
          {multi && (
            <button class="primary" disabled={picked.length === 0 || sent !== undefined} onClick={() => send(picked.join(', '))}>
              Answer
            </button>
          )}
        </div>
      )}
      {hasField && (
        <form class="reply" onSubmit={submit}>
          <label>
            <span>{writes ? `${writes.label}: what should be known?` : question.choices.length > 0 ? 'Or in your own words' : 'Answer'}</span>
            <textarea
              rows={Math.min(8, Math.max(2, text.split('\n').length))}
              value={text}
              disabled={sent !== undefined}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
              onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && submit(event)}
            />
          </label>
          <button class={question.choices.length === 0 || writes ? 'primary' : undefined} disabled={text.trim() === '' || sent !== undefined}>
            {writes?.label ?? 'Answer'}
          </button>
        </form>
      )}
      {error && (
        <p class="banner error" role="alert">
          {error}
        </p>
      )}
      <Evidence question={question} />
    </article>
  );
}

function Facts({ question, cost }: { question: Question; cost: number }) {
  const now = new Date();
  const facts = [
    `since ${clock(question.askedAt, now)}`,
    question.deadline === undefined ? '' : `until ${clock(question.deadline, now)}`,
    question.default === undefined ? '' : `then ${question.default}`,
    cost > 0 ? `${dollars(cost)} so far` : '',
  ];
  return <span class="muted"> · {facts.filter((fact) => fact !== '').join(' · ')}</span>;
}

function Evidence({ question }: { question: Question }) {
  const { output, files, moreFiles } = question;
  if (!output && files.length === 0) return null;
  return (
    <div class="evidence">
      {output && (
        <details open={files.length === 0}>
          <summary>Last output</summary>
          <pre class="terminal" tabIndex={0}>
            {output.trimEnd()}
          </pre>
        </details>
      )}
      {files.map((file, index) => (
        <FileDiff key={file.path} file={file} open={index < 3} />
      ))}
      {moreFiles > 0 && <p class="muted">{plural(moreFiles, 'more changed file')}</p>}
    </div>
  );
}

/** Why an answer was not accepted. */
function refusal(error: unknown): string {
  if (!(error instanceof ApiError) || error.status !== 409) return messageOf(error);
  const by = error.body['by'];
  return typeof by === 'string' ? `Answered already, from ${by}.` : messageOf(error);
}
