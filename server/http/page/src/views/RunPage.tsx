/** One run: its head, open questions, graph, timeline and transcript. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { RunFollower, type Following } from '../follow.ts';
import { useKeys, useNarrow, useTitle } from '../hooks.ts';
import { fragmentOf } from '../route.ts';
import { NEW_RUN, graphOf, isLive, type Run } from '../run.ts';
import { useRunGraph } from '../runGraph.ts';
import { Changes } from './Changes.tsx';
import { ConnectionNotice } from './ConnectionNotice.tsx';
import { GraphPane } from './GraphPane.tsx';
import { NodePanel } from './NodePanel.tsx';
import { QuestionCard } from './QuestionCard.tsx';
import { RunHead } from './RunHead.tsx';
import { Tabs, type Tab } from './Tabs.tsx';
import { TimelinePane } from './TimelinePane.tsx';
import { TranscriptPane } from './TranscriptPane.tsx';
import { GLYPHS } from './StateBadge.tsx';
import { stateLabel } from '../../shared/states.ts';

const LOADING: Following = { run: NEW_RUN, connection: { kind: 'loading' } };

const TABS: readonly Tab[] = [
  { name: 'graph', label: 'Graph' },
  { name: 'timeline', label: 'Timeline' },
  { name: 'transcript', label: 'Transcript' },
];

interface Props {
  id: string;
  /** The node that is selected. */
  node: string | undefined;
  /** The sub-pipeline whose graph is shown. */
  graph: string | undefined;
}

export function RunPage({ id, node, graph }: Props) {
  const [{ run, connection }, setFollowing] = useState(LOADING);
  const [following, setFollow] = useState(true);
  const [changesOf, setChangesOf] = useState<{ node?: string }>();
  const [tab, setTab] = useState('graph');
  const follower = useRef<RunFollower | undefined>(undefined);
  const narrow = useNarrow();
  useEffect(() => {
    const current = new RunFollower(id, setFollowing);
    follower.current = current;
    return () => current.stop();
  }, [id]);
  useTitle(titleOf(run));
  const { shown, problem } = useRunGraph(id, graph, run.last > 0);
  const [select, openGraph] = useMemo(() => {
    const show = (to: { node?: string | undefined; graph?: string | undefined }) => {
      const route = { view: 'run' as const, id, ...(to.node === undefined ? {} : { node: to.node }), ...(to.graph === undefined ? {} : { graph: to.graph }) };
      history.replaceState(undefined, '', fragmentOf(route));
      dispatchEvent(new HashChangeEvent('hashchange'));
    };
    // A node is shown in its graph.
    const select = (selected: string | undefined) => show({ node: selected, graph: selected === undefined ? graph : graphOf(selected) });
    return [select, (name: string | undefined) => show({ graph: name })];
  }, [id, graph]);
  useKeys({
    Escape: () => select(undefined),
    f: () => setFollow(!following),
    q: focusQuestion,
    g: () => (setTab('graph'), later('.graph-stage g.node[tabindex="0"]')),
    t: () => (setTab('transcript'), later('.transcript-scroll')),
  });
  if (connection.kind === 'refused' && run.last === 0) {
    return <NotFound status={connection.status} message={connection.message} />;
  }
  const selected = node === undefined ? undefined : run.nodes.get(node);
  const show = (name: string) => !narrow || tab === name;
  return (
    <div class="run">
      <RunHead run={run} id={id} onResumed={() => follower.current?.retry()} onChanges={() => setChangesOf({})} onSelect={select} />
      <p class="sr-only" role="status">
        {run.questions.map((question) => `${question.node} asks: ${question.text}`).join('; ')}
      </p>
      <ConnectionNotice connection={connection} missing={run.missing} onRetry={() => follower.current?.retry()} />
      {narrow && <Questions run={run} id={id} />}
      {narrow && node !== undefined && <NodePanel id={id} run={run} node={node} known={selected} onClose={() => select(undefined)} onChanges={setChangesOf} />}
      {narrow && <Tabs tabs={TABS} current={tab} onSelect={setTab} />}
      <div class="panes">
        <div class="left" hidden={narrow && tab === 'transcript'}>
          <div class="pane graph-pane" hidden={!show('graph')}>
            <GraphPane
              id={id}
              run={run}
              shown={shown}
              refusal={problem}
              node={node}
              following={following}
              onFollow={setFollow}
              onSelect={select}
              onGraph={openGraph}
            />
          </div>
          <div class="pane timeline-pane" hidden={!show('timeline')}>
            <TimelinePane run={run} node={node} following={following} onSelect={select} />
          </div>
        </div>
        <div class="right" hidden={narrow && tab !== 'transcript'}>
          {!narrow && <Questions run={run} id={id} />}
          {!narrow && node !== undefined && <NodePanel id={id} run={run} node={node} known={selected} onClose={() => select(undefined)} onChanges={setChangesOf} />}
          <div class="pane transcript-pane">
            <TranscriptPane run={run} node={node} following={following} onFollow={setFollow} onSelect={select} />
          </div>
        </div>
      </div>
      {changesOf && <Changes id={id} node={changesOf.node} onClose={() => setChangesOf(undefined)} />}
    </div>
  );
}

function Questions({ run, id }: { run: Run; id: string }) {
  if (run.questions.length === 0) return null;
  return (
    <section class="questions" aria-label={run.questions.length === 1 ? 'Open question' : 'Open questions'}>
      {run.questions.map((question) => (
        <QuestionCard key={question.id} run={id} question={question} cost={run.usage.cost} />
      ))}
    </section>
  );
}

function NotFound({ status, message }: { status: number; message: string }) {
  return (
    <section class="empty">
      <h1>{status === 404 ? 'This run does not exist' : 'This run cannot be shown'}</h1>
      <p>{message}</p>
      <p>
        <a href="#/">Show all runs</a>
      </p>
    </section>
  );
}

function titleOf(run: Run): string {
  const name = run.label ?? run.pipeline;
  return run.last === 0 ? 'Run — Attractor' : `${GLYPHS[run.state]} ${name} — Attractor${isLive(run.state) ? '' : `, ${stateLabel(run.state)}`}`;
}

/** Focuses the first question, not one of its choices: Enter must not answer what a shortcut has opened. */
function focusQuestion(): void {
  const question = document.querySelector<HTMLElement>('.question');
  question?.focus();
  question?.scrollIntoView({ block: 'nearest' });
}

/** Focuses an element that is shown after the next update. */
function later(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus());
}
