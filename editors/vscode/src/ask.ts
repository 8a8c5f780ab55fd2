/**
 * Questions the server asks by `window/showMessageRequest`.
 *
 * Warnings (whether a pipeline may run, whether a changed one may be resumed) become dialogs: who pressed Run
 * waits for them, and a notification is easily missed. The other questions are notifications; one about a
 * document that is being read is put over the document too, because notifications hide after a while.
 */
import * as vscode from 'vscode';
import type { Documents } from './documents.ts';
import { plainText } from './plainText.ts';
import { MessageType, type MessageActionItem, type ShowMessageRequestParams } from 'vscode-languageclient/node';

/**
 * Puts a question. Of a warning, what ends with the question mark is the dialog's question, the rest its
 * detail. The first action is the one Enter presses; the server never puts one there that runs something.
 */
export async function ask(question: ShowMessageRequestParams, documents: Documents): Promise<MessageActionItem | null> {
  const actions = question.actions ?? [];
  return question.type === MessageType.Warning
    ? askInDialog(question.message, actions)
    : askBeside(question.message, actions, documents);
}

async function askInDialog(message: string, actions: MessageActionItem[]): Promise<MessageActionItem | null> {
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

async function askBeside(
  message: string,
  actions: MessageActionItem[],
  documents: Documents,
): Promise<MessageActionItem | null> {
  const above = documents.ask(actions);
  const notification = Promise.resolve(vscode.window.showInformationMessage(plainText(message), ...actions));
  const answer = await (above ? Promise.race([notification, above]) : notification);
  documents.answered();
  return answer ?? null;
}
