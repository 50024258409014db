import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { SameChain } from '#contexts/networks/testing/same-chain.js';
import type { CheckoutView } from '#contexts/payments/application/requests/payment-request-view.js';
import { DOLLAR, EURO } from '#contexts/payments/testing/requests/collecting-world.js';
import { payAll, type Checkouts, openCheckouts } from '#contexts/payments/testing/checkout/open-checkouts.js';
import type { PublicCheckoutDto } from '../../requests/http/checkout.dto.js';
import { type CheckoutAnswer, CachedCheckoutReader } from './cached-checkout-reader.js';
import { CheckoutUrls } from '#contexts/payments/application/requests/checkout-urls.js';
import { SignaturePayments } from '#contexts/payments/application/requests/signature-payments.js';
import { PricePaymentOptions } from '#contexts/payments/application/requests/price-payment-options.js';
import { QuoteAssets } from '#contexts/rates/application/quote-assets.js';
import { CheckoutPresenter } from '../../requests/http/checkout-presenter.js';
import { TokenModel } from '#contexts/payments/testing/authorizations/token-model.js';

type Polls = Awaited<ReturnType<typeof openPolls>>;

const isLook = (text: string) => text.includes('pg_current_snapshot');
const isReading = (text: string) => text.includes('c.session_id = $1');

