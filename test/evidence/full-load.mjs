// Calls over so many kept connections as fast as they are answered, so often or until it is sent { stop: true }; then says how
// long that took and what was answered.
import { Agent, request } from 'node:http';

let isOver = false;

function call(url, agent, { method, path, headers, body }) {
  return new Promise((resolve) => {
    const outgoing = request(url + path, { method, headers, agent }, (response) => {
      response.resume().on('end', () => resolve(String(response.statusCode)));
    });
    outgoing.on('error', (error) => resolve(error.code ?? error.message)).end(body);
  });
}

process.on('message', async ({ stop, url, calls, connections, count = Infinity }) => {
  if (stop) {
    isOver = true;
    return;
  }
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answers = {};
  let begun = 0;
  const keepCalling = async () => {
    while (!isOver && begun < count) {
      const answer = await call(url, agent, calls[begun++ % calls.length]);
      answers[answer] = (answers[answer] ?? 0) + 1;
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, keepCalling));
  const ms = performance.now() - began;
  agent.destroy();
  process.send({ ms, answers });
});
