// The test explorer: the tests that mcplogic lsp lists, run by mcplogic test.
'use strict';

const { spawn } = require('node:child_process');
const path = require('node:path');
const vscode = require('vscode');

// A name that --run takes as it is: no pattern, and no end of the unit's name.
const plain = (name) => !/[*?:]/.test(name);

// idOf is the id of an item of the explorer.
const idOf = (folder, unit, test) => JSON.stringify([folder, unit, test]);

const rangeOf = (r) => new vscode.Range(r.start.line, r.start.character, r.end.line, r.end.character);

class Explorer {
  // ask returns the tests that the language server lists, command is that of mcplogic.
  constructor(ask, command) {
    Object.assign(this, { ask, command, waiting: undefined, about: new WeakMap() });
    this.controller = vscode.tests.createTestController('mcplogic', 'mcplogic');
    this.controller.refreshHandler = () => this.refresh();
    this.controller.resolveHandler = () => this.refresh();
    this.controller.createRunProfile('Run', vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    const changed = (document) => document.languageId === 'prolog' && this.later();
    this.parts = [this.controller, vscode.workspace.onDidOpenTextDocument(changed),
      vscode.workspace.onDidChangeTextDocument((event) => changed(event.document)),
      vscode.workspace.onDidCreateFiles(() => this.later()), vscode.workspace.onDidDeleteFiles(() => this.later()),
      vscode.workspace.onDidRenameFiles(() => this.later())];
  }

  dispose() {
    clearTimeout(this.waiting);
    this.parts.forEach((part) => part.dispose());
  }

  // later lists the tests when nobody has typed for a moment.
  later() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.refresh(), 500);
  }

  async refresh() {
    const folders = (await this.ask()) || [];
    this.controller.items.replace(folders.map((one) => this.folder(one)));
  }

  // item makes an item. about says what it stands for: folder, and unit and test if it is one of these.
  item(about, label, uri, range) {
    const made = this.controller.createTestItem(idOf(about.folder, about.unit, about.test), label, uri);
    made.range = range;
    this.about.set(made, about);
    return made;
  }

  folder({ folder, units }) {
    const made = this.item({ folder }, path.basename(folder), vscode.Uri.file(folder));
    for (const unit of units) {
      const uri = vscode.Uri.parse(unit.uri);
      const known = made.children.get(idOf(folder, unit.name));
      const parent = known || this.item({ folder, unit: unit.name }, unit.name, uri, rangeOf(unit.range));
      made.children.add(parent);
      for (const test of unit.tests) {
        if (!parent.children.get(idOf(folder, unit.name, test.name))) {
          parent.children.add(this.item({ folder, unit: unit.name, test: test.name }, test.name, uri, rangeOf(test.range)));
        }
      }
    }
    return made;
  }

  // found returns the item of a result. Tests that no text shows, such as examples and those that rules write, get one.
  // The result of a unit as a whole, which is blocked or cannot be prepared, has none.
  found(folder, result) {
    const at = vscode.Uri.file(path.resolve(folder, result.file));
    const line = Math.max(result.line - 1, 0);
    const range = new vscode.Range(line, 0, line, 0);
    let item = this.controller.items.get(idOf(folder));
    if (!item) {
      item = this.item({ folder }, path.basename(folder), vscode.Uri.file(folder));
      this.controller.items.add(item);
    }
    if (result.test === 'unit') {
      return { place: new vscode.Location(at, range) };
    }
    for (const about of [{ folder, unit: result.unit }, { folder, unit: result.unit, test: result.test }]) {
      const id = idOf(folder, about.unit, about.test);
      if (!item.children.get(id)) {
        item.children.add(this.item(about, about.test || about.unit, at, range));
      }
      item = item.children.get(id);
    }
    return { item, place: new vscode.Location(at, range) };
  }

  async run(request, token) {
    const run = this.controller.createTestRun(request);
    const items = request.include || [...this.controller.items].map(([, item]) => item);
    for (const item of items) {
      if (!token.isCancellationRequested) {
        await this.runItem(run, item, new Set(request.exclude || []), token);
      }
    }
    run.end();
  }

  // runItem runs the tests of an item. Each has one result: that of its worst run, if it has several.
  async runItem(run, item, excluded, token) {
    const about = this.about.get(item);
    const [leaves, units] = [new Map(), new Map()];
    const collect = (one) => {
      if (excluded.has(one)) {
        return;
      }
      one.children.forEach(collect);
      if (one.children.size === 0) {
        leaves.set(one.id, { item: one, results: [] });
        run.started(one);
      }
    };
    collect(item);
    const only = about.unit === undefined ? [] : ['--run',
      about.test !== undefined && plain(about.unit) && plain(about.test) ? `${about.unit}:${about.test}` : about.unit];
    const { wrong, code } = await this.spawn(['test', '--json', ...only, about.folder], about.folder, token, (result) => {
      if (result.unit === undefined) {
        return; // the counts
      }
      const { item: one, place } = this.found(about.folder, result);
      if (one === undefined) {
        units.set(result.unit, { result, place });
        return;
      }
      if (result.output) {
        run.appendOutput(result.output.replace(/\r?\n/g, '\r\n'), place, one);
      }
      const within = about.test === undefined || one.id === item.id;
      if (within && !excluded.has(one) && !(one.parent && excluded.has(one.parent))) {
        leaves.set(one.id, leaves.get(one.id) || { item: one, results: [] });
        leaves.get(one.id).results.push({ result, place });
      }
    });
    if (wrong) {
      run.appendOutput(wrong.replace(/\r?\n/g, '\r\n'));
    }
    for (const { item: one, results } of leaves.values()) {
      const { unit } = this.about.get(one);
      this.report(run, one, results.length > 0 || !units.has(unit) ? results : [units.get(unit)],
        token.isCancellationRequested ? '' : wrong || `mcplogic test ended with ${code}`);
    }
  }

  report(run, item, results, wrong) {
    const failed = results.filter(({ result }) => result.status === 'failed');
    const seconds = results.reduce((sum, { result }) => sum + (result.seconds || 0), 0);
    if (failed.length > 0) {
      run.failed(item, failed.map(({ result, place }) => messageOf(result, place)), seconds * 1000);
    } else if (results.some(({ result }) => result.status === 'passed' || result.status === 'choice_point')) {
      run.passed(item, seconds * 1000);
    } else if (results.length > 0 || !wrong) {
      run.skipped(item); // blocked, to be fixed, or cancelled
    } else {
      run.errored(item, new vscode.TestMessage(wrong));
    }
  }

  // spawn runs mcplogic and gives each line of its output, as JSON, to a function. It returns what stands on standard error.
  spawn(args, cwd, token, each) {
    return new Promise((resolve) => {
      const child = spawn(this.command(), args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
      const cancelled = token.onCancellationRequested(() => child.kill());
      let [text, wrong] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (part) => {
        const lines = (text + part).split('\n');
        text = lines.pop();
        lines.filter((line) => line.startsWith('{')).forEach((line) => each(JSON.parse(line)));
      });
      child.stderr.setEncoding('utf8').on('data', (part) => { wrong += part; });
      child.on('error', (err) => resolve({ wrong: err.message, code: -1 }));
      child.on('close', (code) => {
        cancelled.dispose();
        resolve({ wrong, code });
      });
    });
  }
}

// messageOf is what the editor shows beside the line of a test that has failed.
function messageOf(result, place) {
  const text = [result.message, result.forall && `with ${result.forall}`, result.why].filter(Boolean).join('\n');
  const message = result.expected
    ? vscode.TestMessage.diff(text, result.expected, result.got || '') : new vscode.TestMessage(text);
  message.location = place;
  return message;
}

module.exports = { Explorer };
