// The limit that the watcher is measured against: fetches headers and logs of blocks once, parses them and looks every
// recipient up in a set in memory, and does nothing else. Sent an URL, the tokens, how many addresses were issued and
// which blocks, it says how long it took and what it found.
import { createHash } from 'node:crypto';
import { Pool } from 'undici';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const AT_ONCE = 4;

let issued = new Set();
let pool;

const hex = (number) => `0x${number.toString(16)}`;

async function ask(question) {
  const answer = await pool.request({
    path: '/',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
  });
  return JSON.parse(await answer.body.text());
}

async function read(from, to, { tokens, full }) {
  const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const call = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
  const answers = await ask(numbers.map((n) => call(n, 'eth_getBlockByNumber', [hex(n), full])));
  const filter = { address: tokens, topics: [TRANSFER] };
  const logs = await ask(call(1, 'eth_getLogs', [{ fromBlock: hex(from), toBlock: hex(to), ...filter }]));
  const seen = logs.result.length;
  let found = 0;
  for (const { topics } of logs.result) if (issued.has(`0x${topics[2].slice(26)}`)) found += 1;
  if (full)
    for (const { result } of answers)
      for (const { to: recipient } of result.transactions) if (issued.has(recipient)) found += 1;
  return { seen, found };
}

process.on('message', async ({ url, addresses, from, to, atATime, ...how }) => {
  pool ??= new Pool(url, { connections: AT_ONCE, pipelining: 1 });
  if (issued.size !== addresses) {
    const addressOf = (i) => `0x${createHash('sha256').update(`address ${i}`).digest('hex').slice(0, 40)}`;
    issued = new Set(Array.from({ length: addresses }, (_, i) => addressOf(i)));
  }
  let next = from;
  let [seen, found] = [0, 0];
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  const work = async () => {
    while (next <= to) {
      const at = next;
      next += atATime;
      const block = await read(at, Math.min(to, at + atATime - 1), how);
      seen += block.seen;
      found += block.found;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const { user, system } = process.cpuUsage(cpu);
  process.send({ ms: performance.now() - began, cpuMs: (user + system) / 1_000, seen, found });
});
process.on('disconnect', () => process.exit());
