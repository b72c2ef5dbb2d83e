// A session of VS Code's own protocol library with mcplogic lsp. The arguments are the command and a folder.
'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const rpc = require('vscode-jsonrpc/node');
const lsp = require('vscode-languageserver-protocol');

const [command, folder] = process.argv.slice(2);
const server = spawn(command, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
const connection = rpc.createMessageConnection(new rpc.StreamMessageReader(server.stdout),
  new rpc.StreamMessageWriter(server.stdin));

function must(ok, what, got) {
  if (!ok) {
    console.error(`${what}: ${JSON.stringify(got)}`);
    process.exit(1);
  }
}

const file = path.join(folder, 'family.pl');
const uri = pathToFileURL(file).toString();
const text = fs.readFileSync(file, 'utf8');
let published;
let arrived = () => undefined;

async function diagnostics(wanted) {
  for (;;) {
    const codes = published && published.diagnostics.map((d) => d.code).join(' ');
    if (codes === wanted) {
      return published.diagnostics;
    }
    await new Promise((resolve) => { arrived = resolve; });
  }
}

async function main() {
  connection.onNotification(lsp.PublishDiagnosticsNotification.type, (params) => {
    if (params.uri === uri) {
      published = params;
      arrived();
    }
  });
  let watched = false;
  connection.onRequest(lsp.RegistrationRequest.type, () => { watched = true; });
  connection.listen();
  const result = await connection.sendRequest(lsp.InitializeRequest.type, {
    processId: process.pid, rootUri: pathToFileURL(folder).toString(),
    workspaceFolders: [{ uri: pathToFileURL(folder).toString(), name: 'rules' }],
    capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
  });
  must(result.capabilities.textDocumentSync.change === lsp.TextDocumentSyncKind.Incremental, 'sync', result);
  await connection.sendNotification(lsp.InitializedNotification.type, {});
  await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type,
    { textDocument: { uri, languageId: 'prolog', version: 1, text } });
  await diagnostics('');
  must(watched, 'watched files', watched);
  const textDocument = { uri };
  const line = text.split('\n').findIndex((l) => l.startsWith('old('));
  const position = { line, character: text.split('\n')[line].indexOf('age(') + 1 };
  const hover = await connection.sendRequest(lsp.HoverRequest.type, { textDocument, position });
  must(lsp.MarkupContent.is(hover.contents) && hover.contents.value.includes('age(Who, Years)'), 'hover', hover);
  const places = await connection.sendRequest(lsp.DefinitionRequest.type, { textDocument, position });
  must(places.length === 1 && lsp.Location.is(places[0]) && places[0].uri === uri, 'definition', places);
  const edit = await connection.sendRequest(lsp.RenameRequest.type, { textDocument, position, newName: 'years' });
  must(edit.changes[uri].length === 3, 'rename', edit);
  const symbols = await connection.sendRequest(lsp.DocumentSymbolRequest.type, { textDocument });
  must(symbols.map((s) => s.name).join() === 'age/2,old/1' && symbols.every(lsp.DocumentSymbol.is), 'symbols', symbols);
  const items = await connection.sendRequest(lsp.CompletionRequest.type, { textDocument, position });
  must(items.items.some((i) => i.label === 'age/2'), 'completion', items);
  await connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: '𝒳𝒳 x.\n' }],
  });
  const [wrong] = await diagnostics('syntax');
  must(wrong.range.start.line === 0 && wrong.range.start.character === 5, 'place', wrong);
  await connection.sendRequest(lsp.ShutdownRequest.type);
  await connection.sendNotification(lsp.ExitNotification.type);
  server.on('exit', (code) => {
    must(code === 0, 'exit', code);
    console.log('done');
    process.exit(0);
  });
}

main().catch((err) => {
  console.error(err);
  process.exit(1);
});
