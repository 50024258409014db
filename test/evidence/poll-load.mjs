// Asks one URL over kept connections as fast as it is answered, and says how many answers of which kind it got.
// Arguments: URL, connections, seconds, entity tag. A process of its own, so that it does not share the server's core.
import { Agent, get } from 'node:http';

const [url, connections, seconds, etag] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const end = performance.now() + Number(seconds) * 1000;
const statuses = {};

function ask() {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { 'If-None-Match': etag } }, (response) => {
      statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1;
      response.resume().on('end', resolve);
    }).on('error', reject);
  });
}

async function keepAsking() {
  while (performance.now() < end) await ask();
}

await Promise.all(Array.from({ length: Number(connections) }, keepAsking));
agent.destroy();
process.stdout.write(JSON.stringify(statuses));
