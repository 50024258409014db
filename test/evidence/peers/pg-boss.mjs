// Like graphile-worker.mjs, with another queue.
import { createRequire } from 'node:module';
import { poster } from './poster.mjs';

const [packages, connectionString, receiver, body] = process.argv.slice(2);
const { PgBoss } = createRequire(packages)('pg-boss');
const { post, posted } = poster(receiver, body);
const boss = new PgBoss({ connectionString, max: 10 });
boss.on('error', (error) => process.stderr.write(`${error.stack}\n`));
await boss.start();
await boss.createQueue('posts');
const worker = { batchSize: 64, localConcurrency: 4, pollingIntervalSeconds: 0.5, burstWhenBatchFull: true };
await boss.work('posts', worker, (jobs) => Promise.all(jobs.map(post)));

process.on('message', async ({ count }) => {
  const done = posted(count);
  const jobs = Array.from({ length: count }, () => ({ data: {} }));
  const began = performance.now();
  await boss.insert('posts', jobs);
  await done;
  process.send({ ms: performance.now() - began });
});
process.send('ready');
