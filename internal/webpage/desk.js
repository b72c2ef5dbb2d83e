// The desk: what people who answer for the rules see and do besides calls. The script of the page has the connection,
// forms and results.

// What the server says of itself. rights.edits says that this visitor may change things.
let overview = null, rights = {};
const desk = { drafts: new Map() }; // drafts are texts that have been changed and not saved, by file

// put makes the children of an element, without those that are null.
const put = (e, ...children) => e.replaceChildren(...children.filter(c => c !== null && c !== undefined));
async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  if (token) headers.Authorization = "Bearer " + token;
  const r = await fetch("page/" + path, { method: "POST", headers, body: JSON.stringify(body), credentials: "omit",
    redirect: "error" });
  if (!r.ok) throw new Fault(r.status, await r.text() || r.statusText);
  return readJSON(await r.text());
}
// know reads what the knowledge base is, once for each load of the rules.
let overviewing = null;
const know = () => overviewing ||= fetchBeside("page/overview").then(o => overview = o).catch(e => {
  overviewing = null;
  throw e;
});
// bench calls a tool of the workbench and returns its result: ok, text and value.
async function bench(tool, args) {
  const r = await post("desk", { tool, arguments: args, by: whoAmI() });
  return { ok: !r.isError, text: (r.content || []).map(c => c.text).join("\n"), value: r.structuredContent || {} };
}
// change is bench for what writes. It always returns a result. Without an answer, or with that of a proxy, the server may have written.
const change = (tool, args) => bench(tool, args).catch(e => ({ ok: false, value: {}, lost: !(e.status < 500),
  text: e.message }));
const whoAmI = () => { try { return localStorage.getItem("mcplogic-name") || ""; } catch { return ""; } };
const setName = text => { try { localStorage.setItem("mcplogic-name", text); } catch { /* it is asked again */ } };
const nameField = () => el("label", {}, el("span", {}, "Your name"), el("input", { name: "by", autocomplete: "name",
  value: whoAmI(), oninput: e => setName(e.target.value) }),
el("div", { class: "quiet" }, "It is kept beside what you save."));
// person shows who somebody is by the names that the files of tokens have.
const person = text => [...new Set((text || "").split(", ").map(name => (rights.people || {})[name] ||
  name.replace(/^(token [0-9a-f]{6})[0-9a-f]{10}$/, "$1")))].join(", ");
const count = (n, word) => n + " " + word + (n === 1 ? "" : "s");
const goTo = (text, address) => el("a", { href: "#" + encodeURIComponent(address), onclick: e => {
  e.preventDefault();
  go(address);
} }, text);
// asked says what a call was about.
const asked = (tool, args) => {
  const t = tools.find(one => one.name === tool);
  const given = Object.entries(args || {}).map(([k, v]) => k + " " + plain(v)).join(", ");
  return (t && t.title || tool) + (given ? ": " + given : "");
};
const callAddress = (tool, args) => "Tools " + tool + (args &&
  Object.keys(args).length ? "?" + JSON.stringify(args) : "");
// sheet is a table with the names of its columns, if there are any.
const sheet = (heads, rows) => el("div", { class: "scroll", tabindex: 0 }, el("table", {}, heads ? el("thead", {}, el("tr", {},
  ...heads.map(h => el("th", { scope: "col" }, h)))) : null, el("tbody", {}, ...rows.map(cells => el("tr", {},
  ...cells.map(c => el("td", {}, c)))))));
const when = time => time ? new Date(time).toLocaleString() : "";
const cutText = (text, most = 200) => text && text.length > most ? text.slice(0, most) + " \u2026" : text || "";
// lookup shows what ask returns for a part of a text, at once and when another part is typed.
function lookup(label, out, ask) {
  let timer = 0;
  const field = el("input", { type: "search", "aria-label": label, placeholder: label, oninput: () => {
    clearTimeout(timer);
    timer = setTimeout(look, 300);
  } });
  const look = async () => {
    const text = field.value;
    try {
      const shown = await ask(text);
      if (text === field.value && out.isConnected) put(out, ...shown);
    } catch (e) { showError(e, out); }
  };
  look();
  return el("div", { class: "tools" }, field);
}
const ofAll = (shown, all, word) => el("p", { class: "quiet" }, shown < all ? "The last " + shown + " of " + count(all, word)
  : count(all, word));
const atHome = file => overview && file.startsWith(overview.home) ? file.slice(overview.home.length) : file;
const isGrid = file => /\.(csv|tsv)$/.test(file);

