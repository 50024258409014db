import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/support/eventually.js';
import {
  INACTIVE,
  inactiveWebhookFixture,
  type InactiveWebhookFixture,
} from '#contexts/webhooks/testing/inactive-webhook-fixture.js';

let fixture: InactiveWebhookFixture;

beforeEach(async () => {
  fixture = await inactiveWebhookFixture();
});
afterEach(() => fixture.close());

describe.each([
  ['PATCH', 'deactivate'],
  ['DELETE', 'delete'],
])('%s …/%s', (method, verb) => {
  const stop = () => fixture.api.call(method, `/${fixture.id}/${verb}`);

  it('ends 500 deliveries that wait, none of which is ever sent', async () => {
    await fixture.happen(...fixture.events(500));

    const { httpStatus } = await stop();

    expect(httpStatus).toBe(200);
    expect(await fixture.statuses()).toEqual(['failed']);
    const entries = await fixture.log();
    expect(entries).toHaveLength(500);
    for (const entry of entries) expect(entry).toMatchObject({ ...INACTIVE, attempt: 1 });
    fixture.startWorker();
    expect(await fixture.requestsInTheEnd()).toBe(0);
  });

  it('ends what waits for its next attempt, numbered on', async () => {
    fixture.shop.answer = (_request, response) => response.writeHead(500).end();
    const worker = fixture.startWorker();
    await fixture.happen(...fixture.events(3));
    await eventually(async () => (await fixture.log()).length === 3);
    await fixture.platform.advance(7);
    await eventually(async () => (await fixture.log()).length === 6);
    await worker.stop();

    await stop();

    const last = (await fixture.log()).filter(({ status }) => status !== 'pending');
    expect(last).toHaveLength(3);
    for (const entry of last) expect(entry).toMatchObject({ ...INACTIVE, attempt: 3 });
    fixture.startWorker();
    expect(await fixture.requestsInTheEnd()).toBe(6);
  });

  it.each([
    [200, [{ attempt: 1, status: 'delivered', httpStatus: 200 }]],
    [
      500,
      [
        { attempt: 1, status: 'pending', httpStatus: 500 },
        { ...INACTIVE, attempt: 2 },
      ],
    ],
  ])(
    'lets an attempt under way end as it does, by HTTP %i, and repeats it never',
    async (status, entries) => {
      let logged: unknown[] | undefined;
      fixture.shop.answer = async (_request, response) => {
        await stop();
        logged = await fixture.log();
        response.writeHead(status).end();
      };
      fixture.startWorker();
      await fixture.happen(...fixture.events(1));
      await eventually(fixture.ended);

      expect(logged).toEqual([]);
      expect(await fixture.log()).toMatchObject(entries);
      expect(await fixture.waitedForTheNextAttempt()).toBe(false);
      expect(await fixture.requestsInTheEnd()).toBe(1);
    },
  );

  it('leaves what a dead worker has claimed to the next, which sends it nothing', async () => {
    await fixture.happen(...fixture.events(2));
    await fixture.queue.claim(1, { of: new Map(), ofOthers: 1 });

    await stop();
    expect(await fixture.statuses()).toEqual(['failed', 'pending']);
    await fixture.lapseClaims();
    fixture.startWorker();
    await eventually(fixture.ended);

    expect(await fixture.log()).toMatchObject([
      { ...INACTIVE, attempt: 1 },
      { ...INACTIVE, attempt: 1 },
    ]);
    expect(await fixture.requestsInTheEnd()).toBe(0);
  });

  it('holds for what is queued meanwhile by who still saw it active', async () => {
    const queue = fixture.deliveries.queue.bind(fixture.deliveries);
    fixture.deliveries.queue = async (deliveries) => {
      await stop();
      await queue(deliveries);
    };
    await fixture.happen(...fixture.events(1));
    expect(await fixture.statuses()).toEqual(['pending']);
    fixture.deliveries.queue = queue;

    fixture.startWorker();
    await eventually(fixture.ended);

    expect(await fixture.log()).toMatchObject([{ ...INACTIVE, attempt: 1 }]);
    expect(await fixture.requestsInTheEnd()).toBe(0);
  });
});

describe('Webhooks that are stopped while workers record their attempts', () => {
  it('neither deadlock nor fail, and every delivery ends', async () => {
    const ids = [fixture.id];
    while (ids.length < 5) ids.push((await fixture.api.register(fixture.shop.url)).id);
    fixture.shop.answer = (_request, response) => response.writeHead(500).end();
    fixture.startWorker();
    fixture.startWorker();
    const happening = fixture.happen(...fixture.events(40));
    await eventually(() => fixture.shop.requests.length >= 10);

    const answers = await Promise.all(
      ids.flatMap((webhook, index) => [
        fixture.api.call('PATCH', `/${webhook}/deactivate`),
        fixture.api.call('POST', `/${webhook}/test`),
        index % 2 === 0
          ? fixture.api.call('DELETE', `/${webhook}/delete`)
          : fixture.api.call('PATCH', `/${webhook}/deactivate`),
      ]),
    );
    await happening;
    await eventually(fixture.ended);

    expect(answers.filter(({ httpStatus }) => httpStatus >= 500)).toEqual([]);
    expect(fixture.api.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    const before = fixture.shop.requests.length;
    expect(await fixture.requestsInTheEnd()).toBe(before);
  });
});
