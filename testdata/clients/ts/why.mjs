// Asks a server of examples/loans why, over stdio or HTTP, with the official TypeScript clients, and prints what came back
// as JSON.
//
// Usage: node why.mjs CLIENT TASK
// CLIENT and TASK are those of connect.mjs. The user of the client says that everybody earns 20000.
import { connect } from './connect.mjs';

const [which, taskText] = process.argv.slice(2);
const task = JSON.parse(taskText);
const asked = [];

function answer(request) {
  asked.push(request.params.message);
  return { action: 'accept', content: { income: 20000 } };
}

const { client, transport } = await connect(which, task, answer);
const call = async (name, args) => {
  const { content, structuredContent, isError, _meta } = await client.callTool({ name, arguments: args });
  return { text: content[0].text, structured: structuredContent, isError: !!isError, meta: _meta ?? {} };
};
const tool = (await client.listTools()).tools.find((tool) => tool.name === 'why');
const page = (await client.readResource({ uri: tool._meta.ui.resourceUri })).contents[0];
const report = {
  resources: (await client.listResources()).resources.map((resource) => resource.uri),
  page: { uri: page.uri, mimeType: page.mimeType, begins: page.text.slice(0, 15) },
  held: await call('may_have', { Person: 'ada', Product: 'gold' }),
  failed: await call('may_have', { Person: 'bob', Product: 'gold' }),
  why: await call('why', { nodes: true, tool: 'may_have', arguments: { Person: 'ada', Product: 'gold' } }),
  cut: await call('why', { tool: 'eligible', arguments: { Person: 'ada' }, depth: 1 }),
  deeper: await call('why', { tool: 'eligible', arguments: { Person: 'ada' }, node: 'n1.4' }),
  whyNot: await call('why', { nodes: true, tool: 'may_have', arguments: { Person: 'bob', Product: 'gold' } }),
  interview: await call('may_have', { Person: 'dan', Product: 'starter' }),
  whyAsked: await call('why', { nodes: true, tool: 'may_have', arguments: { Person: 'dan', Product: 'starter' } }),
  asked,
};
await transport.terminateSession?.();
await client.close();
console.log(JSON.stringify(report));
