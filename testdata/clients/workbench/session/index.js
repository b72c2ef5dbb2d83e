// A session with the extension for VS Code in its own workbench, which calls run and shows the interface of extensions.
// What was seen is written to the file of the environment variable SESSION, as JSON.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

// until asks again until the answer is there.
async function until(what, ask) {
  for (let i = 0; i < 300; i++) {
    const got = await ask();
    if (got) {
      return got;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`waited for ${what}`);
}

const provide = (name, ...args) => vscode.commands.executeCommand(`vscode.execute${name}Provider`, ...args);

const textOf = (hovers) => hovers.flatMap((one) => one.contents).map((one) => one.value || one).join('\n');

// write makes a file of the folder, as the editor does.
async function write(folder, name, text) {
  const uri = vscode.Uri.file(path.join(folder, name));
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri);
  edit.insert(uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(edit);
  await (await vscode.workspace.openTextDocument(uri)).save();
}

const rules = `% age(Who, Years): how old somebody is.
age(ann, 70).
age(bob, 20).
old(X) :- age(X, A), A > 60.
`;

const tests = `:- begin_tests(family).
test(old) :- age(ann, A), A > 60.
test(young) :- age(bob, A), A > 60.
:- end_tests(family).
`;

const tools = `:- mode(old(-atom), zero_or_more).
tools([tool(old, old, 1, [description('Who is old.')])]).
`;

// editing opens a text, makes a mistake, sees it, and mends it by the quick fix.
async function editing(file, seen) {
  const document = await vscode.workspace.openTextDocument(file);
  const editor = await vscode.window.showTextDocument(document);
  seen.language = document.languageId;
  const last = document.lineCount;
  await editor.edit((edit) => edit.insert(new vscode.Position(last, 0), 'young(X) :- agee(X, A), A < 30.\n'));
  const [found] = await until('diagnostics', () => {
    const list = vscode.languages.getDiagnostics(document.uri);
    return list.length > 0 && list;
  });
  seen.diagnostic = `${found.range.start.line}:${found.range.start.character} ${found.code.value || found.code}`;
  const actions = await until('a fix', async () => {
    const list = await provide('CodeAction', document.uri, found.range);
    return list.length > 0 && list;
  });
  seen.fix = actions[0].title;
  await vscode.workspace.applyEdit(actions[0].edit);
  await until('no diagnostics', () => vscode.languages.getDiagnostics(document.uri).length === 0);
  const use = new vscode.Position(found.range.start.line, found.range.start.character + 1);
  seen.hover = textOf(await provide('Hover', document.uri, use));
  seen.definition = (await provide('Definition', document.uri, use)).map((one) => (one.range || one.targetRange).start.line);
  seen.references = (await vscode.commands.executeCommand('vscode.executeReferenceProvider', document.uri, use)).length;
  seen.symbols = (await provide('DocumentSymbol', document.uri)).map((one) => one.name);
  seen.lenses = (await provide('CodeLens', document.uri)).map((one) => one.command && one.command.title).filter(Boolean);
  const line = document.lineCount - 1;
  await editor.edit((edit) => edit.insert(new vscode.Position(line, 0), 'x(X):-ag'));
  const offered = await provide('CompletionItem', document.uri, new vscode.Position(line, 8));
  seen.completion = offered.items.map((one) => one.label.label || one.label).filter((one) => one.startsWith('age'));
  await editor.edit((edit) => edit.insert(new vscode.Position(line, 8), 'e(X,_).'));
  await document.save();
  const edits = await vscode.commands.executeCommand('vscode.executeFormatDocumentProvider', document.uri,
    { tabSize: 4, insertSpaces: true });
  const change = new vscode.WorkspaceEdit();
  change.set(document.uri, edits);
  await vscode.workspace.applyEdit(change);
  seen.formatted = document.lineAt(line).text;
  await document.save();
}

// debugging stops at the first call and at a breakpoint, looks at the variables, and goes on to the end.
async function debugging(folder, file, seen) {
  let [session, ended] = [undefined, false];
  vscode.debug.onDidStartDebugSession((one) => { session = one; });
  vscode.debug.onDidTerminateDebugSession(() => { ended = true; });
  vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(new vscode.Location(vscode.Uri.file(file),
    new vscode.Position(3, 0)))]);
  await vscode.debug.startDebugging(vscode.workspace.workspaceFolders[0], { type: 'mcplogic', request: 'launch',
    name: 'Goal', program: folder, goal: 'old(X)', stopOnEntry: false });
  await until('the debugger', () => session);
  const frames = await until('a stop', async () => {
    try {
      return (await session.customRequest('stackTrace', { threadId: 1 })).stackFrames;
    } catch {
      return undefined;
    }
  });
  seen.frames = frames.map((one) => `${one.name.replace(/_\d+/, 'X')} ${one.line}`);
  const { scopes } = await session.customRequest('scopes', { frameId: frames[0].id });
  const { variables } = await session.customRequest('variables', { variablesReference: scopes[0].variablesReference });
  seen.variables = variables.map((one) => one.name);
  await until('the end of the goal', async () => { // the breakpoint stops at the goals of its line too
    await vscode.commands.executeCommand('workbench.action.debug.continue').then(undefined, () => undefined);
    return ended;
  });
}

// testing runs the tests of the test explorer. The workbench shows the results.
async function testing() {
  await vscode.commands.executeCommand('testing.refreshTests');
  await vscode.commands.executeCommand('testing.runAll');
  await vscode.commands.executeCommand('workbench.view.testing.focus');
}

// tasks runs mcplogic check as a task. Its problem matcher finds what it prints.
async function tasks(folder, seen) {
  const list = await vscode.tasks.fetchTasks({ type: 'mcplogic' });
  seen.tasks = list.map((one) => one.name).sort();
  fs.writeFileSync(path.join(folder, 'wrong.pl'), 'wrong(X) :- age(_, _).\n');
  vscode.tasks.onDidEndTaskProcess((event) => { seen.exit = event.exitCode; });
  await vscode.tasks.executeTask(list.find((one) => one.name === 'check'));
  await until('the end of the task', () => seen.exit !== undefined);
  const [found] = await until('a problem', () => {
    const list = vscode.languages.getDiagnostics(vscode.Uri.file(path.join(folder, 'wrong.pl')));
    return list.length > 0 && list;
  });
  seen.problem = found.code.value || found.code;
}

// serving has the folder served to Copilot.
async function serving(folder, seen) {
  await write(folder, 'tools.pl', tools);
  await vscode.commands.executeCommand('mcplogic.serve');
  seen.served = await until('the configuration', () => fs.existsSync(path.join(folder, '.vscode', 'mcp.json')));
}

async function run() {
  const folder = vscode.workspace.workspaceFolders[0].uri.fsPath;
  const file = path.join(folder, 'family.pl');
  const seen = {};
  try {
    await write(folder, 'family.pl', rules);
    await write(folder, 'family.plt', tests);
    await (await until('the extension', () => vscode.extensions.getExtension('mcplogic.mcplogic'))).activate();
    await editing(file, seen);
    await debugging(folder, file, seen);
    await tasks(folder, seen);
    await serving(folder, seen);
    await testing();
  } catch (err) {
    seen.error = err.stack || String(err);
  }
  fs.writeFileSync(process.env.SESSION, JSON.stringify(seen));
}

module.exports = { run };
