/**
 * Questions the server asks by `window/showMessageRequest`.
 *
 * Warnings (whether a pipeline may run, whether a changed one may go on) become dialogs: who pressed Run
 * waits for them, and a toast is easily missed.
 */
import * as vscode from 'vscode';
import { plainText } from './plainText.ts';
import { MessageType, type MessageActionItem, type ShowMessageRequestParams } from 'vscode-languageclient/node';

/**
 * Puts a question. Of a warning, what ends with the question mark is the dialog's question, the rest its
 * detail. Any other is a notification.
 */
export async function ask(question: ShowMessageRequestParams): Promise<MessageActionItem | null> {
  const actions = question.actions ?? [];
  if (question.type !== MessageType.Warning) {
    return (await vscode.window.showInformationMessage(plainText(question.message), ...actions)) ?? null;
  }
  const [, first = question.message, rest = ''] = /^(.*?\?)\s+([\s\S]*)$/.exec(question.message) ?? [];
  const items = actions.map((action) => ({
    title: action.title,
    isCloseAffordance: action.title === 'Cancel',
    action,
  }));
  const options = { modal: true, detail: rest };
  const picked = await vscode.window.showWarningMessage(first, options, ...items);
  return picked?.action ?? null;
}
