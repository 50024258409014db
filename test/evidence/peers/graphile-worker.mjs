// A general job queue, configured for throughput, whose job posts a body. Arguments: URL of its packages, of an empty database and of
// the receiver, and the body. Sent how many, it adds so many jobs, and answers with how long it took from then to the last.
import { createRequire } from 'node:module';
import { poster } from './poster.mjs';

const [packages, connectionString, receiver, body] = process.argv.slice(2);
const { Logger, makeWorkerUtils, run } = createRequire(packages)('graphile-worker');
const { post, posted } = poster(receiver, body);
await run({
  noHandleSignals: true,
  logger: new Logger(() => () => undefined),
  taskList: { post },
  preset: {
    worker: {
      ...{ connectionString, concurrentJobs: 16, maxPoolSize: 16 },
      ...{ localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 },
    },
  },
});
const utils = await makeWorkerUtils({ connectionString });

process.on('message', async ({ count }) => {
  const done = posted(count);
  const jobs = Array.from({ length: count }, () => ({ identifier: 'post', payload: {} }));
  const began = performance.now();
  await utils.addJobs(jobs);
  await done;
  process.send({ ms: performance.now() - began });
});
process.send('ready');
