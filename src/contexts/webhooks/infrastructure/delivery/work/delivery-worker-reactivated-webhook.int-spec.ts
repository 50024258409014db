import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { statusChanged } from '#contexts/webhooks/testing/payment-events.js';
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

describe('A webhook that is active again', () => {
  it('hears only of what happens from then on', async () => {
    await fixture.happen(...fixture.events(1));
    await fixture.api.call('PATCH', `/${fixture.id}/deactivate`);
    await fixture.happen(...fixture.events(1));
    await fixture.api.call('PATCH', `/${fixture.id}/activate`);
    const later = statusChanged(fixture.api.home);
    await fixture.happen(later);

    fixture.startWorker();
    await eventually(() => fixture.shop.requests.length === 1);

    await eventually(fixture.ended);
    expect(fixture.shop.requests[0]!.body).toContain(later.aggregateId);
    expect(await fixture.requestsInTheEnd()).toBe(1);
  });
});

describe('A webhook that is active again at once', () => {
  const blink = async () => {
    await fixture.api.call('PATCH', `/${fixture.id}/deactivate`);
    await fixture.api.call('PATCH', `/${fixture.id}/activate`);
  };

  it('is not sent what a dead worker had claimed before', async () => {
    await fixture.happen(...fixture.events(1));
    await fixture.queue.claim(1, { of: new Map(), ofOthers: 1 });
    await blink();
    await fixture.lapseClaims();

    fixture.startWorker();
    await eventually(fixture.ended);

    expect(await fixture.log()).toMatchObject([{ ...INACTIVE, attempt: 1 }]);
    expect(await fixture.requestsInTheEnd()).toBe(0);
  });

  it('is not sent again what was under way and failed', async () => {
    fixture.shop.answer = async (_request, response) => {
      await blink();
      response.writeHead(500).end();
    };
    fixture.startWorker();
    await fixture.happen(...fixture.events(1));
    await eventually(fixture.ended);

    expect(await fixture.log()).toMatchObject([
      { attempt: 1, httpStatus: 500 },
      { ...INACTIVE, attempt: 2 },
    ]);
    expect(await fixture.waitedForTheNextAttempt()).toBe(false);
    expect(await fixture.requestsInTheEnd()).toBe(1);
  });
});
