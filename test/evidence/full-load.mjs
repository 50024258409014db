// Calls over so many kept connections as fast as they are answered, until it is told { stop: true }; then says what was answered.
import { Agent, request } from 'node:http';

let isOver = false;
const answers = {};

function call(url, agent, { method, path, headers, body }) {
  return new Promise((resolve) => {
    const outgoing = request(url + path, { method, headers, agent }, (response) => {
      response.resume().on('end', () => resolve(String(response.statusCode)));
    });
    outgoing.on('error', (error) => resolve(error.code ?? error.message)).end(body);
  });
}

async function keepCalling(url, agent, calls) {
  for (let n = 0; !isOver; n += 1) {
    const answer = await call(url, agent, calls[n % calls.length]);
    answers[answer] = (answers[answer] ?? 0) + 1;
  }
}

process.on('message', async ({ stop, url, calls, connections }) => {
  if (stop) {
    isOver = true;
    return;
  }
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  await Promise.all(Array.from({ length: connections }, () => keepCalling(url, agent, calls)));
  agent.destroy();
  process.send({ answers });
});