/** Polled checkouts in one process, whose real-time clock advances only when a test advances it. */
async function openPolls() {
  const shop = await openCheckouts();
  const { database } = shop;
  const pricePaymentOptions = new PricePaymentOptions(new QuoteAssets(shop.rates, shop.catalogue));
  const urls = new CheckoutUrls('https://api.example', 'https://pay.example');
  const presenter = new CheckoutPresenter(
    shop.catalogue,
    pricePaymentOptions,
    urls,
    shop.tokens,
    new SignaturePayments(shop.catalogue, new SameChain({ authorizedTransfers: new TokenModel(0n) })),
  );
  const live = new CachedCheckoutReader(database, shop.queries, presenter);
  const realNow = performance.now;
  let now = realNow.call(performance);
  // Advances at each call, because these times decide the order of reads.
  performance.now = () => (now += 0.001);

  const looks = () => database.statements.filter(isLook).length;
  const recall = ({ sessionId }: CheckoutView) => live.findCached(sessionId);
  async function until(isDone: () => boolean, withinMs = 60_000): Promise<void> {
    const end = realNow.call(performance) + withinMs;
    while (!isDone()) {
      if (realNow.call(performance) > end) throw new Error(`Not within ${withinMs} ms.`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  return {
    shop,
    live,
    recall,
    until,
    looks,
    read: ({ sessionId }: CheckoutView) => live.read(sessionId),
    readings: () => database.statements.filter(isReading).length,

    /** Advances the clock between two reads of the event log, because a read that has begun keeps its earlier time. */
    async skip(milliseconds: number): Promise<void> {
      await live['currentEventRead']?.catch(() => undefined);
      now += milliseconds;
    },

    async looked(times = 2): Promise<void> {
      const before = looks();
      await until(() => looks() >= before + times);
    },

    forgotten: (session: CheckoutView) => until(() => recall(session) === undefined),

    /** Delays the result of the next matching statement until the test releases it. */
    holding(isMeant: (text: string) => boolean) {
      let letGo!: () => void;
      let arrive!: () => void;
      const gone = new Promise<void>((resolve) => (letGo = resolve));
      const arrived = new Promise<void>((resolve) => (arrive = resolve));
      database.afterStatement = (text) => {
        if (!isMeant(text)) return undefined;
        database.afterStatement = () => undefined;
        arrive();
        return gone;
      };
      return { arrived, letGo };
    },

    async close(): Promise<void> {
      performance.now = realNow;
      database.beforeStatement = () => undefined;
      database.afterStatement = () => undefined;
      await live.beforeApplicationShutdown();
      await shop.close();
    },
  };
}

function bodyOf(answer: CheckoutAnswer | undefined): PublicCheckoutDto {
  return (JSON.parse(String(answer!.body)) as { data: PublicCheckoutDto }).data;
}

let polls: Polls;
let shop: Checkouts;
let live: CachedCheckoutReader;

beforeEach(async () => {
  polls = await openPolls();
  ({ shop, live } = polls);
});

afterEach(() => polls.close());

describe('A polled checkout', () => {
  it('is answered from memory without a statement while nothing changes', async () => {
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

  it('is unknown before the first read, and an unknown session is not remembered', async () => {
    const session = await shop.checkout();

    expect(polls.recall(session)).toBeUndefined();
    await expect(live.read('A'.repeat(32))).rejects.toMatchObject({ code: 'not_found' });
    expect(live.findCached('A'.repeat(32))).toBeUndefined();
  });

  it('is not remembered if a change was logged during the read', async () => {
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

  it('is forgotten if a change during the read is logged afterwards', async () => {
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

  it('shows a change of a long transaction that is committed late', async () => {
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

  it('counts confirmations up without another read', async () => {
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

  it('is read again with the block that may contain its pending payment', async () => {
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

  it('refreshes the prices of its options every five seconds', async () => {
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
});

describe('The memory of checkouts without a database', () => {
  let refused: number;
  const broken = (isMeant: (text: string) => boolean) => {
    refused = 0;
    shop.database.beforeStatement = (_, text) => {
      if (!isMeant(text)) return;
      refused += 1;
      throw new Error('The database is away.');
    };
  };

  it('answers for one second only and sees every change afterwards', async () => {
    const [session, other] = [await shop.checkout(), await shop.checkout()];
    await polls.read(session);
    await polls.read(other);
    broken(isLook);
    // A read of the event log that began earlier has ended by now.
    await polls.until(() => refused > 0);
    const atFirst = polls.recall(session);
    await polls.skip(1_001);
    const afterASecond = polls.recall(session);
    const asked = await polls.read(session).catch((error: Error) => error);
    await shop.select(session, DOLLAR);
    shop.database.beforeStatement = () => undefined;

    const back = await polls.read(session);

    expect(atFirst).toBeDefined();
    expect(afterASecond).toBeUndefined();
    expect(asked).toBeInstanceOf(Error);
    expect(bodyOf(back).status).toBe('created');
    expect(bodyOf(await polls.read(other)).status).toBe('pending');
    expect(polls.recall(other)).toBeDefined();
  });

  it('loses no event if only the heads cannot be read', async () => {
    const [paying, session] = [await shop.checkout(), await shop.checkout()];
    shop.chain.mine(payAll(await shop.select(paying, DOLLAR), DOLLAR));
    await shop.follow();
    await polls.read(paying);
    await polls.read(session);
    broken((text) => text.startsWith('SELECT network, head_number'));
    await shop.select(session, DOLLAR);
    await polls.looked();
    shop.database.beforeStatement = () => undefined;

    const after = await polls.read(session);

    expect(bodyOf(after).status).toBe('created');
  });

  it('is dropped after more events than are read one by one', async () => {
    const session = await shop.checkout();
    await polls.read(session);
    await shop.platform.database.query(
      `INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
       SELECT gen_random_uuid(), 'test.happened', gen_random_uuid(), $1, $2, now(), '{}' FROM generate_series(1, 5001)`,
      [newId(), newId()],
    );

    await polls.forgotten(session);

    await polls.read(session);
    await polls.looked();
    expect(polls.recall(session)).toBeDefined();
    expect(polls.readings()).toBe(2);
  });
});

describe('The number of confirmations of a polled checkout', () => {
  /** Creates a session whose payment has two confirmations in the poll response. */
  async function confirmedTwice() {
    const session = await shop.select(await shop.checkout(), DOLLAR);
    shop.chain.mine(payAll(session, DOLLAR));
    shop.chain.mine();
    await shop.follow();
    await polls.read(session);
    await polls.looked();
    return session;
  }
  const confirmations = (session: CheckoutView) => bodyOf(polls.recall(session)).selected!.confirmations;

  it('decreases with a head that was reorganized away, without another read', async () => {
    const session = await confirmedTwice();
    const [before, readings] = [confirmations(session), polls.readings()];
    shop.chain.removeNewestBlocks(1);
    shop.chain.mine();

    await shop.turn();
    await polls.looked();
    const after = confirmations(session);
    await shop.follow();
    await polls.looked();

    expect([before, after, confirmations(session)]).toEqual([2, 1, 2]);
    expect(polls.readings()).toBe(readings);
  });

  it('ignores heads that are older than the last read', async () => {
    const session = await shop.select(await shop.checkout(), DOLLAR);
    shop.chain.mine(payAll(session, DOLLAR));
    await shop.follow();
    await polls.read(session);
    const isHeads = (text: string) => text.startsWith('SELECT network, head_number');
    const old = polls.holding(isHeads);
    await old.arrived;
    shop.chain.mine();
    await shop.follow();
    const fresh = await live.readFromDatabase(session.sessionId);
    const next = polls.holding(isHeads);

    old.letGo();
    await next.arrived;
    const afterOld = confirmations(session);
    next.letGo();

    expect([bodyOf(fresh).selected!.confirmations, afterOld]).toEqual([2, 2]);
  });
});

describe('The upkeep of polled checkouts', () => {
  it('keeps changes only while a read could be older than them', async () => {
    await polls.read(await shop.checkout());
    await shop.checkout();
    await polls.looked();
    const atFirst = live['changedAt'].size;

    for (let n = 0; n <= 1_000; n += 1) await live['readEventsOnce']();

    expect(atFirst).toBeGreaterThan(0);
    expect(live['changedAt'].size).toBe(0);
  });
});
