import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DOLLAR, EURO } from '../../testing/requests/collecting-world.js';
import { openPaymentLinks } from '../../testing/links/open-payment-links.js';
import { pay } from '../../testing/requests/open-payments.js';

const PAYER = 'p'.repeat(32);
const OTHER_PAYER = 'q'.repeat(32);
const CALLER = '203.0.113.7';
const PAST_THE_DEADLINE = 600;

type Bench = Awaited<ReturnType<typeof openPaymentLinks>>;

let bench: Bench;

beforeEach(async () => {
  bench = await openPaymentLinks();
  // The network is read, so requests can be created on it.
  await bench.follow();
});

/** No ledger runs here, which is only noticed where time passes. */
const UNPOSTED = 'ledger-confirmed-posted-once';

afterEach(() => bench.close([UNPOSTED]));

const open = (code: string, payerSecret = PAYER, forceNew = false) =>
  bench.openLink.execute({ code, payerSecret, forceNew, caller: CALLER });

const ids = (sessions: readonly { id: string }[]) => [...new Set(sessions.map(({ id }) => id))];

describe('Opening a payment link', () => {
  it('opens a checkout of its price, order and return address', async () => {
    const order = { total: '10', coin_code: 'USDX', description: 'Table 7' };
    const link = await bench.link({ order, returnUrl: 'https://shop.example/thanks' });

    const session = await open(link.code);

    expect(session).toMatchObject({
      status: 'created',
      amount: '10',
      coinCode: 'USDX',
      order,
      linkCode: link.code,
      returnUrl: 'https://shop.example/thanks',
      selected: { uniqueAssetId: DOLLAR.uniqueAssetId, amount: 10_000_000n },
    });
  });

  it('finds a payer’s checkout again, and gives another payer another', async () => {
    const { code } = await bench.link();

    const first = await open(code);
    const again = await open(code);
    const ofOther = await open(code, OTHER_PAYER);

    expect(again.id).toBe(first.id);
    expect(again.selected?.address).toBe(first.selected?.address);
    expect(ofOther.id).not.toBe(first.id);
    expect(await bench.count('checkouts')).toBe(2);
  });

  it('keeps the same payer’s checkouts of two links apart', async () => {
    const [one, other] = [await bench.link(), await bench.link()];

    const sessions = [await open(one.code), await open(other.code), await open(one.code)];

    expect(ids(sessions)).toHaveLength(2);
  });

  it('leaves one request when one payer opens it fifty times at once on two replicas', async () => {
    const { code } = await bench.link();
    const replica = await bench.replica();
    const opening = { code, payerSecret: PAYER, forceNew: false, caller: CALLER };

    const sessions = await Promise.all(
      Array.from({ length: 50 }, (_, n) => (n % 2 ? replica : bench).openLink.execute(opening)),
    );

    expect(ids(sessions)).toHaveLength(1);
    expect(await bench.count('payment_requests')).toBe(1);
    expect(await bench.count('payment_link_sessions')).toBe(1);
  });

  it('leaves one request when every opening is by a process of its own', async () => {
    const { code } = await bench.link();
    const replica = await bench.replica();
    const alone = () => Object.assign(Object.create(replica.openLink), { payers: { run: runAtOnce } });
    const opening = { code, payerSecret: PAYER, forceNew: false, caller: CALLER };

    const sessions = await Promise.all(
      Array.from({ length: 20 }, () => (alone() as Bench['openLink']).execute(opening)),
    );

    expect(ids(sessions)).toHaveLength(1);
    expect(await bench.count('payment_requests')).toBe(1);
  });

  it('is refused once its point of sale is a physical one, also where that is not known here yet', async () => {
    const { code } = await bench.link();
    const before = await open(code);
    await bench.pointsOfSale.change(bench.point, { type: 'physical' });

    const refused = open(code, OTHER_PAYER);

    await expect(refused).rejects.toMatchObject({ kind: 'conflict', code: 'state_conflict' });
    expect((await open(code)).id).toBe(before.id);
    expect(bench.pointsOfSale.forgotten).toBe(1);
    expect(await bench.count('payment_requests')).toBe(1);
  });

  it('replaces an expired checkout once, however often it is asked', async () => {
    const { code } = await bench.link();
    const first = await open(code);
    await bench.platform.advance(PAST_THE_DEADLINE);
    const replica = await bench.replica();
    const opening = { code, payerSecret: PAYER, forceNew: false, caller: CALLER };

    const sessions = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? replica : bench).openLink.execute(opening)),
    );

    expect(ids(sessions)).toHaveLength(1);
    expect(sessions[0]!.id).not.toBe(first.id);
    expect(await bench.count('payment_requests')).toBe(2);
  });

  it('finds a paid checkout again unless a new one is wanted', async () => {
    const { code } = await bench.link();
    const paid = await open(code);
    bench.chain.mine(pay({ address: paid.selected!.address }, 1_000));
    for (let block = 0; block < 5; block += 1) bench.chain.mine();
    await bench.follow();

    const again = await open(code);
    const [fresh, sameFresh] = await Promise.all([open(code, PAYER, true), open(code, PAYER, true)]);
    const stayed = await open(code);

    expect(again).toMatchObject({ id: paid.id, status: 'completed' });
    expect(fresh.id).not.toBe(paid.id);
    expect(sameFresh.id).toBe(fresh.id);
    expect(stayed.id).toBe(fresh.id);
  });

  it('replaces a paid checkout that was closed a day after its end', async () => {
    const { code } = await bench.link();
    const paid = await open(code);
    bench.chain.mine(pay({ address: paid.selected!.address }, 1_000));
    for (let block = 0; block < 5; block += 1) bench.chain.mine();
    await bench.follow();
    await bench.platform.advance(25 * 60 * 60);

    const fresh = await open(code);

    expect(fresh.id).not.toBe(paid.id);
    expect((await bench.readLink.execute(code, PAYER)).session?.id).toBe(fresh.id);
  });

  it('answers an inactive, an unknown and a malformed code alike', async () => {
    const link = await bench.link();
    const scope = { organizationId: link.organizationId, accountId: null };
    const session = await open(link.code);
    await bench.offered.setActive(scope, link.pointOfSaleId, link.id, false);

    const answers = await Promise.all(
      [link.code, link.code.toLowerCase() + 'x', 'no code', ''].map((code) =>
        open(code).catch((error: Error) => error.message),
      ),
    );

    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^There is no such payment link/);
    expect(await bench.count('checkouts')).toBe(1);
    expect(session.status).toBe('created');
  });
});