// The first view.
async function openOverview() {
  const view = $("view");
  put(view, el("h2", {}, "Overview"), el("p", { class: "quiet" }, "reading"));
  const here = view.firstChild;
  try { await know(); } catch (e) { if (here.isConnected) showError(e, view.lastChild); return; }
  if (!here.isConnected) return; // another view was opened meanwhile
  // The helpers of the server are no part of what the rules know.
  const own = tools.filter(t => !/^(why|what_if|answer|kb_\w+)$/.test(t.name));
  const words = overview.predicates || [], facts = overview.data || [];
  const known = words.filter(w => w.about && !own.some(t => t.name === w.predicate.split("/")[0]));
  const part = (title, list, more) => list.length || more ? [el("h3", {}, title),
    list.length ? el("ul", { class: "plain" }, ...list) : null, more] : [];
  const item = (head, about, ...rest) => el("li", {}, head, about ? el("div", { class: "quiet" }, about) : null,
    ...rest);
  const cut = cutText, most = 30, shownTools = own.slice(0, most).map(t => item(goTo(t.title || t.name, "Tools " + t.name),
    cut(t.description)));
  const read = (list, kind, key) => list.slice(0, most).map(i => item(goTo(i.title || i.name, kind + " " + i[key]),
    cut(i.description)));
  const about = name => (words.find(w => w.predicate === name) || {}).about;
  const short = shortNames(words.map(w => w.predicate));
  const table = t => item(goTo(tableName(t.predicate), "Decision tables " + t.predicate),
    (about(t.predicate) || "") + " " + atHome(aboutTable(t)), editLink(t.file));
  const data = f => item(overview.desk ? goTo(atHome(f.file), "File " + atHome(f.file)) : el("code", {},
    atHome(f.file)),
    count(f.rows, "fact") + (f.columns ? " with " + f.columns.join(", ") : ""));
  const empty = !own.length && !words.length && !facts.length && !tables.length;
  here.textContent = $("name").textContent;
  const there = [[own.length, "tool"], [tables.length, "decision table"], [facts.reduce((n, f) => n + f.rows, 0), "fact"],
    [overview.cases, "case"]].filter(([n]) => n).map(([n, word]) => count(n, word)).join(", ");
  put(view, here, there ? el("p", {}, there + ".") : null,
  el("p", { class: "quiet" }, "Version of the rules ", el("code", { title: overview.digest }, overview.digest.slice(0,
    8)),
    overview.files.length ? ", from " + overview.files.slice(0, 12).map(atHome).join(", ") +
      (overview.files.length > 12 ? " and " + (overview.files.length - 12) + " more" : "") : ""),
  ...(empty ? [el("p", {},
    "There are no rules yet. Begin with a decision table: a row for each case, and what is decided then.")] : []),
  ...(rights.edits && overview.desk ? [el("p", {}, goTo("New decision table", "New table"), " \u00b7 ", goTo("Files",
    "Files"),
    " \u00b7 ", goTo("Cases", "Cases"))] : []),
  ...part("What you can ask", shownTools, own.length > most ? el("p", { class: "quiet" },
    "and " + (own.length - most) + " more, in the list beside") : null),
  ...part("What is decided by tables", tables.slice(0, most).map(table)),
  ...part("Which facts there are", facts.slice(0, most).map(data)),
  ...(rights.edits ? part("Which facts have been stored", (overview.stored || []).map(w => item(goTo(
    w.predicate.replace(/\/\d+$/, ""), "Stored " + w.predicate), w.about))) : []),
  ...part("What the rules speak of", known.slice(0, most).map(w => item(el("code", {}, short(w.predicate)), cut(w.about),
    w.facts && w.facts.length ? el("div", { class: "quiet" }, "such as ", el("code", {}, cut(w.facts[0],
      100))) : null))),
  ...part("What can be read", [...read(resources.filter(r => !r.uri.startsWith("ui:")), "Resources", "uri"),
    ...read(templates, "Templates", "uriTemplate")]),
  ...part("Prompts", read(prompts, "Prompts", "name")),
  ...(overview.cases ? [el("h3", {}, "Cases"), el("p", { id: "casesum", class: "quiet" }, "running")] : []),
  ...(hello.instructions ? [el("details", {}, el("summary", {}, "What models are told"), el("pre", {},
    hello.instructions))] : []));
  if (overview.cases) {
    const r = await fetchBeside("page/cases").catch(() => null), sum = $("casesum");
    if (r && r.now && sum) put(sum, caseSum(r.now), " ", goTo("Show them", "Cases"));
  }
}
const caseSum = round => {
  const failed = round.outcomes.filter(o => !o.passed).length, wrong = round.wrong.length;
  return el("span", { class: failed || wrong ? "bad" : "good" }, failed ? count(failed, "case") + " of " +
    round.outcomes.length + " failed" : count(round.outcomes.length, "case") + " passed", wrong ? ", " + count(wrong,
      "file") +
    " cannot be used" : "");
};
// editLink says how the file of a table is changed: here, or where it was made.
const editLink = file => {
  if (!rights.edits || !overview || !overview.desk) return null;
  if (isGrid(file)) return el("div", {}, goTo("Edit", "File " + atHome(file)));
  const told = el("div", { role: "status" }), alone = tables.filter(t => t.file === file).length === 1;
  return el("div", { class: "quiet" }, "To change it, open " + atHome(file) +
    " with the program that made it; what is saved there is served at once. ", /\.xlsx$/.test(file) && alone ? el("button",
    { type: "button", class: "link", onclick: () => makeGrid(atHome(file), told) }, "Or edit it here, as a CSV file from now on")
    : "", told);
};
// discard removes a new file when the save of another one that was to use it has been refused.
async function discard(refused, file, made) {
  if (!refused.lost && made.value && made.value.hash)
    await post("discard", { file, hash: made.value.hash, by: whoAmI() }).catch(() => {});
}
// makeGrid makes a CSV file of a workbook, and has the rules read that. The workbook stays as it is.
async function makeGrid(file, told) {
  const csv = file.replace(/\.xlsx$/, ".csv"), base = name => name.split("/").pop();
  const fail = text => put(told, el("pre", { class: "bad" }, text));
  try {
    const read = await bench("kb_read", { file }), files = [];
    for (const name of overview.files.map(atHome)) files.push({ name, ...await readAll(name) });
    // The name stands whole in quotes, perhaps behind a folder: songbirds.xlsx is not birds.xlsx.
    const word = new RegExp("(['\"/])" + base(file).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") + "(['\"])", "g");
    const named = files.flatMap(f => [...f.text.matchAll(word)].map(([old, before, behind]) => ({ file: f.name, old,
      new: before + base(csv) + behind, hash: f.hash })));
    if (!read.ok) { fail(read.text); return; }
    if (named.length !== 1) { fail((named.length ? "More than one place of the rules names " : "No file of rules names ") +
      file + "."); return; }
    const there = await readAll(csv); // an earlier try may have left it
    if (there.hash && there.text !== read.value.text) { fail("There is a file " + csv + " already."); return; }
    const made = there.hash ? { ok: true } : await change("kb_save", { file: csv, text: read.value.text });
    if (!made.ok) { fail(made.text); return; }
    const edited = await change("kb_edit", named[0]);
    if (!edited.ok) {
      await discard(edited, csv, made);
      fail(named[0].file + " cannot read " + csv + ", so that nothing has changed.\n" + edited.text);
      return;
    }
    await load();
    await know();
    go("File " + csv);
  } catch (e) { showError(e, told); }
}

// Cases.
const slug = text => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60);
// keepCase puts a form in place of its button.
function keepCase(button, tool, args, decision) {
  const values = Object.values(args).filter(v => typeof v !== "object").join(" ");
  const form = objectField({ properties: { name: { type: "string", title: "Name", minLength: 1,
    default: slug(tool + " " + values) }, title: { type: "string", title: "What it is about" } },
      required: ["name"] }, {}, 0);
  const out = el("div", { role: "status" });
  const box = el("form", { id: "keep", class: "box", onsubmit: async e => {
    e.preventDefault();
    put(out, el("p", { class: "quiet" }, "running the tests with it"));
    try {
      const v = form.value();
      const r = await post("keep", { ...v, tool, arguments: args, decision, by: whoAmI() });
      showSaved(r, out, v.name);
    } catch (err) { showError(err, out); }
  } }, el("h3", {}, "Keep as a case"), el("p", { class: "quiet" },
    "From now on this call must have this answer. The tests say so when it has not."),
  form.node, nameField(), el("button", { class: "main" }, "Keep"), " ",
  el("button", { type: "button", onclick: () => box.replaceWith(button) }, "Cancel"), out);
  button.replaceWith(box);
  box.querySelector("input").focus();
}
function showSaved(r, out, name) {
  const text = (r.content || []).map(c => c.text).join("\n");
  put(out, el("p", { class: r.isError ? "bad" : "good" }, r.isError ? "Not kept." : "Kept. ",
    r.isError ? null : goTo("Show the cases", "Cases")), el("details", { open: Boolean(r.isError) },
    el("summary", {}, "What the tests say"), el("pre", {}, text)));
  if (!r.isError && overview) overview.cases++;
  out.dataset.kept = r.isError ? "" : name;
}
async function openCases() {
  const view = $("view"), out = el("div", { id: "result" });
  put(view, el("h2", {}, "Cases"), el("p", { class: "quiet" },
    "Calls with the answers that are expected, on the rules that are served."), out);
  out.append(el("p", { class: "quiet" }, "running"));
  try {
    const r = await fetchBeside("page/cases");
    if (r.error) throw new Error(r.error);
    if (!out.isConnected) return;
    showCases(r, out);
  } catch (e) { showError(e, out); }
}
function showCases({ now, before }, out) {
  const was = new Map((before ? before.outcomes : []).map(o => [o.name, o]));
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  const answer = v => typeof v === "string" ? el("span", {}, v) : structured(values(v));
  const shownCase = o => {
    const old = was.get(o.name), moved = old && !same(old.got, o.got);
    const side = (title, v, why) => el("div", {}, el("h3", {}, title), answer(v), why
      ? el("details", {}, el("summary", {}, "Why"), el("pre", {}, why)) : null);
    const args = (o.arguments || {});
    return el("details", { class: "case", open: !o.passed || moved, "data-case": o.name },
      el("summary", {}, el("span", { class: o.passed ? "good" : "bad" },
        o.passed ? "\u2713 passed" : "\u2717 failed"), " ", o.name,
        o.title ? el("span", { class: "quiet" }, " " + o.title) : null, moved ? el("span", { class: "warning" },
          " other answer than before") : null),
      el("p", {}, goTo(asked(o.tool, args), callAddress(o.tool, args))),
      o.differences ? el("ul", {}, ...o.differences.map(d => el("li", { class: "bad" }, d))) : null,
      el("div", { class: "sides" }, side("Expected", o.expected), side("Now, on the rules " + now.digest.slice(0, 8),
        o.got, o.why),
        moved ? side("Before, on " + before.digest.slice(0, 8), old.got, old.why) : null),
      rights.edits && overview && overview.desk && !o.passed ? el("button", { type: "button", onclick: async e => {
        e.target.disabled = true;
        const told = el("div", { role: "status" });
        e.target.after(told);
        try { showSaved(await post("keep", { name: o.name, update: true, by: whoAmI() }), told,
          o.name); } catch (err) { showError(err, told); }
      } }, "Expect the answer of now") : null);
  };
  put(out, el("p", {}, caseSum(now), before ? el("span", { class: "quiet" }, ". Before, on the rules " +
    before.digest.slice(0, 8) + ": ") : "", before ? caseSum(before) : ""),
  ...now.wrong.map(d => el("p", { class: "bad" }, d.file + ":" + d.line + ":" + d.column + ": " + d.message)),
  ...(now.outcomes.length ? now.outcomes.map(shownCase) : [el("p", {},
    "There are none yet. Call a tool, and keep the call as a case.")]));
}

// Decisions: recorded calls.
function openDecisions() {
  const view = $("view"), out = el("div", { id: "result" }), told = el("div", { id: "replayed", role: "status" });
  put(view, el("h2", {}, "Decisions"), el("p", { class: "quiet" }, "The last recorded calls, the newest first."),
    el("p", {}, el("button", { type: "button", id: "replay", onclick: async e => {
      e.target.disabled = true;
      put(told, el("p", { class: "quiet" }, "running all recorded calls again"));
      try { showReplay(await post("replay", {}), told); } catch (err) { showError(err, told); }
      e.target.disabled = false;
    } }, "Would they still be decided so?")), told,
    lookup("part of a record: a name, a value, a tool", out, async text => {
      const { calls, count: all } = await post("decisions", { text });
      return all ? [ofAll(calls.length, all, "call"), sheet(["when", "who", "what was asked", "answer"], calls.map(d => [
        goTo(when(d.time), "Recorded " + d.id), person(d.user), asked(d.tool, d.arguments), el("span", { class: d.outcome === "ok" ? "" : "bad" }, cutText(d.text))]))]
        : [el("p", {}, text ? "No record contains this." : "No call has been recorded yet.")];
    }), out);
}
function showReplay(r, out) {
  const counts = r.lines.at(-1) || {}, list = r.lines.slice(0, -1);
  const side = (title, text, why) => el("div", {}, el("h3", {}, title), el("pre", {}, text), why ? el("pre", {},
    why) : null);
  const said = a => (a && a.result && a.result.content || []).map(c => c.text || c.type).join("\n") || (a &&
    a.outcome) || "";
  put(out, el("p", { class: counts.different ? "warning" : "good" }, count(counts.replayed || 0,
    "call") + " run again on the rules of now, " +
    (counts.different || 0) + " with another answer."), ...Object.entries(counts.skipped || {}).map(([why,
      n]) => el("p", { class: "quiet" }, n + " not run: " + why)),
  ...list.slice(0, 50).map(d => el("details", { open: list.length < 4 }, el("summary", {},
    asked(d.tool, d.arguments) + ", " +
    new Date(d.time).toLocaleString()), el("div", { class: "sides" }, side("Was", said(d.was), d.why_was), side("Now",
      said(d.now), d.why_now)))));
}
// inRules leaves out the folder in which the rules of a day are kept.
const inRules = (text, rules) => rules ? text.replaceAll(rules.slice(0, 16) + "/", "") : text;
async function openDecision(id) {
  const view = $("view"), out = el("div", { id: "result" });
  put(view, el("h2", {}, "Decision"), el("p", { class: "quiet" }, el("code", {}, id), " ", goTo("All decisions",
    "Decisions")), out);
  try {
    const [d] = (await post("decision", { id })).lines;
    if (!out.isConnected) return;
    const args = d.arguments || {}, rows = [["When", new Date(d.time).toLocaleString()], ["Who", person(d.user)],
      ["By which program", d.client && d.client.name], ["Version of the rules", d.rules && d.rules.slice(0, 8)],
      ["Answers of the user", (d.answers || []).map(a => a.action + " " + plain(a.content)).join(", ")], ["Left out",
        (d.omitted || []).join(", ")]];
    const keep = el("button", { type: "button", onclick: () => keepCase(keep, d.tool, args, id) },
      "Keep as a case \u2026");
    put(out, el("dl", {}, ...rows.filter(r => r[1]).flatMap(r => [el("dt", {}, r[0]), el("dd", {}, r[1])])),
      el("p", {}, goTo(asked(d.tool, args), callAddress(d.tool, args))),
      el("h3", { class: d.outcome === "ok" ? "good" : "bad" }, "Answer"), d.result &&
        d.result.structuredContent !== undefined
        ? structured(values(d.result.structuredContent)) : el("div", {}, ...(d.result && d.result.content ||
          []).map(content)),
      ...(d.why ? [el("h3", {}, "Why"), el("pre", {}, inRules(d.why, d.rules))] : []), ...(d.note ? [el("p", { class: "warning" },
        d.note)] : []), keep);
  } catch (e) { showError(e, out); }
}

// Facts that last: what calls have stored, who and when.
function openStored(predicate) {
  const view = $("view"), out = el("div", { id: "result" });
  const about = el("p");
  put(view, el("h2", {}, predicate.replace(/\/\d+$/, "")), about, el("p", { class: "quiet" },
    "Facts that calls have stored, the newest first. They change by calls of tools only."),
  lookup("part of a fact", out, async text => {
    const [{ facts, count: all }] = await Promise.all([post("stored", { predicate, text }), know()]);
    const word = (overview.stored || []).find(w => w.predicate === predicate);
    put(about, word && word.about || "");
    const names = (facts[0] || { arguments: [] }).arguments.map((_, i) => (word && word.arguments || [])[i] ||
      "column " + (i + 1));
    return all ? [ofAll(facts.length, all, "fact"), sheet([...names, "stored by", "on"], facts.map(f => [
      ...f.arguments.map(a => cutText(a)), person(f.by) || (f.when ? "somebody" : ""), when(f.when) || "earlier"]))]
      : [el("p", {}, text ? "No fact contains this." : "Nothing is stored yet.")];
  }), out);
}

// Files and their history.
async function openFiles() {
  const view = $("view"), out = el("div", { id: "result" });
  put(view, el("h2", {}, "Files"), out);
  try {
    const [files, history] = await Promise.all([bench("kb_files", {}), post("history", {})]);
    const name = el("input", { name: "file", "aria-label": "name of a new file",
      placeholder: "rules.pl or facts.csv" });
    put(out, el("ul", { class: "plain" },
      ...files.value.files.filter(f => /\.(pl|plt|csv|tsv|json|jsonl)$/.test(f.name)).map(f =>
      el("li", {}, goTo(f.name, "File " + f.name), el("span", { class: "quiet" }, " " + count(f.bytes, "byte")))),
      ...files.value.files.filter(f => /\.(xlsx|dmn)$/.test(f.name)).map(f => el("li", {}, f.name, el("span",
        { class: "quiet" }, " is not edited here, but with the program that made it"))),
    ),
    el("form", { onsubmit: e => { e.preventDefault(); if (name.value.trim()) go("File " + name.value.trim()); } },
      name, " ",
      el("button", {}, "New file")), el("h3", {}, "What was saved"), saves(history));
  } catch (e) { showError(e, out); }
}

const saves = history => history.length ? sheet(["when", "who", "file"], history.map(h => [goTo(when(h.time), "Version " +
  h.hash + " " + h.time + " " + h.file), person(h.by) || "somebody", goTo(h.file, "File " + h.file)])) : el("p", { class: "quiet" }, "nothing yet");

async function openVersions(file) {
  const view = $("view"), out = el("div", { id: "result" });
  put(view, el("h2", {}, "Versions of " + file), el("p", {}, goTo("The file as it is", "File " + file)), out);
  try { put(out, saves(await post("history", { file }))); } catch (e) { showError(e, out); }
}
// openVersion shows what one save has changed. The version can be put into the editor, to be saved again.
async function openVersion(address) {
  // Several saves may have one hash. An address without a time is that of the last one.
  const [, hash, time, file] = /^(\S*) (?:(\d{4}-\d\d-\d\dT[\d:.]+Z) )?(.*)$/s.exec(address) || [null, "", undefined, address];
  const view = $("view"), out = el("div", { id: "result" });
  put(view, el("h2", {}, "A version of " + file), el("p", { class: "quiet" }, goTo("All versions", "Versions " + file)), out);
  try {
    const v = await post("version", { file, hash, time });
    put(out, el("p", {}, (v.text === "" && !v.save.hash ? "Removed by " : "Saved by ") + (person(v.save.by) || "somebody") + " on " + when(v.save.time)), el("h3", {},
      "What was changed"), v.was === null ? el("p", { class: "warning", id: "forgotten" },
        "The text before this save is not kept any more. This is the text that was saved.") : null,
    v.was === null ? el("pre", { tabindex: 0 }, v.text) : diffView(v.was, v.text), el("button", { type: "button", id: "again", onclick: async () => {
      await openFile(file);
      const draft = desk.shown;
      if (!draft || draft.file !== file) return;
      draft.load(v.text);
      draft.changed();
      go("File " + file);
    } }, "Put this version into the editor"));
  } catch (e) { showError(e, out); }
}
const diffView = (was, is) => el("pre", { class: "diff", tabindex: 0 }, ...difference(was, is).map(([sign, line]) =>
  el("div", { class: sign === "+" ? "plus" : sign === "-" ? "minus" : "quiet" }, sign + " " + line)));

// readAll reads a file: its text and hash, which are "" for one that is not there.
const readAll = file => post("file", { file });

async function openFile(file) {
  const view = $("view"), status = el("p", { class: "quiet", role: "status", id: "status" }, "reading");
  put(view, el("h2", {}, file), status);
  if (!rights.edits) {
    status.textContent = rights.token ? "A token with the right to edit is needed."
      : "This page shows files to those who may edit.";
    return;
  }
  let draft = desk.drafts.get(file);
  if (!draft) {
    let base;
    try { [base] = await Promise.all([readAll(file), know()]); } catch (e) { showError(e, status); return; }
    draft = isGrid(file) ? new Grid(file, base) : new Text(file, base);
    draft.restore();
  }
  if (!status.isConnected) return;
  desk.shown = draft;
  draft.show(view);
}

// A draft is a file that is edited. It checks what is typed, shows what differs, saves and takes back.
class Draft {
  constructor(file, base) {
    this.file = file;
    this.base = base;
    this.report = el("div", { id: "report", role: "status" });
    this.review = el("div", { id: "review" });
  }
  changed() {
    if (this.text() === this.base.text) this.forget();
    else {
      desk.drafts.set(this.file, this);
      clearTimeout(this.keeper);
      this.keeper = setTimeout(() => this.keep(), 300);
    }
    put(this.review);
    this.saver.disabled = !desk.drafts.has(this.file);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), 700);
  }
  // keep has a text survive a reload of the page, in this tab.
  keep() {
    const text = JSON.stringify({ base: this.base, text: this.text() }), most = 1e6;
    if (text.length > most) return;
    try { sessionStorage.setItem("mcplogic-draft " + this.file, text); } catch { /* it is full */ }
  }
  forget() {
    desk.drafts.delete(this.file);
    clearTimeout(this.keeper);
    try { sessionStorage.removeItem("mcplogic-draft " + this.file); } catch { /* there is none */ }
  }
  restore() {
    let kept = null;
    try { kept = JSON.parse(sessionStorage.getItem("mcplogic-draft " + this.file)); } catch { /* there is none */ }
    if (!kept) return;
    this.base = kept.base;
    this.load(kept.text);
    desk.drafts.set(this.file, this);
  }
  async check() {
    const text = this.text();
    try {
      const r = await bench("kb_check", { file: this.file, text });
      if (text !== this.text()) return; // it goes on
      const list = (r.value.diagnostics || []).filter(d => d.severity !== "note");
      this.problems = new Map(list.filter(d => d.file === this.file).map(d => [d.line, d.message]));
      put(this.report, ...(list.length ? list.slice(0, 20).map(d => el("p",
        { class: d.severity === "error" ? "bad" : "warning" },
        (d.file === this.file ? (isGrid(this.file) ? "row " : "line ") + d.line : d.file + ":" + d.line) + ": " + d.message)) : [el("p",
          { class: "good" }, "Nothing is wrong.")]));
      this.mark();
    } catch (e) { showError(e, this.report); }
  }
  mark() {}
  // tools are the buttons below.
  tools() {
    this.saver = el("button", { type: "button", class: "main", id: "save", disabled: !desk.drafts.has(this.file),
      onclick: () => this.look() },
      "Review and save");
    return el("div", { class: "tools" }, this.saver, " ", el("button", { type: "button", id: "takeback",
      onclick: () => this.takeBack() },
      "Take the last save back"), " ", this.base.hash ? goTo("Earlier versions", "Versions " + this.file) : null);
  }
  async look() {
    put(this.review, el("p", { class: "quiet" }, "looking at what would change"));
    const text = this.text();
    let told = { text: "" };
    try { told = await bench("kb_diff", { file: this.file, text }); } catch (e) { told = { text: e.message }; }
    if (text !== this.text()) return;
    put(this.review, el("h3", {}, "What you have changed"), diffView(this.base.text, text),
    ...(/^The knowledge base does not load/.test(told.text) ? [el("p", { class: "bad" },
      "This cannot be saved as it is."), el("details", {}, el("summary", {}, "What the check says"), el("pre", {}, told.text))]
      : [el("h3", {}, "What would be decided otherwise"), el("pre", {}, told.text)]), nameField(),
    el("button", { type: "button", class: "main", id: "confirm", onclick: e => this.save(e.target, false) }, "Save"));
    this.review.scrollIntoView({ block: "nearest" });
  }
  async save(button, remove) {
    button.disabled = true;
    const text = this.text();
    this.done(await change("kb_save", { file: this.file, text, ...(this.base.hash ? { hash: this.base.hash } : {}),
      remove }), text);
  }
  async takeBack() {
    if (desk.drafts.has(this.file)) { put(this.report, el("p", { class: "warning" },
      "Save or undo your changes before.")); return; }
    const r = await change("kb_undo", { file: this.file, hash: this.base.hash });
    this.done(r, this.text());
    if (r.ok) { this.base = await readAll(this.file); this.load(this.base.text); }
  }
  done(r, text) {
    if (r.ok) {
      this.base = { text, hash: r.value.hash };
      this.forget();
      this.saver.disabled = true;
      // Rules have got another first line, if nobody proves to own them.
      if (!isGrid(this.file)) readAll(this.file).then(base => {
        this.base = base;
        if (!desk.drafts.has(this.file)) this.load(base.text);
      });
    }
    const gone = /would be gone/.test(r.text), stale = /has changed since/.test(r.text) ||
      /There is a file/.test(r.text);
    put(this.review, el("p", { class: r.ok ? "good" : "bad", id: "saved" },
      /^Nothing was changed/.test(r.text) ? "Nothing was changed." : r.ok ? "Saved and served." : /^The file is saved/.test(r.text) ? "Saved, and not served."
        : r.lost ? "The connection was lost, and what became of this is not known. Try again: nothing of others is overwritten."
          : "Nothing was saved."), el("pre", {}, r.text),
      gone ? el("button", { type: "button", onclick: e => this.save(e.target, true) }, "Save all the same") : null,
      stale ? el("button", { type: "button", id: "merge", onclick: () => this.merge() },
        "Take in what others have saved, and keep my changes") : null);
    poll();
  }
  // merge puts the own changes into the text that others have saved.
  async merge() {
    const own = difference(this.base.text, this.text()), base = await readAll(this.file), lines = base.text.split("\n");
    const lost = [];
    let at = 0;
    for (const [sign, line] of own) {
      if (sign === "+") { lines.splice(at, 0, line); at++; continue; }
      const found = lines.indexOf(line, at) >= 0 ? lines.indexOf(line, at) : lines.indexOf(line);
      if (found < 0) { if (sign === "-") lost.push(line); continue; }
      if (sign === "-") { lines.splice(found, 1); at = found; } else at = found + 1;
    }
    this.base = base;
    this.load(lines.join("\n"));
    this.changed();
    put(this.review, el("p", { class: lost.length ? "bad" : "good" }, lost.length
      ? "Others have changed these lines too; both are there now. Look at them:"
      : "Both changes are there now. Review and save them."),
    ...lost.map(l => el("pre", {}, l)));
  }
}

