// Subscribes to the event low_stock of docs/events.md with the client of the AI SDK, at a server with tokens. It prints what
// came as JSON.
//
// Usage: node events.mjs URL TOKEN PORT
// PORT is where it wants occurrences posted.
import { createServer } from 'node:http';
import { createMCPClient, experimental_createMCPEventWebhook as createWebhook } from '@ai-sdk/mcp';

const [url, token, port] = process.argv.slice(2);
const saved = new Map();
const store = {
  get: async (key) => saved.get(key),
  getById: async (id) => [...saved.values()].find((one) => one.id === id),
  set: async (one) => void saved.set(one.key, one),
  update: async (key, patch) => void saved.set(key, { ...saved.get(key), ...patch }),
  delete: async (key) => void saved.delete(key),
};
const events = [];
const errors = [];
let busy = 1; // the first delivery is refused
const webhook = createWebhook({
  store,
  onEvent: async ({ event }) => {
    if (busy-- > 0) throw new Error('busy');
    events.push({ name: event.name, data: event.data });
  },
  onError: (error) => errors.push(String(error.message ?? error)),
});
const receiver = createServer(async (req, res) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  const answer = await webhook(
    new Request(new URL(req.url, 'http://127.0.0.1'), { method: req.method, headers: req.headers, body: Buffer.concat(chunks) }),
  );
  res.writeHead(answer.status, Object.fromEntries(answer.headers));
  res.end(await answer.text());
});
await new Promise((resolve) => receiver.listen(Number(port), '127.0.0.1', resolve));

const client = await createMCPClient({
  transport: { type: 'http', url, headers: { Authorization: `Bearer ${token}` } },
  experimental_events: { store },
});
const tools = await client.tools();
const set = (article, left) => tools.set_stock.execute({ article, left }, { toolCallId: '1', messages: [] });
const listed = (await client.experimental_events.list()).events;
const delivery = { mode: 'webhook', url: `http://127.0.0.1:${receiver.address().port}/hook`, allowInsecureLocalhost: true };
const subscribed = await client.experimental_events.subscribe({ name: 'low_stock', arguments: { limit: 5 }, delivery, ttlMs: 120000 });
await set('bolt', 3);
await set('nut', 4);
await set('screw', 9);
for (let i = 0; events.length < 2 && i < 600; i++) await new Promise((resolve) => setTimeout(resolve, 50));
const refreshed = await client.experimental_events.refresh({ id: subscribed.id });
await client.experimental_events.unsubscribe({ id: subscribed.id });
await set('rivet', 1);
await new Promise((resolve) => setTimeout(resolve, 500));
await client.close();
receiver.close();
receiver.closeAllConnections();
console.log(JSON.stringify({
  listed, events, errors, left: saved.size, same: subscribed.id === refreshed.id,
  fresh: subscribed.cursor !== refreshed.cursor, truncated: [subscribed.truncated, refreshed.truncated],
}));
