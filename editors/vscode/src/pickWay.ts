/** Asks which way a dry run takes, where the outcomes of its nodes and the answers of its gates lead to several. */
import * as vscode from 'vscode';
import { Command, type WaysResult } from './protocol.ts';
import type { Server } from './server.ts';
import { argumentsOf, itemOf, type DryRunArguments } from './ways.ts';

/** What decides the dry run; `undefined` when the question was dismissed. */
export async function pickWay(
  server: Server,
  target: { uri: string; graph?: string; inputs: Record<string, unknown> },
): Promise<Partial<DryRunArguments> | undefined> {
  const { uri, graph, inputs } = target;
  const argument = { uri, inputs, ...(graph === undefined ? {} : { graph }) };
  const progress = { location: vscode.ProgressLocation.Window, title: 'Listing the ways of the dry run' };
  const answer = await vscode.window.withProgress(progress, () => server.query<WaysResult>(Command.ways, argument));
  const ways = answer?.ways ?? [];
  const [only] = ways;
  // Without ways the pipeline cannot run: the run says why.
  if (!only) return { inputs };
  if (ways.length === 1) return argumentsOf(only, inputs);
  const picked = await vscode.window.showQuickPick(ways.map(itemOf), {
    title: `Dry Run: ${ways.length} Ways`,
    placeHolder: 'What happens in the dry run? Nothing is executed.',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked && argumentsOf(picked.way, inputs);
}
