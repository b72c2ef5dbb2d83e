// Calls tools of a server over stdio, with the official TypeScript clients, and prints the results as JSON.
//
// Usage: node calls.mjs CLIENT TASK CALLS
// CLIENT and TASK are those of connect.mjs. CALLS is a file with a list of {"tool": NAME, "arguments": {...}}.
import { readFileSync } from 'node:fs';
import { connect } from './connect.mjs';

const [which, task, calls] = process.argv.slice(2);
const { client } = await connect(which, JSON.parse(task), () => ({ action: 'cancel' }));
const { tools } = await client.listTools();
const results = [];
for (const call of JSON.parse(readFileSync(calls, 'utf8'))) {
  const { content, structuredContent } = await client.callTool({ name: call.tool, arguments: call.arguments });
  results.push(content.map((item) => item.text ?? '').join('\n') + JSON.stringify(structuredContent ?? {}));
}
const instructed = (client.getInstructions?.() ?? '') !== '';
await client.close();
console.log(JSON.stringify({ tools: tools.map(({ name, description }) => ({ name, description })), results, instructed }));
