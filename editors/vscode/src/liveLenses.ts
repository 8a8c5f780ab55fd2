/**
 * The time, tokens and cost of the node at work, in the code lens of the run above its graph, where they are visible
 * however long the line of the node is. The server's own title is stable; this extension knows the same node from snapshots.
 */
import * as vscode from 'vscode';
import { detailOf } from './nodeDetail.ts';
import { Command } from './protocol.ts';
import type { LiveRuns } from './liveRuns.ts';

/** The lenses of a document: that of a live run with the details of its current node. */
export function withLiveDetails(lenses: vscode.CodeLens[], runs: LiveRuns, now: number): vscode.CodeLens[] {
  return lenses.map((lens) => {
    const { command } = lens;
    if (command?.command !== Command.log) return lens;
    const { run, node } = (command.arguments?.[0] ?? {}) as { run?: string; node?: string };
    const state = run === undefined || node === undefined ? undefined : runs.run(run)?.nodes[node];
    const isOfRun = command.title.startsWith(`● ${node} ·`);
    const detail = state && isOfRun && state.endedAt === undefined ? detailOf(state, now) : '';
    return detail === '' ? lens : new vscode.CodeLens(lens.range, { ...command, title: `${command.title} · ${detail}` });
  });
}
