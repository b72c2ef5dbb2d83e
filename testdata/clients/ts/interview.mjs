// Holds the bird interview with a server over stdio, with the official TypeScript clients, and
// prints what came back as JSON.
//
// Usage: node interview.mjs CLIENT TASK
// CLIENT is sdk (the older package, 2025-11-25), legacy or modern (the newer one, at 2025-11-25
// and 2026-07-28). TASK is JSON: {"command", "args", "env", "answers": {MESSAGE: ANSWER}}.
const [which, taskText] = process.argv.slice(2);
const task = JSON.parse(taskText);
const asked = [];

function answer(request) {
  asked.push(request.params.message);
  const value = task.answers[request.params.message];
  return value === undefined ? { action: 'decline' } : { action: 'accept', content: { answer: value } };
}

async function makeClient() {
  const info = { name: 'interview', version: '1.0.0' };
  const capabilities = { elicitation: {} };
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...task.env };
  const server = { command: task.command, args: task.args, env, stderr: 'inherit' };
  if (which === 'sdk') {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
    const { ElicitRequestSchema } = await import('@modelcontextprotocol/sdk/types.js');
    const client = new Client(info, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, async (request) => answer(request));
    return [client, new StdioClientTransport(server)];
  }
  const { Client } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const mode = which === 'modern' ? { pin: '2026-07-28' } : 'legacy';
  const client = new Client(info, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler('elicitation/create', async (request) => answer(request));
  return [client, new StdioClientTransport(server)];
}

const [client, transport] = await makeClient();
await client.connect(transport);
const report = {
  server: client.getServerVersion?.()?.name,
  tools: (await client.listTools()).tools.map((tool) => tool.name),
  prompts: (await client.listPrompts()).prompts.map((prompt) => prompt.name),
  resources: (await client.listResources()).resources.map((resource) => resource.uri),
  interview: await client.callTool({ name: 'identify_bird', arguments: {} }),
  asked,
  hovering: await client.callTool({ name: 'birds_with', arguments: { feature: 'hovers', value: 'yes' } }),
  mistaken: await client.callTool({ name: 'birds_with', arguments: { feature: 'hoovers' } }),
  prompt: await client.getPrompt({ name: 'identify_from_notes', arguments: { notes: 'blue back' } }),
  taxonomy: (await client.readResource({ uri: 'birds://taxonomy' })).contents[0].text.length,
};
await client.close();
console.log(JSON.stringify(report));
