/**
 * Questions of the server, sent by `window/showMessageRequest`.
 *
 * Warnings (whether to run a pipeline, whether to resume a changed one) are shown as modal dialogs, because a
 * notification is easily missed. A question about an open document of the server is shown as code lenses above that
 * document, all others as notifications.
 */
import * as vscode from 'vscode';
import type { ServerDocuments } from './serverDocuments.ts';
import { plainText } from './plainText.ts';
import { MessageType, type MessageActionItem, type ShowMessageRequestParams } from 'vscode-languageclient/node';

/**
 * Shows a question and returns the selected action. The text of a warning up to the question mark is the message of
 * the dialog, the rest its detail. Enter selects the first action; the server never sends one there that runs commands.
 */
export async function showQuestion(question: ShowMessageRequestParams, documents: ServerDocuments): Promise<MessageActionItem | null> {
  const actions = question.actions ?? [];
  const message = plainText(question.message);
  return question.type === MessageType.Warning ? showDialog(message, actions) : showNotification(message, actions, documents);
}

async function showDialog(message: string, actions: MessageActionItem[]): Promise<MessageActionItem | null> {
  const [, first = message, rest = ''] = /^(.*?\?)\s+([\s\S]*)$/.exec(message) ?? [];
  const items = actions.map((action) => ({
    title: action.title,
    isCloseAffordance: action.title === 'Cancel',
    action,
  }));
  const options = { modal: true, detail: rest };
  const picked = await vscode.window.showWarningMessage(first, options, ...items);
  return picked?.action ?? null;
}

async function showNotification(
  message: string,
  actions: MessageActionItem[],
  documents: ServerDocuments,
): Promise<MessageActionItem | null> {
  // A notification cannot be withdrawn after an answer elsewhere, so it is not shown in addition to the code lenses.
  const answer = documents.ask(message, actions) ?? vscode.window.showInformationMessage(message, ...actions);
  return (await answer) ?? null;
}
