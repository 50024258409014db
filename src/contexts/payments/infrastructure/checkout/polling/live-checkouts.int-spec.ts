import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DOLLAR, EURO } from '#contexts/payments/testing/requests/collecting-world.js';
import { payAll, type Checkouts } from '#contexts/payments/testing/checkout/open-checkouts.js';
import {
  isReading,
  openPolls,
  bodyOf,
  type Polls,
} from '#contexts/payments/testing/checkout/polled-checkouts.js';
import type { PublicCheckoutDto } from '../../requests/http/checkout.dto.js';
import type { CheckoutAnswer, LiveCheckouts } from './live-checkouts.js';

const DAY_SECONDS = 24 * 60 * 60;
const PAST_THE_DEADLINE = 600;

let polls: Polls;
let shop: Checkouts;
let live: LiveCheckouts;

beforeEach(async () => {
  polls = await openPolls();
  ({ shop, live } = polls);
});

afterEach(() => polls.close());

describe('A polled checkout', () => {
  it('is answered from memory, without a statement, as long as nothing happens', async () => {
    const session = await shop.checkout();
    const first = await polls.read(session);

    const statements = shop.database.statements.length;
    const answers = Array.from({ length: 50 }, () => polls.recall(session));
    const sent = shop.database.statements.length - statements;

    expect(sent).toBe(0);
    for (const answer of answers) expect(answer!.body.equals(first!.body)).toBe(true);
    await polls.looked(5);
    expect(polls.recall(session)!.etag).toBe(first!.etag);
    expect(polls.readings()).toBe(1);
  });

  it('is not known before it was read, and a session that there is not is not remembered', async () => {
    const session = await shop.checkout();

    expect(polls.recall(session)).toBeUndefined();
    await expect(live.read('A'.repeat(32))).rejects.toMatchObject({ code: 'not_found' });
    expect(live.recall('A'.repeat(32))).toBeUndefined();
  });

  it('shows a change soon after its commit', async () => {
    const session = await shop.checkout();
    const before = await polls.read(session);
    await shop.select(session, DOLLAR);

    await polls.forgotten(session);

    expect(bodyOf(await polls.read(session))).toMatchObject({
      status: 'created',
      selected: { symbol: 'USDX' },
    });
    expect((await polls.read(session))!.etag).not.toBe(before!.etag);
  });

  it('shows a change at once to whoever reads past memory, and to all after them', async () => {
    const session = await shop.checkout();
    await polls.read(session);
    await shop.select(session, DOLLAR);

    const afresh = await live.readFromDatabase(session.sessionId);

    expect(bodyOf(afresh).status).toBe('created');
    expect(bodyOf(await polls.read(session)).status).toBe('created');
  });

  it('is not remembered as it was read where the event log has named a change meanwhile', async () => {
    const [session, other] = [await shop.checkout(), await shop.checkout()];
    await polls.read(other);
    const held = polls.holding(isReading);
    const reading = polls.read(session);
    await held.arrived;
    await shop.select(session, DOLLAR);
    await polls.looked();

    held.letGo();
    const old = await reading;

    expect(bodyOf(old).status).toBe('pending');
    expect(polls.recall(session)).toBeUndefined();
    expect(bodyOf(await polls.read(session)).status).toBe('created');
  });

  it('is forgotten when it has changed while it was read and the tail tells so only afterwards', async () => {
    const session = await shop.checkout();
    const held = polls.holding(isReading);
    const reading = polls.read(session);
    await held.arrived;
    await shop.select(session, DOLLAR);

    held.letGo();
    await reading;

    await polls.forgotten(session);
    expect(bodyOf(await polls.read(session)).status).toBe('created');
  });

  it('shows a change of a transaction that began long ago and is committed late', async () => {
    const [session, later] = [await shop.checkout(), await shop.checkout()];
    await polls.read(session);
    let commit!: () => void;
    const committing = new Promise<void>((resolve) => (commit = resolve));
    let appended!: () => void;
    const appending = new Promise<void>((resolve) => (appended = resolve));
    const late = shop.database.run(async () => {
      await shop.platform.eventLog.append([
        {
          type: 'payment_request.received_changed',
          aggregateId: session.id,
          organizationId: session.organizationId,
          accountId: session.accountId,
          occurredAt: await shop.platform.clock.now(),
          data: { receivedAmount: '0' },
        } as never,
      ]);
      appended();
      await committing;
    });
    await appending;
    await shop.select(later, DOLLAR);
    await polls.looked(5);
    const meanwhile = polls.recall(session);
    commit();
    await late;

    await polls.forgotten(session);

    expect(meanwhile).toBeDefined();
    expect(polls.readings()).toBe(1 + 2);
  });

  it('counts its confirmations on with the network, without being read again', async () => {
    const session = await shop.checkout();
    const selected = await shop.select(session, DOLLAR);
    shop.chain.mine(payAll(selected, DOLLAR));
    await shop.follow();
    const paying = { ...(await polls.read(session)) };
    const before = polls.readings();
    shop.chain.mine();
    await shop.follow();

    await polls.until(() => polls.recall(session)?.etag !== paying.etag);

    expect(bodyOf(paying as CheckoutAnswer)).toMatchObject({
      status: 'processing',
      selected: { confirmations: 1 },
    });
    expect(bodyOf(polls.recall(session))).toMatchObject({
      status: 'processing',
      selected: { confirmations: 2 },
    });
    expect(polls.readings()).toBe(before);
  });

  it('is read again with the block that may have brought the payment which was in none', async () => {
    const session = await shop.checkout();
    shop.chain.mine(payAll(await shop.select(session, DOLLAR), DOLLAR));
    await shop.follow();
    const { database } = shop;
    const block = await database.query('SELECT block_number, block_hash, block_time FROM payments.transfers');
    await database.query(`UPDATE payments.transfers SET block_number = NULL, block_hash = NULL, block_time = NULL,
      seen_at = now(), arrived_at = now(), lapses_at = now(), evidence = '{}'`);
    const waiting = bodyOf(await live.readFromDatabase(session.sessionId));
    await database.query(
      `UPDATE payments.transfers SET block_number = $1, block_hash = $2, block_time = $3,
         seen_at = NULL, arrived_at = NULL, lapses_at = NULL, evidence = NULL`,
      Object.values(block[0]!),
    );
    await polls.looked(2);
    const unmoved = bodyOf(polls.recall(session));
    shop.chain.mine();
    await shop.follow();

    await polls.until(() => polls.recall(session) === undefined);

    expect([waiting, unmoved].map(({ selected }) => selected!.confirmations)).toEqual([0, 0]);
    expect(bodyOf(await polls.read(session)).selected!.confirmations).toBe(2);
  });

  it('shows the end of its window that another one on its physical point of sale has brought nearer', async () => {
    const till = await shop.openShop({ type: 'physical' });
    const session = await shop.checkout({}, till);
    const before = bodyOf(await polls.read(session));
    const next = await shop.checkout({}, till);

    await polls.forgotten(session);

    const after = bodyOf(await polls.read(session));
    expect(before.expires_at).toBe(session.expiresAt.toISOString());
    expect(after).toEqual({ ...before, expires_at: next.createdAt.toISOString() });
  });

  it('shows the prices of its options anew every five seconds', async () => {
    const session = await shop.checkout();
    const before = bodyOf(await polls.read(session));
    shop.rates.set('EURX', 'USD', '1.6');
    const soon = bodyOf(polls.recall(session));
    await polls.skip(5_100);

    const after = bodyOf(await polls.read(session));

    const euros = ({ payment_options: options }: PublicCheckoutDto) =>
      options.find(({ unique_asset_id }) => unique_asset_id === EURO.uniqueAssetId)!.amount;
    expect([euros(before), euros(soon), euros(after)]).toEqual(['8', '8', '6.25']);
    expect(polls.readings()).toBe(1);
  });

  it('is answered for a day after its end, and forgotten with what nobody may read any more', async () => {
    const session = await shop.checkout();
    await shop.platform.advance(PAST_THE_DEADLINE);
    await shop.expireUnselected.execute();
    const ended = await polls.read(session);
    await shop.platform.advance(DAY_SECONDS + 1);
    await polls.skip(10 * 60_000 + 1);

    const closed = polls.read(session);

    await expect(closed).rejects.toMatchObject({ code: 'not_found' });
    expect(bodyOf(ended).status).toBe('expired');
    expect(polls.recall(session)).toBeUndefined();
  });
});
