/** Debugging: sessions of type `attractor`, whose debug adapter is the server's executable. */
import * as vscode from 'vscode';
import { debugConfiguration } from './debugConfiguration.ts';
import { withDebugLenses } from './debugLenses.ts';
import type { Server } from './server.ts';

const TYPE = 'attractor';

const ONCE = 'Debug once';
const VERSION = 'Always for this version';
const SHOW = 'Show what it runs';

/** The answer to `attractor.consent`. */
interface Consent {
  uri: string;
  trusted: boolean;
  question: string;
}

export function registerDebugging(server: Server): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, {
      createDebugAdapterDescriptor: (session) => {
        const program = server.program;
        if (program === undefined) throw new Error('The executable "attractor" was not found: see its output.');
        const cwd = folderOf(session)?.uri.fsPath;
        return new vscode.DebugAdapterExecutable(program, ['dap'], cwd === undefined ? {} : { cwd });
      },
    }),
    vscode.debug.registerDebugConfigurationProvider(TYPE, {
      resolveDebugConfiguration: (_folder, configuration) => {
        const document = vscode.window.activeTextEditor?.document;
        const file = document?.languageId === 'dot' && !document.isUntitled ? document.uri.fsPath : undefined;
        return debugConfiguration(configuration, file) ?? noFile();
      },
      // Variables such as `${file}` have their values here.
      resolveDebugConfigurationWithSubstitutedVariables: async (_folder, configuration) =>
        configuration.request === 'attach' || (await mayRun(server, configuration)) ? configuration : undefined,
    }),
    vscode.commands.registerCommand('attractor.debugPipeline', (uri?: vscode.Uri, graph?: string) => {
      const file = uri ?? vscode.window.activeTextEditor?.document.uri;
      if (file === undefined) return noFile();
      const configuration = {
        type: TYPE,
        request: 'launch',
        name: 'Debug pipeline',
        program: file.fsPath,
        stopOnEntry: true,
        ...(graph === undefined ? {} : { graph }),
      };
      return vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(file), configuration);
    }),
  );
}

/** The lenses of the server for a document, with those that debug its pipelines. A text without a file is not debugged. */
export function lensesOf(document: vscode.TextDocument, lenses: vscode.CodeLens[]): vscode.CodeLens[] {
  if (document.uri.scheme !== 'file') return lenses;
  return withDebugLenses(lenses, (run, graph) => {
    const command = { title: '▶ Debug', command: 'attractor.debugPipeline', arguments: [document.uri, graph] };
    return new vscode.CodeLens(run.range, command);
  });
}

/** Whether the user allows what a pipeline runs: asked before the first run of each version, as for a run without the debugger. */
async function mayRun(server: Server, configuration: vscode.DebugConfiguration): Promise<boolean> {
  const uri = vscode.Uri.file(String(configuration['program'])).toString();
  const graph: unknown = configuration['graph'];
  try {
    const consent = await server.send<Consent>('attractor.consent', graph === undefined ? { uri } : { uri, graph });
    if (consent.trusted) return true;
    const ask = vscode.window.showWarningMessage(consent.question, { modal: true }, ONCE, VERSION, SHOW);
    let choice: string | undefined = await ask;
    if (choice === SHOW) {
      await server.showDocument(consent.uri);
      choice = await vscode.window.showWarningMessage(consent.question, ONCE, VERSION);
    }
    if (choice === VERSION) await server.send('attractor.trust', { uri, decision: 'version' });
    return choice === ONCE || choice === VERSION;
  } catch (error) {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    return false;
  }
}

function folderOf(session: vscode.DebugSession): vscode.WorkspaceFolder | undefined {
  return session.workspaceFolder ?? vscode.workspace.workspaceFolders?.[0];
}

function noFile(): undefined {
  void vscode.window.showErrorMessage('Open a pipeline file to debug it.');
  return undefined;
}
