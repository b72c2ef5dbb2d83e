// Makes a client of the description of a server and calls tools with it: node call.mjs URL TOOL ARGUMENTS...
// Each answer, or problem, is a line.
import { OpenAPIClientAxios } from "openapi-client-axios";

const [url, ...calls] = process.argv.slice(2);
const api = new OpenAPIClientAxios({ definition: url + "/openapi.json" });
const client = await api.init();
for (let i = 0; i + 1 < calls.length; i += 2) {
  try {
    const answer = await client[calls[i]](null, JSON.parse(calls[i + 1]));
    console.log(answer.status, JSON.stringify(answer.data));
  } catch (error) {
    console.log(error.response.status, error.response.data.code);
  }
}