// difference compares two texts by lines. It returns [sign, line] for what differs and a line around it.
function difference(was, is) {
  const a = was.split("\n"), b = is.split("\n");
  let first = 0, last = 0;
  while (first < a.length && first < b.length && a[first] === b[first]) first++;
  while (last < a.length - first && last < b.length - first &&
    a[a.length - 1 - last] === b[b.length - 1 - last]) last++;
  const x = a.slice(first, a.length - last), y = b.slice(first, b.length - last), out = [];
  if (first) out.push([" ", a[first - 1]]);
  if (x.length * y.length > 4e6) { // too much for a table: all of it is another text
    out.push(...x.map(l => ["-", l]), ...y.map(l => ["+", l]));
  } else {
    const t = Array.from({ length: x.length + 1 }, () => new Uint32Array(y.length + 1));
    for (let i = x.length - 1; i >= 0; i--) for (let j = y.length - 1; j >= 0; j--)
      t[i][j] = x[i] === y[j] ? t[i + 1][j + 1] + 1 : Math.max(t[i + 1][j], t[i][j + 1]);
    for (let i = 0, j = 0; i < x.length || j < y.length;) {
      if (i < x.length && j < y.length && x[i] === y[j]) { out.push([" ", x[i]]); i++; j++; }
      else if (i < x.length && (j === y.length || t[i + 1][j] >= t[i][j + 1])) out.push(["-", x[i++]]);
      else out.push(["+", y[j++]]);
    }
  }
  if (last) out.push([" ", a[a.length - last]]);
  // Of a long run of equal lines only the ends are of use.
  return out.filter(([sign], i) => sign !== " " || (out[i - 1] || " ")[0] !== " " || (out[i + 1] || " ")[0] !== " ");
}

