/**
 * What a node of a run changed in the files: the texts of before and after in a diff editor, and undoing it.
 *
 * Both sides are documents `attractor-files:`, from the snapshots that the run keeps; the files of the workspace may have
 * changed since.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { plural } from '../../../server/http/page/shared/format.ts';
import { Command } from './protocol.ts';
import type { ChangedFile, DiffResult, RevertResult } from './protocol.ts';
import { showErrors } from './run.ts';
import type { Server } from './server.ts';

const SCHEME = 'attractor-files';

/** A node of a run; without `node` the whole run. */
export interface Target {
  run: string;
  node?: string;
  visit?: number;
}

export function registerChanges(server: Server): vscode.Disposable {
  const changes = new Changes(server);
  server.intercept(Command.diff, (argument) => changes.show(argument as Target));
  server.intercept(Command.revert, (argument) => changes.revert(argument as Target));
  const command = vscode.commands.registerCommand;
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, changes),
    command('attractor.showChanges', (item: Target) => changes.show(targetOf(item))),
    command('attractor.revertChanges', (item: Target) => changes.revert(targetOf(item))),
  );
}

class Changes implements vscode.TextDocumentContentProvider {
  readonly #server: Server;
  /** The texts of the documents that were shown, by their URIs. */
  readonly #texts = new Map<string, string>();

  constructor(server: Server) {
    this.#server = server;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /** Opens the changed files in one diff editor. */
  async show(target: Target): Promise<void> {
    const argument = { ...target, contents: true };
    const result = await showErrors(() => this.#server.send<DiffResult>(Command.diff, argument));
    if (!result) return;
    const shown = result.files.filter((file) => file.diff !== undefined);
    const others = result.files.length - shown.length;
    if (others > 0) {
      void vscode.window.showInformationMessage(`${plural(others, 'changed file')} cannot be shown: not text, or not stored.`);
    }
    const [only] = shown;
    const title = `${target.node ?? 'The run'} changed ${plural(result.files.length, 'file')}`;
    if (shown.length === 1 && only) {
      const [, before, after] = this.#resources(target, result, only);
      await vscode.commands.executeCommand('vscode.diff', before, after, `${path.basename(only.path)}: ${target.node ?? 'run'}`);
    } else if (shown.length > 1) {
      const resources = shown.map((file) => this.#resources(target, result, file));
      await vscode.commands.executeCommand('vscode.changes', title, resources);
    } else if (others === 0) {
      void vscode.window.showInformationMessage(`${target.node ?? 'The run'} changed no files.`);
    }
  }

  /** Undoes the changes after a confirmation that names the files. */
  async revert(target: Target): Promise<void> {
    const result = await showErrors(() => this.#server.send<DiffResult>(Command.diff, target));
    if (!result) return;
    const root = vscode.Uri.parse(result.root);
    const unsaved = result.files.filter((file) => isDirty(vscode.Uri.joinPath(root, file.path)));
    if (unsaved.length > 0) {
      const names = unsaved.map((file) => file.path).join(', ');
      void vscode.window.showErrorMessage(`Save or discard your edits in ${names} first: reverting would lose them.`);
      return;
    }
    const detail = result.files.map((file) => `${SIGNS[file.change]} ${file.path}`).join('\n');
    const what = `Revert what ${target.node ?? 'the run'} changed in ${plural(result.files.length, 'file')}?`;
    const choice = await vscode.window.showWarningMessage(what, { modal: true, detail }, 'Revert');
    if (choice !== 'Revert') return;
    const visit = target.node === undefined ? {} : { visit: result.visit };
    const reverted = await showErrors(() => this.#server.send<RevertResult>(Command.revert, { ...target, ...visit }));
    if (!reverted) return;
    if (reverted.refused) {
      void vscode.window.showErrorMessage(`Nothing was reverted: ${reverted.why ?? 'the files have changed since'}`);
      return;
    }
    const done = reverted.restored.length + reverted.removed.length;
    const said = done === 0 ? 'The files already were as before.' : `${plural(done, 'file')} reverted.`;
    void vscode.window.showInformationMessage(said);
  }

  /** The file in the workspace, which names the entry, and the documents of both sides. */
  #resources(target: Target, result: DiffResult, file: ChangedFile): [vscode.Uri, vscode.Uri, vscode.Uri] {
    const side = (name: 'before' | 'after') => {
      const place = [target.run, target.node ?? '', String(result.visit), name];
      const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${file.path}`, query: place.join('/') });
      this.#texts.set(uri.toString(), file[name] ?? '');
      return uri;
    };
    return [vscode.Uri.joinPath(vscode.Uri.parse(result.root), file.path), side('before'), side('after')];
  }
}

const SIGNS: Record<ChangedFile['change'], string> = { added: 'A', modified: 'M', deleted: 'D' };

/** Of a tree item or an argument of a command, what the server needs. */
function targetOf({ run, node, visit }: Target): Target {
  return { run, ...(node === undefined ? {} : { node }), ...(visit === undefined ? {} : { visit }) };
}

function isDirty(file: vscode.Uri): boolean {
  return vscode.workspace.textDocuments.some((document) => document.isDirty && document.uri.fsPath === file.fsPath);
}
