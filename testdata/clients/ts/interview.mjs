// Holds the bird interview with a server over stdio or HTTP, with the official TypeScript clients,
// and prints what came back as JSON.
//
// Usage: node interview.mjs CLIENT TASK
// CLIENT and TASK are those of connect.mjs. TASK is JSON and has more: "answers" {MESSAGE: ANSWER} and
// "elicits", whether the client asks its user.
import { connect } from './connect.mjs';

const [which, taskText] = process.argv.slice(2);
const task = JSON.parse(taskText);
const asked = [];

function answer(request) {
  asked.push(request.params.message);
  const value = task.answers[request.params.message];
  return value === undefined ? { action: 'decline' } : { action: 'accept', content: { answer: value } };
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

const { client, transport } = await connect(which, task, task.elicits && answer);
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
