// Honest callers: so many calls a second, evenly, whatever became of those before, and `/health` on a connection of its own
// each time. Sent { url, calls, perSecond, seconds }, it says how long the calls took from the moment when each was due, in
// milliseconds, and what they were answered.
import { Agent, request } from 'node:http';

const HEALTH_PER_SECOND = 20;
const WITHIN_MS = 30_000;

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

function call(url, { method, path, headers, body }, via) {
  return new Promise((resolve) => {
    const outgoing = request(url + path, { method, headers, agent: via, timeout: WITHIN_MS }, (response) => {
      response.resume().on('end', () => resolve(String(response.statusCode)));
      response.on('error', () => resolve('cut off'));
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('timeout')));
    // A connection on which nothing is being answered may be closed as the request is sent, a kept one or, beside a crowd of newer
    // ones, a new one: callers send it again.
    outgoing.on('error', (error) =>
      resolve(error.code === 'ECONNRESET' ? undefined : (error.code ?? error.message)),
    );
    outgoing.end(body);
  });
}

/** Calls so often for so long. @returns when each was answered after it was due, and how */
async function callEvenly(perSecond, seconds, one) {
  const begun = performance.now();
  const took = [];
  const answers = {};
  const calls = Array.from({ length: Math.ceil(perSecond * seconds) }, async (_, n) => {
    const due = begun + (n * 1_000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    let answer = await one(n, true);
    if (answer === undefined) {
      answers['sent again'] = (answers['sent again'] ?? 0) + 1;
      // On a new connection: other kept ones may be closed as well.
      answer = (await one(n, false)) ?? 'closed twice';
    }
    took.push(performance.now() - due);
    answers[answer] = (answers[answer] ?? 0) + 1;
  });
  await Promise.all(calls);
  return { took, answers };
}

process.on('message', async ({ url, calls, perSecond, seconds }) => {
  const [api, health] = await Promise.all([
    callEvenly(perSecond, seconds, (n, isFirst) => call(url, calls[n % calls.length], isFirst && agent)),
    callEvenly(HEALTH_PER_SECOND, seconds, () => call(url, { method: 'GET', path: '/health' }, false)),
  ]);
  process.send({ api, health });
});
