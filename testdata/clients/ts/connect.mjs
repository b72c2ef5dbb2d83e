// Connects the official TypeScript clients to a server over stdio or HTTP.
//
// WHICH client is sdk (the older package, 2025-11-25), legacy, modern or auto (the newer one, at
// 2025-11-25, at 2026-07-28 and as it negotiates). A task has either "command", "args" and "env" or
// "url", with "oauth" {"issuer", "scope"} when the server wants a token of that issuer.
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
async function makeTransport(library, task) {
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

async function makeClient(library, which, answer) {
  const mode = { legacy: 'legacy', modern: { pin: '2026-07-28' }, auto: 'auto' }[which];
  const options = { capabilities: answer ? { elicitation: {} } : {}, versionNegotiation: mode && { mode } };
  const client = new (await library.client())({ name: 'interview', version: '1.0.0' }, options);
  if (answer) {
    client.setRequestHandler(await library.elicitation(), async (request) => answer(request));
  }
  return client;
}

// connect returns a client and its transport. answer answers the server's questions; without it the client cannot ask.
export async function connect(which, task, answer) {
  const library = which === 'sdk' ? older : newer;
  const client = await makeClient(library, which, answer);
  const transport = await makeTransport(library, task);
  await client.connect(transport);
  return { client, transport };
}
