import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newId } from '../../../../shared/kernel/ids.js';
import { CheckoutUrls } from '../../application/checkout-urls.js';
import type { CheckoutView } from '../../application/checkout-view.js';
import { PriceOptions } from '../../application/price-options.js';
import { Quotes } from '../../application/quotes.js';
import { DOLLAR, EURO } from '../../testing/collecting-world.js';
import { openCheckouts, payAll, type Checkouts } from '../../testing/open-checkouts.js';
import { CheckoutPresenter } from '../http/checkout-presenter.js';
import type { PublicCheckoutDto } from '../http/checkout.dto.js';
import { LiveCheckouts, type CheckoutAnswer } from './live-checkouts.js';

const DAY_SECONDS = 24 * 60 * 60;
const PAST_THE_DEADLINE = 600;

let shop: Checkouts;
let live: LiveCheckouts;
/** Real time that passed at once, in milliseconds. */
let skipped: number;
const realNow = performance.now.bind(performance);

beforeEach(async () => {
  skipped = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => realNow() + skipped);
  shop = await openCheckouts();
  const priceOptions = new PriceOptions(new Quotes(shop.rates, shop.catalogue));
  const urls = new CheckoutUrls('https://api.example', 'https://pay.example');
  const presenter = new CheckoutPresenter(shop.catalogue, priceOptions, urls);
  live = new LiveCheckouts(shop.database, shop.queries, presenter);
});

afterEach(async () => {
  jest.restoreAllMocks();
  shop.database.beforeStatement = () => undefined;
  shop.database.afterStatement = () => undefined;
  await live.beforeApplicationShutdown();
  await shop.close();
});

const isLook = (text: string) => text.includes('pg_current_snapshot');
const isReading = (text: string) => text.includes('c.session_id = $1');
const readings = () => shop.database.statements.filter(isReading).length;
const looks = () => shop.database.statements.filter(isLook).length;

function told(answer: CheckoutAnswer | undefined): PublicCheckoutDto {
  return (JSON.parse(String(answer!.body)) as { data: PublicCheckoutDto }).data;
}

