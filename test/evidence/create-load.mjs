// Creates payment requests over kept connections as fast as they are answered. Sent where, with which headers and body
// and how often, it says how long that took and which statuses came.
import { Agent, request } from 'node:http';

const agents = new Map();

function post(url, agent, headers, body) {
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, method: 'POST', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    call.on('error', reject).end(body);
  });
}

process.on('message', async ({ url, headers, body, posts, connections }) => {
  const agent = agents.get(connections) ?? new Agent({ keepAlive: true, maxSockets: connections });
  agents.set(connections, agent);
  const all = { ...headers, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  const statuses = {};
  let left = posts;
  const keepPosting = async () => {
    while (left > 0) {
      left -= 1;
      const status = await post(url, agent, all, body);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, keepPosting));
  process.send({ ms: performance.now() - began, statuses });
});