class Text extends Draft {
  text() { return this.area.value; }
  load(text) {
    this.area ||= el("textarea");
    this.area.value = text;
  }
  show(view) {
    const kept = this.area ? this.area.value : this.base.text;
    this.area = el("textarea", { id: "text", "aria-label": "text of " + this.file, spellcheck: "false", rows: 24,
      oninput: () => this.changed() });
    this.area.value = kept;
    put(view, el("h2", {}, this.file), this.base.hash ? "" : el("p", { class: "quiet" },
      "This file is not there yet."), this.area, this.report, this.tools(), this.review);
  }
}

// CSV: rows are {raw, cells}. A row that is not changed is saved as it was, byte by byte.
const separatorOf = (file, line) => file.endsWith(".tsv") ? "\t"
  : (line.match(/;/g) || []).length > (line.match(/,/g) || []).length ? ";" : ",";
function parseCSV(text, separator) {
  const rows = [];
  let cells = [], cell = "", quoted = false, start = 0;
  for (let i = 0; i <= text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === undefined) { cells.push(cell); rows.push({ raw: text.slice(start), cells }); return rows; }
      if (c === '"' && text[i + 1] === '"') { cell += '"'; i++; } else if (c === '"') quoted = false; else cell += c;
    } else if (c === '"' && cell === "") quoted = true;
    else if (c === separator) { cells.push(cell); cell = ""; }
    else if (c === "\n" || c === undefined) {
      if (c === undefined && start === text.length) break;
      cells.push(cell.replace(/\r$/, ""));
      rows.push({ raw: text.slice(start, i), cells });
      cells = []; cell = ""; start = i + 1;
    } else cell += c;
  }
  return rows;
}
const writeCSV = (cells, separator) => cells.map(c => c.includes(separator) || /["\n\r]/.test(c) || /^\s|\s$/.test(c)
  ? '"' + c.replaceAll('"', '""') + '"' : c).join(separator);

// What a cell may be. The server has the last word; this is said at once.
function wrongCell(column, text) {
  const t = text.trim();
  if (column.note || t === "" || column.decision && (t === "-" || !column.output)) {
    if (!(column.decision && column.values && t && t !== "-" && !column.output)) return "";
    const bad = t.replace(/^not\((.*)\)$/, "$1").split(",").map(w => w.trim().replace(/^"(.*)"$/,
      "$1")).filter(w => w && !column.values.includes(w));
    return bad.length ? bad[0] + " is not among " + column.values.join(", ") : "";
  }
  if (column.values && !column.values.includes(t)) return t + " is not among " + column.values.join(", ");
  const type = column.type || "";
  if (/^integer/.test(type) && !/^-?\d+$/.test(t)) return "an integer is wanted";
  if (/^(number|float|decimal)/.test(type) && !/^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(t)) return "a number is wanted";
  if (/^date$/.test(type) && !/^\d{4}-\d\d-\d\d$/.test(t)) return "a date is wanted, such as 2026-03-01";
  return "";
}

const rowHeight = 34;
class Grid extends Draft {
  constructor(file, base) {
    super(file, base);
    this.undos = [];
    this.load(base.text);
  }
  load(text) {
    this.end = /\r\n/.test(text) ? "\r\n" : "\n";
    this.closed = text === "" || text.endsWith("\n");
    this.separator = separatorOf(this.file, text.split("\n")[0] || "");
    const rows = parseCSV(text, this.separator), data = this.data();
    // A file of facts may have no line of names. Those of the predicate stand for it then.
    this.headless = Boolean(data && !data.columns);
    this.first = this.headless ? 1 : 2; // the line of the first row
    const word = this.headless && (overview.predicates || []).find(w => w.predicate === data.predicate);
    const names = data ? data.types.map((_, i) => ((word && word.arguments || [])[i] ||
      "column " + (i + 1)).split(":")[0]) : [];
    this.head = this.headless ? { raw: "", cells: names } : rows[0] || { raw: "", cells: ["column"] };
    this.rows = this.headless ? rows : rows.slice(1);
    this.columns = this.head.cells.map((c, i) => this.column(c, i));
    this.found = null;
    if (this.body) this.draw();
  }
  // data describes a file of facts, undefined for other files.
  data() { return overview && (overview.data || []).find(f => atHome(f.file) === this.file); }
  // column describes a column by its head: of a decision table, or of a file of facts.
  column(head, i) {
    const table = tables.find(t => atHome(t.file) === this.file), data = this.data();
    const m = head.match(/^\s*(out:|note:)?\s*([^(]*?)\s*(?:\((.*)\))?\s*$/) || [];
    const c = { head, name: m[2] || head, output: m[1] === "out:", note: m[1] === "note:", type: m[3] || "",
      decision: Boolean(table) || /(^|[,;\t])\s*out:/.test(this.head ? this.head.raw : head) };
    if (data && data.types && !c.type) c.type = data.types[data.columns ? data.columns.indexOf(head) : i] || "";
    if (/\|/.test(c.type)) c.values = c.type.split("|").map(v => v.trim().replace(/^"(.*)"$/, "$1"));
    return c;
  }
  text() {
    const lines = [...(this.headless ? [] : [this.head]), ...this.rows].map(r => r.raw ?? writeCSV(r.cells,
      this.separator) + (this.end === "\r\n" ? "\r" : ""));
    return lines.join("\n") + (this.closed && lines.length ? "\n" : "");
  }
  change(undo) {
    this.undos.push(undo);
    this.undoer.disabled = false;
    this.draw();
    this.changed();
  }
  known(i) {
    const c = this.columns[i];
    if (c.values) return c.values;
    if (this.suggested && this.suggested[i]) return this.suggested[i];
    const seen = new Set();
    for (const r of this.rows) if (seen.size > 100) break; else if (r.cells[i]) seen.add(r.cells[i]);
    return ((this.suggested ||= [])[i] = seen.size > 100 ? [] : [...seen]);
  }
  set(row, i, value) {
    const old = { ...row, cells: [...row.cells] };
    if (old.cells[i] === value) return;
    while (row.cells.length <= i) row.cells.push("");
    row.cells[i] = value;
    row.raw = undefined;
    const last = this.undos.at(-1);
    if (last && last.row === row &&
      last.cell === i) { this.changed(); return; } // one step for what is typed in one cell
    this.undos.push({ row, cell: i, back: () => Object.assign(row, old) });
    this.undoer.disabled = false;
    this.changed();
  }
  add(after, cells) {
    const row = { cells: cells || this.columns.map(() => "") },
      at = after ? this.rows.indexOf(after) + 1 : this.rows.length;
    this.rows.splice(at, 0, row);
    this.closed = true;
    this.found = null;
    this.change({ back: () => this.rows.splice(this.rows.indexOf(row), 1) });
    this.focus(at, 0);
  }
  remove(row) {
    const at = this.rows.indexOf(row);
    this.rows.splice(at, 1);
    this.change({ back: () => this.rows.splice(at, 0, row) });
  }
  undo() {
    const last = this.undos.pop();
    if (!last) return;
    last.back();
    this.undoer.disabled = !this.undos.length;
    this.draw();
    this.changed();
  }
  focus(at, i) {
    this.box.scrollTop = Math.max(0, (at - 3) * rowHeight);
    this.draw();
    const input = this.body.querySelector("[data-row='" + at + "'][data-column='" + i + "']");
    if (input) input.focus();
  }
  shown() { return this.found || this.rows; }
  search(text) {
    const sought = text.toLowerCase();
    this.found = sought ? this.rows.filter(r => r.cells.some(c => c.toLowerCase().includes(sought))) : null;
    this.box.scrollTop = 0;
    this.draw();
  }
  mark() { this.draw(true); }
  // draw makes the rows that are seen. Those above and below are one high row each.
  draw(keep) {
    const rows = this.shown(), from = Math.max(0, Math.floor(this.box.scrollTop / rowHeight) - 8),
      to = Math.min(rows.length, from + 40);
    const active = document.activeElement, at = this.body.contains(active) ? [active.dataset.row,
      active.dataset.column, active.selectionStart] : null;
    if (keep && at) { // only marks: what is typed in stays
      this.body.querySelectorAll("tr[data-line]").forEach(tr => tr.classList.toggle("wrong",
        this.problems.has(+tr.dataset.line)));
      return;
    }
    const filler = n => el("tr", { "aria-hidden": "true", style: "height:" + n * rowHeight + "px" });
    put(this.body, filler(from), ...rows.slice(from, to).map((row, n) => {
      const number = this.found ? this.rows.indexOf(row) : from + n, line = number + this.first;
      return el("tr", { "data-line": line, "aria-rowindex": line, class: this.problems &&
        this.problems.has(line) ? "wrong" : "" },
        el("th", { scope: "row" }, String(line)), ...this.columns.map((c, i) => {
          const input = el("input", { "data-row": number, "data-column": i, "aria-label": c.name + ", row " + line,
            value: row.cells[i] || "",
            list: this.known(i).length ? "known" + i : false, spellcheck: "false",
              oninput: () => { check(); this.set(row, i, input.value); },
            onkeydown: e => this.key(e, number, i) });
          const check = () => {
            const wrong = wrongCell(c, input.value);
            input.setAttribute("aria-invalid", String(Boolean(wrong)));
            input.title = wrong;
          };
          check();
          return el("td", {}, input);
        }), el("td", { class: "acts" }, el("button", { type: "button", "aria-label": "copy row " + line,
          title: "copy", onclick: () => this.add(row, [...row.cells]) }, "+"),
          el("button", { type: "button", "aria-label": "remove row " + line, title: "remove",
            onclick: () => this.remove(row) }, "\u2212")));
    }), filler(rows.length - to));
    if (at) {
      const again = this.body.querySelector("[data-row='" + at[0] + "'][data-column='" + at[1] + "']");
      if (again) { again.focus({ preventScroll: true }); again.setSelectionRange(at[2], at[2]); }
    }
    this.count.textContent = count(rows.length, "row") + (this.found ? " of " + this.rows.length : "");
  }
  key(e, number, i) {
    if (e.key === "z" && (e.ctrlKey || e.metaKey)) { e.preventDefault(); this.undo(); return; }
    const step = { Enter: 1, ArrowDown: e.altKey ? 0 : 1, ArrowUp: e.altKey ? 0 : -1 }[e.key];
    if (!step || e.target.getAttribute("list") && e.key !== "Enter") return;
    e.preventDefault();
    const next = number + step;
    if (next < 0 || next > this.rows.length) return;
    if (next === this.rows.length) { if (e.key === "Enter") this.add(null); return; }
    const input = this.body.querySelector("[data-row='" + next + "'][data-column='" + i + "']");
    if (input) input.focus(); else this.focus(next, i);
  }
  show(view) {
    this.body = el("tbody");
    this.count = el("span", { class: "quiet" });
    this.undoer = el("button", { type: "button", id: "undo", disabled: !this.undos.length,
      onclick: () => this.undo() }, "Undo");
    this.suggested = null;
    const lists = this.columns.map((c, i) => el("datalist", { id: "known" + i },
      ...this.known(i).map(v => el("option", { value: v }))));
    this.box = el("div", { class: "grid", tabindex: 0, role: "region", "aria-label": "rows of " + this.file,
      onscroll: () => {
      cancelAnimationFrame(this.frame);
      this.frame = requestAnimationFrame(() => this.draw());
    } }, el("table", { "aria-rowcount": this.rows.length + 1 }, el("thead", {}, el("tr", {}, el("th",
      { scope: "col" }, "row"), ...this.columns.map(c =>
      el("th", { scope: "col" }, c.name, aboutColumn(c))),
    el("th", { scope: "col" }, el("span", { class: "hide" }, "actions")))), this.body));
    const table = tables.find(t => atHome(t.file) === this.file);
    put(view, el("h2", {}, this.file), el("p", { class: "quiet" }, ...(table ? ["The decision table ",
      goTo(tableName(table.predicate), "Decision tables " + table.predicate), ". " + howTable(table) +
      " In a cell, - stands for any value, and < 18, >= 18 or [18..65] for a range. "] : []), this.count),
    el("div", { class: "tools" }, el("input", { type: "search", "aria-label": "part of a row",
      placeholder: "part of a row",
      oninput: e => this.search(e.target.value) }), " ", el("button", { type: "button", id: "addrow",
        onclick: () => this.add(null) }, "Add a row"), " ", this.undoer),
    this.box, ...lists, this.report, this.tools(), this.review);
    this.draw();
  }
}

// A new decision table: two files, one with its rows and one that makes it a tool.
function openNewTable() {
  const view = $("view"), out = el("div", { id: "review", role: "status" });
  const types = ["text", "integer", "number", "decimal(2)", "date", "boolean"];
  const typed = { type: "object", title: "column", properties: { name: { type: "string", title: "Name", minLength: 1 },
    type: { type: "string", title: "Values",
    description: "text, integer (a whole number), number, decimal(2) (an amount with two decimals), date, boolean (true " +
      "or false), or the values themselves, as low|medium|high",
      examples: types } }, required: ["name"] };
  const form = objectField({ properties: { name: { type: "string", title: "Name of the table", minLength: 1,
    pattern: "[a-z][a-z0-9_]*",
    description: "small letters, digits and _, such as premium" }, title: { type: "string", title: "Title" },
  about: { type: "string", title: "What it decides", minLength: 1 }, inputs: { type: "array",
    title: "What it depends on", minItems: 1, items: typed },
  outputs: { type: "array", title: "Its results", minItems: 1, items: typed } }, required: ["name", "about",
    "inputs", "outputs"] }, {}, 0);
  put(view, el("h2", {}, "New decision table"), el("p", { class: "quiet" },
    "It becomes a tool that people and models can call."),
    el("form", { id: "newtable", onsubmit: async e => {
      e.preventDefault();
      try {
        const v = form.value(), quote = t => "'" + t.replaceAll("\\", "\\\\").replaceAll("'", "\\'") + "'";
        const head = (c, sign) => sign + c.name.trim() + (c.type && c.type !== "text" ? " (" + c.type + ")" : "");
        const columns = [...v.inputs, ...v.outputs], file = v.name + ".csv";
        const csv = writeCSV([...v.inputs.map(c => head(c, "")), ...v.outputs.map(c => head(c, "out: "))], ",") + "\n";
        const key = v.name + "/" + columns.length, names = columns.map(c => quote(c.name.trim())).join(", ");
        const rules = "% " + v.about + "\n:- decision(" + key + ", " + quote(file) + ").\n:- info(" + key +
          ", [comment is " + quote(v.about) + ", argnames is [" + names + "]]).\ntools([tool(" + v.name + ", " +
          v.name + ", " + columns.length + (v.title ? ", [title(" + quote(v.title) + ")]" : "") + ")]).\n";
        const made = await change("kb_save", { file, text: csv });
        const used = made.ok ? await change("kb_save", { file: v.name + ".pl", text: rules }) : made;
        if (!used.ok) {
          if (made.ok) await discard(used, file, made);
          put(out, el("p", { class: "bad" }, "Nothing was saved."), el("pre", {}, used.text));
          return;
        }
        await load();
        await know();
        go("File " + file);
      } catch (err) { showError(err, out); }
    } }, form.node, nameField(), el("button", { class: "main" }, "Make the table"), out));
}

// The views of the desk, by the beginning of their address.
const routes = [["Overview", openOverview], ["Cases", openCases], ["Decisions", openDecisions], ["Recorded ",
  openDecision], ["Files", openFiles],
  ["File ", openFile], ["Versions ", openVersions], ["Version ", openVersion], ["Stored ", openStored], ["New table", openNewTable]];
// openRoute opens a view that is not of an item of the server, and reports whether there is one.
function openRoute(address) {
  const found = routes.find(([name]) => name.endsWith(" ") ? address.startsWith(name) : address === name);
  if (!found) return false;
  if (address === "Overview" && !location.hash) opened = address; // the first view needs no address
  else setAddress(address);
  chosen = "Desk " + address;
  document.querySelectorAll("nav button").forEach(b => b.setAttribute("aria-current",
    String(b.dataset.item === chosen)));
  found[1](address.slice(found[0].length));
  return true;
}
const deskItems = () => [["Overview", true], ["Cases", true], ["Decisions", rights.edits && rights.records], ["Files",
  rights.edits && rights.desk]]
  .filter(i => i[1]).map(([name]) => el("button", { "data-item": "Desk " + name,
    "aria-current": String(chosen === "Desk " + name),
    onclick: () => { openRoute(name); heading(); } }, name));
// heading puts the focus on the heading of a view that was just opened.
function heading() {
  menu(false);
  const h = $("view").querySelector("h2");
  if (h) { h.tabIndex = -1; h.focus({ preventScroll: true }); }
}
