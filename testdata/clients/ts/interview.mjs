// Holds the bird interview with a server over stdio or HTTP, with the official TypeScript clients,
// and prints what came back as JSON.
//
// Usage: node interview.mjs CLIENT TASK
// CLIENT is sdk (the older package, 2025-11-25), legacy, modern or auto (the newer one, at
// 2025-11-25, at 2026-07-28 and as it negotiates). TASK is JSON: "answers" {MESSAGE: ANSWER},
// "elicits" whether the client asks its user, and either "command", "args" and "env" or "url",
// with "oauth" {"issuer", "scope"} when the server wants a token of that issuer.
const [which, taskText] = process.argv.slice(2);
const task = JSON.parse(taskText);
const asked = [];

function answer(request) {
  asked.push(request.params.message);
  const value = task.answers[request.params.message];
  return value === undefined ? { action: 'decline' } : { action: 'accept', content: { answer: value } };
}

const older = {
  client: async () => (await import('@modelcontextprotocol/sdk/client/index.js')).Client,
  stdio: async () => (await import('@modelcontextprotocol/sdk/client/stdio.js')).StdioClientTransport,
  http: async () => (await import('@modelcontextprotocol/sdk/client/streamableHttp.js')).StreamableHTTPClientTransport,
  credentials: async () => (await import('@modelcontextprotocol/sdk/client/auth-extensions.js')).ClientCredentialsProvider,
  elicitation: async () => (await import('@modelcontextprotocol/sdk/types.js')).ElicitRequestSchema,
};
const newer = {
  client: async () => (await import('@modelcontextprotocol/client')).Client,
  stdio: async () => (await import('@modelcontextprotocol/client/stdio')).StdioClientTransport,
  http: async () => (await import('@modelcontextprotocol/client')).StreamableHTTPClientTransport,
  credentials: async () => (await import('@modelcontextprotocol/client')).ClientCredentialsProvider,
  elicitation: async () => 'elicitation/create',
};
const library = which === 'sdk' ? older : newer;

async function makeTransport() {
  if (!task.url) {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...task.env };
    return new (await library.stdio())({ command: task.command, args: task.args, env, stderr: 'inherit' });
  }
  const options = {};
  if (task.oauth) {
    options.authProvider = new (await library.credentials())({
      clientId: 'interviewer', clientSecret: 'a-secret-of-this-test',
      expectedIssuer: task.oauth.issuer, scope: task.oauth.scope,
    });
  }
  return new (await library.http())(new URL(task.url), options);
}

async function makeClient() {
  const mode = { legacy: 'legacy', modern: { pin: '2026-07-28' }, auto: 'auto' }[which];
  const options = { capabilities: task.elicits ? { elicitation: {} } : {}, versionNegotiation: mode && { mode } };
  const client = new (await library.client())({ name: 'interview', version: '1.0.0' }, options);
  if (task.elicits) {
    client.setRequestHandler(await library.elicitation(), async (request) => answer(request));
  }
  return client;
}

// Interviews in place of a model: what the tool asks is answered with another tool.
async function interview(client) {
  let result = await client.callTool({ name: 'identify_bird', arguments: {} });
  while (!task.elicits && result.structuredContent?.token) {
    const { token, question } = result.structuredContent;
    const { action, content } = answer({ params: { message: question } });
    result = await client.callTool({ name: 'answer', arguments: { token, action, answer: content } });
  }
  return result;
}

const client = await makeClient();
const transport = await makeTransport();
await client.connect(transport);
const report = {
  server: client.getServerVersion?.()?.name,
  tools: (await client.listTools()).tools.map((tool) => tool.name),
  prompts: (await client.listPrompts()).prompts.map((prompt) => prompt.name),
  resources: (await client.listResources()).resources.map((resource) => resource.uri),
  interview: await interview(client),
  asked,
  hovering: await client.callTool({ name: 'birds_with', arguments: { feature: 'hovers', value: 'yes' } }),
  mistaken: await client.callTool({ name: 'birds_with', arguments: { feature: 'hoovers' } }),
  prompt: await client.getPrompt({ name: 'identify_from_notes', arguments: { notes: 'blue back' } }),
  taxonomy: (await client.readResource({ uri: 'birds://taxonomy' })).contents[0].text.length,
};
await transport.terminateSession?.();
await client.close();
console.log(JSON.stringify(report));
