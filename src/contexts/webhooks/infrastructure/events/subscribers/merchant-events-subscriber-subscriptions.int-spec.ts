import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { canonicalJson } from '#shared/kernel/canonical-json.js';
import { newId } from '#shared/kernel/ids.js';
import { subscriptionChanged } from '#contexts/webhooks/testing/payment-events.js';
import { redeliveryFixture, type RedeliveryFixture } from '#contexts/webhooks/testing/redelivery-fixture.js';
import { WEBHOOK_EVENT_TYPES } from '#contexts/webhooks/domain/registration/webhook.js';

let fixture: RedeliveryFixture;
beforeEach(async () => {
  fixture = await redeliveryFixture();
});
afterEach(() => fixture.close());

interface SentBody {
  data: Record<string, string>;
}
const recorded = () =>
  fixture.rows<{ eventType: string; paymentRequestId: string | null; body: string }>(
    'SELECT event_type, payment_request_id, body FROM webhooks.events ORDER BY number',
  );

describe('Subscriptions in a merchant’s log', () => {
  it('stand there with each status in order, and of no payment request', async () => {
    const [subscription, wallet] = [newId<string>(), { walletExternalId: 'wallet-1' }];
    const change = (data: Parameters<typeof subscriptionChanged>[1]) =>
      subscriptionChanged(fixture.account, { referenceId: 'member-77', ...data }, subscription);

    await fixture.happen(
      change({ status: 'pending', expiresAt: '2027-02-01T10:00:00.000Z' }),
      change({ status: 'active', ...wallet, nextChargeAt: '2027-02-28T10:00:00.000Z' }),
      change({ status: 'past_due', ...wallet, nextChargeAt: '2027-02-28T10:00:00.000Z' }),
      change({ status: 'active', ...wallet, nextChargeAt: '2027-02-28T10:00:00.000Z' }),
      change({ status: 'revoked', ...wallet, revokedBy: 'payer' }),
    );

    const events = await recorded();
    expect(
      new Set(events.map(({ eventType, paymentRequestId }) => `${eventType} ${paymentRequestId}`)),
    ).toEqual(new Set(['subscription null']));
    const bodies = events.map(({ body }) => (JSON.parse(body) as SentBody).data);
    expect(bodies.map(({ status }) => status)).toEqual([
      'pending',
      'active',
      'past_due',
      'active',
      'revoked',
    ]);
    const always = {
      notification_type: 'subscription_status_update',
      ...{ subscription_id: subscription, external_reference_id: 'member-77', interval: 'P1M' },
      ...{ account_id: fixture.account.accountId, point_of_sale_id: expect.any(String) },
      ...{ amount: '5', currency: 'USDC', network: 'polygon' },
      unique_asset_id: 'npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    };
    expect(bodies[0]).toEqual({ ...always, status: 'pending', expires_at: '2027-02-01T10:00:00.000Z' });
    expect(bodies[1]).toEqual({
      ...{ ...always, status: 'active', wallet_external_id: 'wallet-1' },
      next_charge_at: '2027-02-28T10:00:00.000Z',
    });
    expect(bodies[4]).toEqual({
      ...{ ...always, status: 'revoked', wallet_external_id: 'wallet-1', revoked_by: 'payer' },
    });
  });

  it('are referred to by their id where the merchant set no reference', async () => {
    const subscription = newId<string>();

    await fixture.happen(subscriptionChanged(fixture.account, {}, subscription));

    const [event] = await recorded();
    expect((JSON.parse(event!.body) as SentBody).data['external_reference_id']).toBe(subscription);
  });

  it('are written in canonical JSON', async () => {
    await fixture.happen(subscriptionChanged(fixture.account, { walletExternalId: 'wállet "1"' }));

    const [event] = await recorded();
    expect(event!.body).toBe(canonicalJson(JSON.parse(event!.body)));
  });

  it('reach no webhook, by no replay either', async () => {
    const ids = [];
    for (const type of WEBHOOK_EVENT_TYPES)
      ids.push((await fixture.register(fixture.account, fixture.shop.url, type)).id);

    await fixture.happen(subscriptionChanged(fixture.account));
    const replayed = [];
    for (const id of ids) replayed.push(await fixture.replay(id));

    expect(replayed).toEqual(ids.map(() => 0));
    expect(await fixture.rows('SELECT FROM webhooks.deliveries')).toEqual([]);
  });
});
