import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RateLimited } from '#shared/kernel/domain-error.js';
import { DOLLAR, EURO } from '../../testing/requests/collecting-world.js';
import { openPaymentLinks } from '../../testing/open-payment-links.js';
import { pay } from '../../testing/requests/open-payments.js';
import type { CheckoutView } from '../requests/payment-request-view.js';
import { LinkSettings } from './limit-link-openings.js';

const MAX_SESSIONS_PER_LINK = 6;
const MAX_SESSIONS_PER_ADDRESS = 3;
const CALLER = '203.0.113.7';
const WINDOW_AND_GRACE_SECONDS = 540;

type LimitBench = Awaited<ReturnType<typeof openPaymentLinks>>;
let bench: LimitBench;
let payers = 0;

beforeEach(async () => {
  bench = await openPaymentLinks(new LinkSettings(MAX_SESSIONS_PER_LINK, MAX_SESSIONS_PER_ADDRESS));
  await bench.follow();
});
afterEach(() => bench.close(['ledger-confirmed-posted-once']));

/**
 * Opens the link as a payer without a cookie.
 * @returns the session, or the RateLimited error
 */
async function openAsNewPayer(code: string, caller = CALLER, by: Pick<LimitBench, 'openLink'> = bench) {
  const payerSecret = String((payers += 1)).padStart(32, 'p');
  try {
    return await by.openLink.open({ code, payerSecret, forceNew: false, caller });
  } catch (error) {
    if (error instanceof RateLimited) return error;
    throw error;
  }
}

const isRateLimited = (answer: CheckoutView | RateLimited) => answer instanceof RateLimited;
const isAnswerRateLimited = async (answer: Promise<CheckoutView | RateLimited>) =>
  isRateLimited(await answer);

describe('The limit of unpaid sessions of a link', () => {
  it('holds for an address and a link, across concurrent replicas', async () => {
    const { code } = await bench.link();
    const replica = await bench.replica();

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => openAsNewPayer(code, CALLER, n % 3 === 0 ? replica : bench)),
    );

    expect(answers.filter((answer) => !isRateLimited(answer))).toHaveLength(MAX_SESSIONS_PER_ADDRESS);
    expect(await bench.count('payment_requests')).toBe(MAX_SESSIONS_PER_ADDRESS);
    expect(await isAnswerRateLimited(openAsNewPayer(code, '203.0.113.8'))).toBe(false);
    expect(await isAnswerRateLimited(openAsNewPayer((await bench.link()).code))).toBe(false);
  });

  it('holds for an IPv6 /56 at 4 times the number, and for a /48 at 16 times', async () => {
    const { code } = await bench.link();
    const openAll = async (subnets: number, nth: (n: number) => number) => {
      for (let n = 0; n < subnets; n += 1)
        if (!(await isAnswerRateLimited(openAsNewPayer(code, `2001:db8:1:${nth(n).toString(16)}::/64`))))
          count += 1;
    };
    let count = 0;

    await openAll(4 * MAX_SESSIONS_PER_ADDRESS + 1, (n) => n);
    const of56 = count;
    await openAll(16 * MAX_SESSIONS_PER_ADDRESS, (n) => (n + 1) << 8);

    expect([of56, count]).toEqual([4 * MAX_SESSIONS_PER_ADDRESS, 16 * MAX_SESSIONS_PER_ADDRESS]);
    expect(await isAnswerRateLimited(openAsNewPayer(code, '2001:db8:2:0::/64'))).toBe(false);
  });

  it('returns the time until the first session ends, after which there is room', async () => {
    const { code } = await bench.link();
    for (let n = 0; n < MAX_SESSIONS_PER_ADDRESS; n += 1) {
      await openAsNewPayer(code);
      await bench.platform.advance(50);
      bench.chain.mineAt(await bench.platform.clock.now());
      await bench.follow();
    }

    const { retryAfterSeconds } = (await openAsNewPayer(code)) as RateLimited;

    expect(retryAfterSeconds).toBeLessThanOrEqual(WINDOW_AND_GRACE_SECONDS - 50 * MAX_SESSIONS_PER_ADDRESS);
    expect(retryAfterSeconds).toBeGreaterThan(WINDOW_AND_GRACE_SECONDS - 50 * MAX_SESSIONS_PER_ADDRESS - 60);
    await bench.platform.advance(retryAfterSeconds);
    expect(await isAnswerRateLimited(openAsNewPayer(code))).toBe(false);
  });

  it('does not count paid sessions, and does not reject a payer with a session', async () => {
    const { code } = await bench.link();
    const payerSecret = 'z'.repeat(32);
    const mine = { code, payerSecret, forceNew: false, caller: CALLER };
    const session = await bench.openLink.open(mine);
    for (let n = 1; n < MAX_SESSIONS_PER_ADDRESS; n += 1) await openAsNewPayer(code);

    const again = await bench.openLink.open(mine);
    const full = await isAnswerRateLimited(openAsNewPayer(code));
    bench.chain.mine(pay({ address: session.selected!.address }, 1_000));
    await bench.follow();

    expect([again.id, full]).toEqual([session.id, true]);
    expect(await isAnswerRateLimited(openAsNewPayer(code))).toBe(false);
  });

  it('counts every amount that a payer types, even if it replaces the one before', async () => {
    const { id } = await bench.pointsOfSale.open({ type: 'physical', openAmount: true });
    let replaces: string | undefined;
    const type = () =>
      bench.payEnteredAmount.pay({ code: id, amount: '5', coinCode: 'USDX', caller: CALLER, replaces });
    for (let n = 0; n < MAX_SESSIONS_PER_ADDRESS; n += 1) {
      replaces = (await type()).sessionId;
      await bench.platform.advance(70);
      bench.chain.mineAt(await bench.platform.clock.now());
      await bench.follow();
    }

    await expect(type()).rejects.toBeInstanceOf(RateLimited);
  });

  it('accepts a payer whose cookie has a session of the link, whatever others open', async () => {
    const { code } = await bench.link();
    const mine = { code, payerSecret: 'z'.repeat(32), forceNew: false, caller: CALLER };
    const first = await bench.openLink.open(mine);
    await bench.platform.advance(WINDOW_AND_GRACE_SECONDS + 60);
    await bench.follow();
    for (let n = 0; n < MAX_SESSIONS_PER_ADDRESS; n += 1) await openAsNewPayer(code);

    const second = await bench.openLink.open(mine);

    expect(second.id).not.toBe(first.id);
    expect(await isAnswerRateLimited(openAsNewPayer(code))).toBe(true);
  });
});

