/** Events of a run in their two forms, and the node that one is about. Pure. */
import type { EngineEvent, JournalEvent, RunEvent } from './protocol.ts';

/** Converts an event of the journal to the form of notifications. */
export function fromJournal(event: JournalEvent): RunEvent {
  const { run, seq, time, entry } = event;
  return { run, seq, time, event, ...(entry === undefined ? {} : { entry }) };
}

/** The node of an event, without the name of its sub-pipeline. */
export function nodeOf(event: EngineEvent): string | undefined {
  const { node } = event as { node?: unknown };
  return typeof node === 'string' && node !== '' ? node : undefined;
}
