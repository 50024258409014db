import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openRuns } from '../../testing/settling/open-runs.js';
import { FindBatchOfCall } from './find-batch-of-call.js';

let runs: Awaited<ReturnType<typeof openRuns>>;
beforeAll(async () => {
  runs = await openRuns();
});
afterAll(() => runs.close());

it('A settlement found on the chain is the batch with its call, unless a sending of that batch is stored', async () => {
  await runs.wait(1, 100_000_000n);
  runs.sender.refusal = 'the key is held';
  const { id, call } = (await runs.run.execute('sandbox')).sent!.batch;
  const find = new FindBatchOfCall(runs.batches, runs.sender);
  const lost = { to: call.to.toLowerCase(), data: call.data.toLowerCase() };

  const found = [
    await find.execute('sandbox', lost),
    await find.execute('sandbox', { ...lost, data: `${lost.data}00` }),
  ];
  runs.sender.refusal = null;
  await runs.advanceAll();

  expect(found).toEqual([{ id, purpose: 'settlement' }, null]);
  expect(await find.execute('sandbox', lost)).toBeNull();
});