describe('A link at its limit of open sessions', () => {
  const states = () =>
    bench.database.query<{ id: string; isOpen: boolean }>(
      `SELECT r.id, r.expires_at > platform.now() AS is_open FROM payments.payment_requests r ORDER BY r.id`,
    );
  const openIds = async () => (await states()).flatMap(({ id, isOpen }) => (isOpen ? id : []));

  beforeEach(async () => {
    await bench.pointsOfSale.change(bench.point, {
      paymentOptions: [DOLLAR.uniqueAssetId, EURO.uniqueAssetId],
    });
  });

  it('ends the oldest unselected sessions of the callers that have the most sessions', async () => {
    const { code } = await bench.link();
    const payer = (await openAsNewPayer(code, '192.0.2.1')) as CheckoutView;
    const payerSecret = 't'.repeat(32);
    const touched = await bench.openLink.open({ code, payerSecret, forceNew: false, caller: '192.0.2.2' });
    await bench.selectForLink.select(code, payerSecret, EURO.uniqueAssetId);
    const flood: (CheckoutView | RateLimited)[] = [];
    for (let n = 0; n < MAX_SESSIONS_PER_LINK + 2; n += 1)
      flood.push(await openAsNewPayer(code, `198.51.100.${n >> 1}`));

    const next = (await openAsNewPayer(code, '192.0.2.3')) as CheckoutView;

    expect(flood.filter(isRateLimited)).toEqual([]);
    const open = await openIds();
    expect(open).toEqual(expect.arrayContaining([payer.id, touched.id, next.id]));
    expect(open).toHaveLength(MAX_SESSIONS_PER_LINK + 1);
    const [[oldest], newest] = [flood, flood.at(-1)] as unknown as [CheckoutView[], CheckoutView];
    expect([open.includes(oldest!.id), open.includes(newest.id)]).toEqual([false, true]);
  });

  it('ends the oldest unselected session of that link for a caller at the limit of an address', async () => {
    const [{ code }, other] = [await bench.link(), await bench.link()];
    const elsewhere = (await openAsNewPayer(other.code)) as CheckoutView;
    const payerSecret = 't'.repeat(32);
    const touched = await bench.openLink.open({ code, payerSecret, forceNew: false, caller: CALLER });
    await bench.selectForLink.select(code, payerSecret, EURO.uniqueAssetId);
    const flood: (CheckoutView | RateLimited)[] = [];
    for (let n = 0; n < 2 * MAX_SESSIONS_PER_ADDRESS; n += 1) flood.push(await openAsNewPayer(code));
    // Expired sessions without an asset do not count either.
    await bench.platform.advance(1);
    await bench.expireUnselected.expire();

    const next = (await openAsNewPayer(code)) as CheckoutView;

    expect(flood.filter(isRateLimited)).toEqual([]);
    const newest = (flood as CheckoutView[]).slice(1 - MAX_SESSIONS_PER_ADDRESS).map(({ id }) => id);
    expect(new Set(await openIds())).toEqual(new Set([elsewhere.id, touched.id, ...newest, next.id]));
  });

  it('ends the sessions of an IPv6 /48 that has one in each /64 before those of others', async () => {
    const { code } = await bench.link();
    const payers = [await openAsNewPayer(code, '192.0.2.1'), await openAsNewPayer(code, '2001:db8:2:0::/64')];
    for (let n = 0; n < 2 * MAX_SESSIONS_PER_LINK; n += 1)
      await openAsNewPayer(code, `2001:db8:1:${(n << 8).toString(16)}::/64`);

    expect(await openIds()).toEqual(expect.arrayContaining((payers as CheckoutView[]).map(({ id }) => id)));
  });
});
