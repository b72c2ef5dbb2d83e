// The extension starts mcplogic lsp and mcplogic dap, offers the other commands as tasks, and writes the configuration of
// the server.
'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const { Explorer } = require('./tests');

let client;

function setting(name) {
  return vscode.workspace.getConfiguration('mcplogic').get(name);
}

async function start() {
  const server = { command: setting('command'), args: ['lsp', ...setting('arguments')] };
  client = new LanguageClient('mcplogic', 'mcplogic', server, {
    documentSelector: [{ scheme: 'file', language: 'prolog' }, { scheme: 'untitled', language: 'prolog' }],
    initializationOptions: { commands: true },
  });
  try {
    await client.start();
  } catch (err) {
    vscode.window.showErrorMessage(`mcplogic does not start; the setting mcplogic.command has its path. ${err.message || err}`);
  }
}

async function stop() {
  if (client) {
    await client.stop().catch(() => undefined);
    client = undefined;
  }
}

function task(definition, scope) {
  const only = definition.run ? ['--run', definition.run] : [];
  const args = [definition.task, ...only, definition.path || '.'];
  const made = new vscode.Task(definition, scope, definition.task, 'mcplogic',
    new vscode.ProcessExecution(setting('command'), args), '$mcplogic');
  made.group = definition.task === 'test' ? vscode.TaskGroup.Test : vscode.TaskGroup.Build;
  return made;
}

const tasks = {
  provideTasks() {
    return (vscode.workspace.workspaceFolders || []).flatMap((folder) =>
      ['check', 'test'].map((name) => task({ type: 'mcplogic', task: name }, folder)));
  },
  resolveTask(one) {
    return task(one.definition, one.scope);
  },
};

// serve writes .vscode/mcp.json, by the command that merges it with what is there.
async function serve() {
  const folder = (vscode.workspace.workspaceFolders || [])[0];
  if (!folder) {
    vscode.window.showInformationMessage('Open the folder of a knowledge base first.');
    return;
  }
  const run = new vscode.Task({ type: 'mcplogic', task: 'serve' }, folder, 'serve to Copilot', 'mcplogic',
    new vscode.ProcessExecution(setting('command'), ['config', '--write', 'vscode', '.'], { cwd: folder.uri.fsPath }));
  await vscode.tasks.executeTask(run);
}

// inTerminal runs a command of mcplogic where its output stays to be read.
function inTerminal(folder, name, args) {
  const run = new vscode.Task({ type: 'mcplogic', task: name }, vscode.TaskScope.Workspace, name, 'mcplogic',
    new vscode.ProcessExecution(setting('command'), args, { cwd: folder }), '$mcplogic');
  return vscode.tasks.executeTask(run);
}

const askForGoal = (value) => vscode.window.showInputBox({ prompt: 'The goal', value, placeHolder: 'price(tea, P)' });

// What the lenses of the language server do.
const lenses = {
  runTests: (folder, unit) => inTerminal(folder, 'test', ['test', '--run', unit, folder]),
  async callTool(folder, tool) {
    const values = await vscode.window.showInputBox({ prompt: `The arguments of ${tool}, as JSON`, value: '{}' });
    return values === undefined ? undefined : inTerminal(folder, 'call', ['call', folder, tool, values]);
  },
  async goal(name, folder, goal) {
    const asked = await askForGoal(goal);
    return asked ? inTerminal(folder, name, [name, folder, asked]) : undefined;
  },
  async references(uri, line, character) {
    const [at, place] = [vscode.Uri.parse(uri), new vscode.Position(line, character)];
    const list = await vscode.commands.executeCommand('vscode.executeReferenceProvider', at, place);
    return vscode.commands.executeCommand('editor.action.showReferences', at, place, list || []);
  },
};

const debugging = {
  createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(setting('command'), ['dap']),
  // resolveDebugConfiguration makes F5 work without a launch.json.
  resolveDebugConfiguration(folder, given) {
    if (given.type || given.request || given.name) {
      return given;
    }
    const editor = vscode.window.activeTextEditor;
    const program = folder ? folder.uri.fsPath : editor && editor.document.uri.fsPath;
    return program && { type: 'mcplogic', request: 'launch', name: 'Goal', program, goal: '${command:AskForGoal}' };
  },
};

// listed asks the language server for the tests, if it runs.
const listed = () => (client && client.isRunning() ? client.sendRequest('mcplogic/tests') : []);

async function activate(context) {
  const explorer = new Explorer(listed, () => setting('command'));
  context.subscriptions.push(
    explorer,
    vscode.tasks.registerTaskProvider('mcplogic', tasks),
    vscode.debug.registerDebugAdapterDescriptorFactory('mcplogic', debugging),
    vscode.debug.registerDebugConfigurationProvider('mcplogic', debugging),
    vscode.commands.registerCommand('mcplogic.askForGoal', () => askForGoal('')),
    vscode.commands.registerCommand('mcplogic.runTests', lenses.runTests),
    vscode.commands.registerCommand('mcplogic.callTool', lenses.callTool),
    vscode.commands.registerCommand('mcplogic.queryGoal', (folder, goal) => lenses.goal('query', folder, goal)),
    vscode.commands.registerCommand('mcplogic.why', (folder, goal) => lenses.goal('why', folder, goal)),
    vscode.commands.registerCommand('mcplogic.showReferences', lenses.references),
    vscode.commands.registerCommand('mcplogic.serve', serve),
    vscode.commands.registerCommand('mcplogic.restart', async () => {
      await stop();
      await start();
      await explorer.refresh();
    }));
  await start();
  await explorer.refresh();
}

module.exports = { activate, deactivate: stop };
