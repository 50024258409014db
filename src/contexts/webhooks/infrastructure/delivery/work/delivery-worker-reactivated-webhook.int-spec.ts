import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, statusChanged } from '../../../testing/webhooks-fixture.js';
import { INACTIVE, stoppingBench, type StoppingBench } from '../../../testing/inactive-webhook-fixture.js';

let bench: StoppingBench;

beforeEach(async () => {
  bench = await stoppingBench();
});
afterEach(() => bench.close());

describe('A webhook that is active again', () => {
  it('hears only of what happens from then on', async () => {
    await bench.happen(...bench.events(1));
    await bench.api.call('PATCH', `/${bench.id}/deactivate`);
    await bench.happen(...bench.events(1));
    await bench.api.call('PATCH', `/${bench.id}/activate`);
    const later = statusChanged(bench.api.home);
    await bench.happen(later);

    bench.startWorker();
    await eventually(() => bench.shop.requests.length === 1);

    await eventually(bench.ended);
    expect(bench.shop.requests[0]!.body).toContain(later.aggregateId);
    expect(await bench.requestsInTheEnd()).toBe(1);
  });
});

describe('A webhook that is active again at once', () => {
  const blink = async () => {
    await bench.api.call('PATCH', `/${bench.id}/deactivate`);
    await bench.api.call('PATCH', `/${bench.id}/activate`);
  };

  it('is not sent what a dead worker had claimed before', async () => {
    await bench.happen(...bench.events(1));
    await bench.queue.claim(1, { of: new Map(), ofOthers: 1 });
    await blink();
    await bench.lapseClaims();

    bench.startWorker();
    await eventually(bench.ended);

    expect(await bench.log()).toMatchObject([{ ...INACTIVE, attempt: 1 }]);
    expect(await bench.requestsInTheEnd()).toBe(0);
  });

  it('is not sent again what was under way and failed', async () => {
    bench.shop.answer = async (_request, response) => {
      await blink();
      response.writeHead(500).end();
    };
    bench.startWorker();
    await bench.happen(...bench.events(1));
    await eventually(bench.ended, 10_000);

    expect(await bench.log()).toMatchObject([
      { attempt: 1, http_status: 500 },
      { ...INACTIVE, attempt: 2 },
    ]);
    expect(await bench.waitedForTheNextAttempt()).toBe(false);
    expect(await bench.requestsInTheEnd()).toBe(1);
  });
});
