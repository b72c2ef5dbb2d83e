// A model for the programs at people's desks: it answers in place of the APIs of three vendors, at an address of this
// machine only. It calls the tools of its script, one a turn, and then says that it is done. A line of its log is what
// one turn was sent.
//
//	node model.mjs SCRIPT LOG PORTFILE MARK
//
// The script is a list of {"tool": NAME, "arguments": {...}}. A tool is the one whose name ends like that; a step with a
// tool that is not offered is passed over. "$token" in an argument is the last word behind "Token:" in the results. The
// log says of each turn whether MARK stood in what was sent.
import { createServer } from "node:http";
import { appendFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";

const [script, log, portFile, mark] = process.argv.slice(2);
const planned = JSON.parse(readFileSync(script, "utf8"));

// turn notes what a turn was sent and returns its call: {tool, arguments}, or undefined when all steps are done.
function turn(body, tools, results) {
  appendFileSync(log, JSON.stringify({ tools, results, instructed: JSON.stringify(body).includes(mark) }) + "\n");
  const steps = planned.map((s) => ({ ...s, tool: tools.find((t) => t.name.endsWith(s.tool)) })).filter((s) => s.tool);
  const step = steps[results.length];
  if (!step) return undefined;
  const token = [...results.join("\n").matchAll(/Token: ([\w-]+)/g)].pop()?.[1] ?? "";
  return { tool: step.tool, arguments: JSON.parse(JSON.stringify(step.arguments).replaceAll("$token", token)) };
}

const asText = (x) => (typeof x === "string" ? x : Array.isArray(x) ? x.map((i) => i.text ?? "").join("\n") : JSON.stringify(x));

const sse = (list) => list.map((data) => `${data.type ? `event: ${data.type}\n` : ""}data: ${JSON.stringify(data)}\n\n`).join("");

// messages answers as Anthropic's API.
function messages(body) {
  const results = body.messages.flatMap((m) => (Array.isArray(m.content) ? m.content : []))
    .filter((c) => c.type === "tool_result").map((c) => asText(c.content));
  const tools = (body.tools ?? []).filter((t) => t.name.startsWith("mcp__"))
    .map((t) => ({ name: t.name, description: t.description, schema: t.input_schema }));
  const call = turn(body, tools, results);
  const block = call ? { type: "tool_use", id: `toolu_${results.length}`, name: call.tool.name, input: {} } : { type: "text", text: "" };
  const delta = call ? { type: "input_json_delta", partial_json: JSON.stringify(call.arguments) } : { type: "text_delta", text: "done" };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: "m", type: "message", role: "assistant", model: body.model, content: [], stop_reason: null, usage };
  return sse([
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: call ? "tool_use" : "end_turn" }, usage },
    { type: "message_stop" },
  ]);
}

// responses answers as OpenAI's API. Tools of a server stand in a namespace.
function responses(body) {
  const results = (body.input ?? []).filter((i) => i.type === "function_call_output").map((i) => asText(i.output));
  const tools = (body.tools ?? []).filter((t) => t.name?.startsWith("mcp__")).flatMap((space) =>
    (space.tools ?? []).map((t) => ({ name: t.name, description: t.description, schema: t.parameters, space: space.name })));
  const call = turn(body, tools, results);
  const item = call
    ? { type: "function_call", id: `f${results.length}`, call_id: `c${results.length}`, name: call.tool.name, namespace: call.tool.space, arguments: JSON.stringify(call.arguments) }
    : { type: "message", id: "m", role: "assistant", content: [{ type: "output_text", text: "done" }] };
  const usage = { input_tokens: 1, input_tokens_details: null, output_tokens: 1, output_tokens_details: null, total_tokens: 2 };
  return sse([
    { type: "response.created", response: { id: "r" } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { id: "r", output: [item], usage } },
  ]);
}

// generate answers as Google's API.
function generate(body) {
  const results = body.contents.flatMap((c) => c.parts ?? []).filter((p) => p.functionResponse)
    .map((p) => asText(p.functionResponse.response.output ?? p.functionResponse.response.error));
  const tools = (body.tools ?? []).flatMap((t) => t.functionDeclarations ?? []).filter((t) => t.name.startsWith("mcp_"))
    .map((t) => ({ name: t.name, description: t.description, schema: t.parametersJsonSchema ?? t.parameters }));
  const call = turn(body, tools, results);
  const part = call ? { functionCall: { name: call.tool.name, args: call.arguments } } : { text: "done" };
  return { candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } };
}

// answer returns the type and the text of an answer.
function answer(url, text) {
  const path = url.split("?")[0];
  if (path === "/v1/messages") return ["text/event-stream", messages(JSON.parse(text))];
  if (path === "/v1/responses") return ["text/event-stream", responses(JSON.parse(text))];
  if (path.endsWith(":streamGenerateContent")) return ["text/event-stream", sse([generate(JSON.parse(text))])];
  if (path.endsWith(":generateContent")) return ["application/json", JSON.stringify(generate(JSON.parse(text)))];
  return ["application/json", "{}"];
}

createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const [type, text] = answer(request.url, Buffer.concat(chunks).toString("utf8"));
    response.writeHead(200, { "content-type": type });
    response.end(text);
  });
}).listen(0, "127.0.0.1", function () {
  writeFileSync(portFile + ".new", String(this.address().port));
  renameSync(portFile + ".new", portFile);
});
