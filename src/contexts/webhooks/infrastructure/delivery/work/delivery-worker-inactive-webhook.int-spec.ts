import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../testing/webhooks-fixture.js';
import { INACTIVE, stoppingBench, type StoppingBench } from '../../../testing/inactive-webhook-fixture.js';

let bench: StoppingBench;

beforeEach(async () => {
  bench = await stoppingBench();
});
afterEach(() => bench.close());

describe.each([
  ['PATCH', 'deactivate'],
  ['DELETE', 'delete'],
])('%s …/%s', (method, verb) => {
  const stop = () => bench.api.call(method, `/${bench.id}/${verb}`);

  it('ends 500 deliveries that wait, none of which is ever sent', async () => {
    await bench.happen(...bench.events(500));

    const { httpStatus } = await stop();

    expect(httpStatus).toBe(200);
    expect(await bench.statuses()).toEqual(['failed']);
    const entries = await bench.log();
    expect(entries).toHaveLength(500);
    for (const entry of entries) expect(entry).toMatchObject({ ...INACTIVE, attempt: 1 });
    bench.startWorker();
    expect(await bench.requestsInTheEnd()).toBe(0);
  });

  it('ends what waits for its next attempt, numbered on', async () => {
    bench.shop.answer = (_request, response) => response.writeHead(500).end();
    const worker = bench.startWorker();
    await bench.happen(...bench.events(3));
    await eventually(async () => (await bench.log()).length === 3);
    await bench.platform.advance(7);
    await eventually(async () => (await bench.log()).length === 6);
    await worker.stop();

    await stop();

    const last = (await bench.log()).filter(({ status }) => status !== 'pending');
    expect(last).toHaveLength(3);
    for (const entry of last) expect(entry).toMatchObject({ ...INACTIVE, attempt: 3 });
    bench.startWorker();
    expect(await bench.requestsInTheEnd()).toBe(6);
  });

  it.each([
    [200, [{ attempt: 1, status: 'delivered', http_status: 200 }]],
    [
      500,
      [
        { attempt: 1, status: 'pending', http_status: 500 },
        { ...INACTIVE, attempt: 2 },
      ],
    ],
  ])(
    'lets an attempt under way end as it does, by HTTP %i, and repeats it never',
    async (status, entries) => {
      let logged: unknown[] | undefined;
      bench.shop.answer = async (_request, response) => {
        await stop();
        logged = await bench.log();
        response.writeHead(status).end();
      };
      bench.startWorker();
      await bench.happen(...bench.events(1));
      await eventually(bench.ended, 10_000);

      expect(logged).toEqual([]);
      expect(await bench.log()).toMatchObject(entries);
      expect(await bench.waitedForTheNextAttempt()).toBe(false);
      expect(await bench.requestsInTheEnd()).toBe(1);
    },
  );

  it('leaves what a dead worker has claimed to the next, which sends it nothing', async () => {
    await bench.happen(...bench.events(2));
    await bench.queue.claim(1, { of: new Map(), ofOthers: 1 });

    await stop();
    expect(await bench.statuses()).toEqual(['failed', 'pending']);
    await bench.lapseClaims();
    bench.startWorker();
    await eventually(bench.ended);

    expect(await bench.log()).toMatchObject([
      { ...INACTIVE, attempt: 1 },
      { ...INACTIVE, attempt: 1 },
    ]);
    expect(await bench.requestsInTheEnd()).toBe(0);
  });

  it('holds for what is queued meanwhile by who still saw it active', async () => {
    const queue = bench.deliveries.queue.bind(bench.deliveries);
    bench.deliveries.queue = async (deliveries) => {
      await stop();
      await queue(deliveries);
    };
    await bench.happen(...bench.events(1));
    expect(await bench.statuses()).toEqual(['pending']);
    bench.deliveries.queue = queue;

    bench.startWorker();
    await eventually(bench.ended);

    expect(await bench.log()).toMatchObject([{ ...INACTIVE, attempt: 1 }]);
    expect(await bench.requestsInTheEnd()).toBe(0);
  });
});

describe('Webhooks that are stopped while workers record their attempts', () => {
  it('neither deadlock nor fail, and every delivery ends', async () => {
    const ids = [bench.id];
    while (ids.length < 5) ids.push((await bench.api.register(bench.shop.url)).id);
    bench.shop.answer = (_request, response) => response.writeHead(500).end();
    bench.startWorker();
    bench.startWorker();
    const happening = bench.happen(...bench.events(40));
    await eventually(() => bench.shop.requests.length >= 10);

    const answers = await Promise.all(
      ids.flatMap((webhook, index) => [
        bench.api.call('PATCH', `/${webhook}/deactivate`),
        bench.api.call('POST', `/${webhook}/test`),
        index % 2 === 0
          ? bench.api.call('DELETE', `/${webhook}/delete`)
          : bench.api.call('PATCH', `/${webhook}/deactivate`),
      ]),
    );
    await happening;
    await eventually(bench.ended, 10_000);

    expect(answers.filter(({ httpStatus }) => httpStatus >= 500)).toEqual([]);
    expect(bench.api.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    const before = bench.shop.requests.length;
    expect(await bench.requestsInTheEnd()).toBe(before);
  });
});
