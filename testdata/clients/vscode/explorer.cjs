// A session with the test explorer of the extension: its own code, with the real language server and the real command
// below it and a small editor above it. The arguments are the extension, the command and a folder.
'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { pathToFileURL, fileURLToPath } = require('node:url');

const [extension, command, folder] = process.argv.slice(2);

function must(ok, what, got) {
  if (!ok) {
    console.error(`${what}: ${JSON.stringify(got)}`);
    process.exit(1);
  }
}

// What the extension needs of the editor.
const nothing = () => ({ dispose() {} });

class Items extends Map {
  [Symbol.iterator]() { return super.entries(); }

  add(item) { this.set(item.id, item); item.parent = this.of; }

  replace(items) { this.clear(); items.forEach((item) => this.add(item)); }
}

function itemOf(id, label, uri) {
  const item = { id, label, uri, children: new Items() };
  item.children.of = item;
  return item;
}

class LanguageClient {
  constructor(id, name, server) { Object.assign(this, { server, asked: new Map(), number: 0 }); }

  isRunning() { return true; }

  async start() {
    this.child = spawn(this.server.command, this.server.args, { stdio: ['pipe', 'pipe', 'inherit'] });
    let got = Buffer.alloc(0);
    this.child.stdout.on('data', (part) => {
      got = Buffer.concat([got, part]);
      for (;;) {
        const end = got.indexOf('\r\n\r\n');
        const length = end < 0 ? NaN : Number(/Content-Length: (\d+)/i.exec(got.subarray(0, end))[1]);
        if (!(got.length >= end + 4 + length)) {
          return;
        }
        const message = JSON.parse(got.subarray(end + 4, end + 4 + length));
        got = got.subarray(end + 4 + length);
        if (message.method === undefined && this.asked.has(message.id)) {
          must(!message.error, 'an error of the server', message.error);
          this.asked.get(message.id)(message.result);
        }
      }
    });
    await this.sendRequest('initialize', { capabilities: {}, rootUri: pathToFileURL(folder).toString() });
    this.send({ method: 'initialized', params: {} });
  }

  send(message) {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  sendRequest(method, params) {
    this.number += 1;
    this.send({ id: this.number, method, params });
    return new Promise((resolve) => { this.asked.set(this.number, resolve); });
  }

  async stop() {
    await this.sendRequest('shutdown');
    this.send({ method: 'exit' });
  }
}

let controller;
let profile;
let outcomes;
const outcome = (kind) => (item, messages) => { outcomes[`${item.parent.label}:${item.label}`] = { kind, messages }; };
const vscode = {
  tests: {
    createTestController() {
      controller = { items: new Items(), dispose() {}, createTestItem: itemOf,
        createRunProfile(name, kind, handler) { profile = handler; },
        createTestRun() {
          outcomes = {};
          return { started() {}, appendOutput() {}, end() {}, passed: outcome('passed'), failed: outcome('failed'),
            skipped: outcome('skipped'), errored: outcome('errored') };
        } };
      return controller;
    },
  },
  TestRunProfileKind: { Run: 1 },
  TestMessage: class {
    constructor(message) { this.message = message; }

    static diff(message, expected, actual) { return { message, expected, actual }; }
  },
  Range: class { constructor(line) { this.line = line; } },
  Location: class { constructor(uri, range) { Object.assign(this, { uri, range }); } },
  Uri: { file: (fsPath) => ({ fsPath }), parse: (uri) => ({ fsPath: fileURLToPath(uri) }) },
  workspace: {
    getConfiguration: () => ({ get: (name) => (name === 'command' ? command : []) }),
    onDidOpenTextDocument: nothing, onDidChangeTextDocument: nothing, onDidCreateFiles: nothing,
    onDidDeleteFiles: nothing, onDidRenameFiles: nothing,
  },
  tasks: { registerTaskProvider: nothing },
  debug: { registerDebugAdapterDescriptorFactory: nothing, registerDebugConfigurationProvider: nothing },
  commands: { registerCommand: nothing },
  window: { showErrorMessage: (text) => must(false, text) },
};
const load = Module._load;
Module._load = (name, ...rest) => {
  if (name === 'vscode') {
    return vscode;
  }
  return name === 'vscode-languageclient/node' ? { LanguageClient } : load(name, ...rest);
};

const names = (items) => [...items].map(([, item]) => `${item.label}(${names(item.children)})`).join(' ');
const kinds = () => Object.keys(outcomes).sort().map((name) => `${name} ${outcomes[name].kind}`).join(', ');
const token = { isCancellationRequested: false, onCancellationRequested: nothing };
const child = (item, label) => [...item.children].map(([, one]) => one).find((one) => one.label === label);

async function main() {
  const { activate, deactivate } = require(extension);
  const context = { subscriptions: [] };
  await activate(context);
  const base = path.basename(folder);
  must(names(controller.items) === `${base}(family(old() young() add(1)()) off(never()))`, 'listed', names(controller.items));
  const root = [...controller.items][0][1];
  const unit = child(root, 'family');
  must(unit.children.size === 3 && child(unit, 'young').range.line === 2, 'the line of a test', child(unit, 'young'));

  await profile({ include: [child(unit, 'old')] }, token);
  must(kinds() === 'family:old passed', 'one test', kinds());
  await profile({ include: [child(unit, 'add(1)')] }, token);
  must(kinds() === 'family:add(1) passed', 'a test whose name is a term', kinds());

  await profile({}, token);
  const all = 'examples:age/2: Ann passed, family:add(1) passed, family:old passed, family:young failed, off:never skipped';
  must(kinds() === all, 'all tests', kinds());
  const [message] = outcomes['family:young'].messages;
  must(message.location.range.line === 2 && message.location.uri.fsPath === path.join(folder, 'family.plt'),
    'where it failed', message);
  must(message.message.includes('age 20 is not above 60'), 'why it failed', message);

  await profile({ include: [unit], exclude: [child(unit, 'young')] }, token);
  must(kinds() === 'family:add(1) passed, family:old passed', 'all but one', kinds());

  fs.writeFileSync(path.join(folder, 'family.pl'), 'age(ann, 70');
  await profile({ include: [child(unit, 'old')] }, token);
  must(kinds() === 'family:old failed', 'rules that are wrong', kinds());
  fs.rmSync(path.join(folder, 'family.plt'));
  await profile({ include: [child(unit, 'old')] }, token);
  must(kinds() === 'family:old errored', 'tests that are gone', kinds());
  context.subscriptions.forEach((one) => one.dispose());
  await deactivate();
  console.log('done');
}

main().catch((err) => must(false, err.stack));