async function until(isDone: () => boolean, withinMs = 2_000): Promise<void> {
  const end = realNow() + withinMs;
  while (!isDone()) {
    if (realNow() > end) throw new Error(`Not within ${withinMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Looks that begin from now on. */
const looked = async (times = 2) => {
  const before = looks();
  await until(() => looks() >= before + times);
};

const recall = ({ sessionId }: CheckoutView) => live.recall(sessionId);
const read = ({ sessionId }: CheckoutView) => live.read(sessionId);
const forgotten = (session: CheckoutView) => until(() => recall(session) === undefined);

/** Keeps the answer to the next such statement back until it is let go. */
function holding(isMeant: (text: string) => boolean) {
  let letGo!: () => void;
  let arrive!: () => void;
  const gone = new Promise<void>((resolve) => (letGo = resolve));
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  shop.database.afterStatement = (text) => {
    if (!isMeant(text)) return undefined;
    shop.database.afterStatement = () => undefined;
    arrive();
    return gone;
  };
  return { arrived, letGo };
}

describe('A polled checkout', () => {
  it('is told from memory, without a statement, as long as nothing happens', async () => {
    const session = await shop.checkout();
    const first = await read(session);

    const statements = shop.database.statements.length;
    const polls = Array.from({ length: 50 }, () => recall(session));
    const sent = shop.database.statements.length - statements;

    expect(sent).toBe(0);
    for (const poll of polls) expect(poll!.body.equals(first!.body)).toBe(true);
    await looked(5);
    expect(recall(session)!.etag).toBe(first!.etag);
    expect(readings()).toBe(1);
  });

  it('is not known before it was read, and a session that there is not is not remembered', async () => {
    const session = await shop.checkout();

    expect(recall(session)).toBeUndefined();
    expect(await live.read('A'.repeat(32))).toBeUndefined();
    expect(live.recall('A'.repeat(32))).toBeUndefined();
  });

  it('shows a change soon after its commit', async () => {
    const session = await shop.checkout();
    const before = await read(session);
    await shop.select(session, DOLLAR);
    const committedAt = realNow();

    await forgotten(session);
    const tookMs = realNow() - committedAt;

    expect(told(await read(session))).toMatchObject({ status: 'created', selected: { symbol: 'USDX' } });
    expect((await read(session))!.etag).not.toBe(before!.etag);
    // The goal is 50; the machine of a test may be busy.
    expect(tookMs).toBeLessThan(500);
  });

  it('is not remembered as it was read when it has changed meanwhile and the tail has told so', async () => {
    const [session, other] = [await shop.checkout(), await shop.checkout()];
    await read(other);
    const held = holding(isReading);
    const reading = read(session);
    await held.arrived;
    await shop.select(session, DOLLAR);
    await looked();

    held.letGo();
    const old = await reading;

    expect(told(old).status).toBe('pending');
    expect(recall(session)).toBeUndefined();
    expect(told(await read(session)).status).toBe('created');
  });

  it('is forgotten when it has changed while it was read and the tail tells so only afterwards', async () => {
    const session = await shop.checkout();
    const held = holding(isReading);
    const reading = read(session);
    await held.arrived;
    await shop.select(session, DOLLAR);

    held.letGo();
    await reading;

    await forgotten(session);
    expect(told(await read(session)).status).toBe('created');
  });

  it('shows a change of a transaction that began long ago and is committed late', async () => {
    const [session, later] = [await shop.checkout(), await shop.checkout()];
    await read(session);
    let commit!: () => void;
    const committing = new Promise<void>((resolve) => (commit = resolve));
    let appended!: () => void;
    const appending = new Promise<void>((resolve) => (appended = resolve));
    const late = shop.database.run(async () => {
      await shop.platform.eventLog.append([
        {
          type: 'payment_request.status_changed',
          aggregateId: session.id,
          organizationId: session.organizationId,
          accountId: session.accountId,
          occurredAt: await shop.platform.clock.now(),
          data: { status: 'created' },
        } as never,
      ]);
      appended();
      await committing;
    });
    await appending;
    await shop.select(later, DOLLAR);
    await looked(5);
    const meanwhile = recall(session);
    commit();
    await late;

    await forgotten(session);

    expect(meanwhile).toBeDefined();
    expect(readings()).toBe(1 + 2);
  });

  it('counts its confirmations on with the network, without being read again', async () => {
    const session = await shop.checkout();
    const selected = await shop.select(session, DOLLAR);
    shop.chain.mine(payAll(selected, DOLLAR));
    await shop.follow();
    const paying = { ...(await read(session)) };
    const before = readings();
    shop.chain.mine();
    await shop.follow();

    await until(() => recall(session)?.etag !== paying.etag);

    expect(told(paying as CheckoutAnswer)).toMatchObject({
      status: 'processing',
      selected: { confirmations: 1 },
    });
    expect(told(recall(session))).toMatchObject({ status: 'processing', selected: { confirmations: 2 } });
    expect(readings()).toBe(before);
  });

  it('shows the prices of its options anew every five seconds', async () => {
    const session = await shop.checkout();
    const before = told(await read(session));
    shop.rates.set('EURX', 'USD', '1.6');
    const soon = told(recall(session));
    skipped += 5_100;

    const after = told(await read(session));

    const euros = ({ payment_options: options }: PublicCheckoutDto) =>
      options.find(({ unique_asset_id }) => unique_asset_id === EURO.uniqueAssetId)!.amount;
    expect([euros(before), euros(soon), euros(after)]).toEqual(['8', '8', '6.25']);
    expect(readings()).toBe(1);
  });

  it('is told after its end for a day, and forgotten with what nobody may read any more', async () => {
    const session = await shop.checkout();
    await shop.platform.advance(PAST_THE_DEADLINE);
    await shop.expireUnselected.execute([session.id as never]);
    const ended = await read(session);
    await shop.platform.advance(DAY_SECONDS + 1);
    skipped += 10 * 60_000 + 1;

    const closed = await read(session);

    expect(told(ended).status).toBe('expired');
    expect(closed).toBeUndefined();
  });
});

describe('Where the database is away', () => {
  const broken = (isMeant: (text: string) => boolean) => {
    shop.database.beforeStatement = (_, text) => {
      if (isMeant(text)) throw new Error('The database is away.');
    };
  };

  it('memory is believed for a second, then nothing is, and afterwards every change is seen', async () => {
    const [session, other] = [await shop.checkout(), await shop.checkout()];
    await read(session);
    await read(other);
    broken(isLook);
    const atFirst = recall(session);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const afterASecond = recall(session);
    const asked = await read(session).catch((error: Error) => error);
    await shop.select(session, DOLLAR);
    shop.database.beforeStatement = () => undefined;

    const back = await read(session);

    expect(atFirst).toBeDefined();
    expect(afterASecond).toBeUndefined();
    expect(asked).toBeInstanceOf(Error);
    expect(told(back).status).toBe('created');
    expect(told(await read(other)).status).toBe('pending');
    expect(recall(other)).toBeDefined();
  });

  it('for the heads alone, what the tail has told is not lost', async () => {
    const [paying, session] = [await shop.checkout(), await shop.checkout()];
    shop.chain.mine(payAll(await shop.select(paying, DOLLAR), DOLLAR));
    await shop.follow();
    await read(paying);
    await read(session);
    broken((text) => text.startsWith('SELECT network, head_number'));
    await shop.select(session, DOLLAR);
    await looked();
    shop.database.beforeStatement = () => undefined;

    const after = await read(session);

    expect(told(after).status).toBe('created');
  });

  it('nothing is believed that was remembered when more happened than is told one by one', async () => {
    const session = await shop.checkout();
    await read(session);
    await shop.platform.database.query(
      `INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
       SELECT gen_random_uuid(), 'test.happened', gen_random_uuid(), $1, $2, now(), '{}' FROM generate_series(1, 5001)`,
      [newId(), newId()],
    );

    await forgotten(session);

    await read(session);
    await looked();
    expect(recall(session)).toBeDefined();
    expect(readings()).toBe(2);
  });
});

describe('What polling keeps and costs', () => {
  it('forgets what nobody has asked for in a minute, and then looks no more', async () => {
    const [asked, unasked] = [await shop.checkout(), await shop.checkout()];
    await read(asked);
    await read(unasked);
    skipped += 40_000;
    await read(asked);
    skipped += 30_000;

    await read(asked);
    const kept = readings();
    await read(unasked);
    const again = readings();
    skipped += 61_000;
    await until(() => live['memory'].size === 0);
    const before = shop.database.statements.length;
    await new Promise((resolve) => setTimeout(resolve, 100));

    expect([kept, again]).toEqual([2, 3]);
    expect(shop.database.statements.length).toBe(before);
  });

  it('keeps no more of what it was told than a reading could still be older than', async () => {
    await read(await shop.checkout());
    await shop.checkout();
    await looked();
    const atFirst = live['toldAt'].size;

    for (let n = 0; n <= 1_000; n += 1) await live['look']();

    expect(atFirst).toBeGreaterThan(0);
    expect(live['toldAt'].size).toBe(0);
  });

  it('ends with the process', async () => {
    await read(await shop.checkout());
    await looked();

    await live.beforeApplicationShutdown();

    const before = looks();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(looks()).toBe(before);
  });
});