describe('Reading a payment link', () => {
  it('creates nothing and shows what is offered', async () => {
    await bench.pointsOfSale.change(bench.point, {
      paymentOptions: [DOLLAR.uniqueAssetId, EURO.uniqueAssetId],
    });
    const { code } = await bench.link();

    const { offered, session } = await bench.readLink.execute(code, PAYER);

    expect(session).toBeUndefined();
    expect(offered?.options.map(({ asset, amount }) => [asset.symbol, amount])).toEqual([
      ['USDX', 10_000_000n],
      ['EURX', 10_000_000n],
    ]);
    expect(await bench.count('payment_requests')).toBe(0);
  });

  it('shows the payer’s own session, and nobody else’s', async () => {
    const { code } = await bench.link();
    const opened = await open(code);

    expect((await bench.readLink.execute(code, PAYER)).session?.id).toBe(opened.id);
    expect((await bench.readLink.execute(code, OTHER_PAYER)).session).toBeUndefined();
    expect((await bench.readLink.execute(code, undefined)).session).toBeUndefined();
  });
});

describe('Choosing what to pay a payment link with', () => {
  it('selects for the payer’s session', async () => {
    await bench.pointsOfSale.change(bench.point, {
      paymentOptions: [DOLLAR.uniqueAssetId, EURO.uniqueAssetId],
    });
    const { code } = await bench.link();
    const opened = await open(code);

    const selected = await bench.selectForLink.execute(code, PAYER, EURO.uniqueAssetId);

    expect(opened.status).toBe('pending');
    expect(selected).toMatchObject({ id: opened.id, status: 'created', selected: { currency: 'EURX' } });
  });

  it('says to open it first', async () => {
    const { code } = await bench.link();

    const selecting = bench.selectForLink.execute(code, PAYER, DOLLAR.uniqueAssetId);

    await expect(selecting).rejects.toMatchObject({
      kind: 'not_found',
      message: expect.stringContaining('Open it with POST first'),
    });
  });
});

/** A process that knows of no other opening runs this. */
const runAtOnce = <T>(_payer: string, work: () => Promise<T>) => work();
