// The limit that deliveries are measured against: posts one body over one pool as fast as it is answered, and does
// nothing else. Arguments: URL and body. Sent how many posts over how many connections, it answers with how long they took.
import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';

const [address, body] = process.argv.slice(2);
const { origin, pathname } = new URL(address);

function headers() {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'payment-collection-service/1 (webhooks)',
    'X-Request-Timestamp': '1795248000',
    'X-Request-Signature': 'f'.repeat(64),
    'webhook-id': randomUUID(),
    'webhook-timestamp': '1795248000',
    'webhook-signature': `v1,${'A'.repeat(43)}=`,
  };
}

function post(pool, all) {
  return new Promise((resolve, reject) => {
    pool.dispatch(
      { path: pathname, method: 'POST', headers: all, body },
      {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd: resolve,
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

const pools = new Map();

process.on('message', async ({ posts, connections }) => {
  const waiting = Array.from({ length: posts }, headers);
  const pool = pools.get(connections) ?? new Pool(origin, { connections, pipelining: 1 });
  pools.set(connections, pool);
  const keepPosting = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await post(pool, next);
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, keepPosting));
  const ms = performance.now() - began;
  process.send({ ms });
});
