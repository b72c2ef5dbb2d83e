// Holds interviews of several lengths with the official TypeScript clients and prints the results as JSON.
//
// Usage: node long.mjs CLIENT TASK
// CLIENT and TASK are those of connect.mjs. TASK is JSON and has "lengths" too, numbers of questions.
import { connect } from './connect.mjs';

const [which, taskText] = process.argv.slice(2);
const task = JSON.parse(taskText);
let asked = 0;

const { client, transport } = await connect(which, task, () => ({ action: 'accept', content: { n: ++asked } }));
const report = [];
for (const name of ['ask', 'ask_in_detail']) {
  for (const N of task.lengths) {
    asked = 0;
    await client.listTools(); // so that the client knows the schemas of results
    let result = await client.callTool({ name, arguments: { N } });
    for (let token; (token = result.content[0].text.match(/Token: (\S+)/)?.[1]); ) {
      result = await client.callTool({ name: 'answer', arguments: { token } });
    }
    report.push({ name, n: N, asked, isError: !!result.isError, text: result.content[0].text });
  }
}
await transport.terminateSession?.();
await client.close();
console.log(JSON.stringify(report));
