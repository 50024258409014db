import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DOLLAR, EURO } from '../../testing/requests/collecting-world.js';
import { openPaymentLinks } from '../../testing/open-payment-links.js';
import { pay } from '../../testing/requests/open-payments.js';
import { PaymentLinks } from '../../infrastructure/links/persistence/payment-links.js';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { newId, type AccountId } from '#shared/kernel/ids.js';
import { readByCursor } from '#shared/kernel/testing/read-by-cursor.js';

const PAYER = 'p'.repeat(32);
const OTHER_PAYER = 'q'.repeat(32);
const CALLER = '203.0.113.7';

type Bench = Awaited<ReturnType<typeof openPaymentLinks>>;

let bench: Bench;

beforeEach(async () => {
  bench = await openPaymentLinks();
  // The network is read, so requests can be created on it.
  await bench.follow();
});

/** Ignored invariant, because no ledger runs in this test. It is violated only in tests that advance the time. */
const IGNORED_LEDGER_INVARIANT = 'ledger-confirmed-posted-once';

afterEach(() => bench.close([IGNORED_LEDGER_INVARIANT]));

const openLinkAs = (code: string, payerSecret = PAYER, forceNew = false) =>
  bench.openLink.open({ code, payerSecret, forceNew, caller: CALLER });

const distinctIds = (sessions: readonly { id: string }[]) => [...new Set(sessions.map(({ id }) => id))];

describe('A payer who opens a payment link', () => {
  it('opens a checkout with its price, order and return URL', async () => {
    const order = { total: '10', coin_code: 'USDX', description: 'Table 7' };
    const link = await bench.link({ order, returnUrl: 'https://shop.example/thanks' });

    const session = await openLinkAs(link.code);

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

  it('keeps one checkout per payer and link', async () => {
    const [{ code }, other] = [await bench.link(), await bench.link()];

    const first = await openLinkAs(code);
    const elsewhere = await openLinkAs(other.code);
    const again = await openLinkAs(code);
    const ofOther = await openLinkAs(code, OTHER_PAYER);

    expect(again.id).toBe(first.id);
    expect(again.selected?.address).toBe(first.selected?.address);
    expect(distinctIds([first, elsewhere, ofOther])).toHaveLength(3);
    expect(await bench.count('checkouts')).toBe(3);
  });

  it('creates one request when many processes open it concurrently', async () => {
    const { code } = await bench.link();
    const replica = await bench.replica();
    const alone = () => Object.assign(Object.create(replica.openLink), { payers: { run: runWithoutQueue } });
    const opening = { code, payerSecret: PAYER, forceNew: false, caller: CALLER };

    const sessions = await Promise.all(
      Array.from({ length: 20 }, () => (alone() as Bench['openLink']).open(opening)),
    );

    expect(distinctIds(sessions)).toHaveLength(1);
    expect(await bench.count('payment_requests')).toBe(1);
  });

  it('is rejected once its point of sale is physical, even if the cached copy is outdated', async () => {
    const { code } = await bench.link();
    const before = await openLinkAs(code);
    await bench.pointsOfSale.change(bench.point, { type: 'physical' });

    const refused = openLinkAs(code, OTHER_PAYER);

    await expect(refused).rejects.toMatchObject({ kind: 'conflict', code: 'state_conflict' });
    expect((await openLinkAs(code)).id).toBe(before.id);
    expect(bench.pointsOfSale.forgotten).toBe(1);
    expect(await bench.count('payment_requests')).toBe(1);
  });

  it('returns a paid checkout unless a new one is requested', async () => {
    const { code } = await bench.link();
    const paid = await openLinkAs(code);
    bench.chain.mine(pay({ address: paid.selected!.address }, 1_000));
    for (let block = 0; block < 5; block += 1) bench.chain.mine();
    await bench.follow();

    const again = await openLinkAs(code);
    const [fresh, sameFresh] = await Promise.all([
      openLinkAs(code, PAYER, true),
      openLinkAs(code, PAYER, true),
    ]);
    const stayed = await openLinkAs(code);

    expect(again).toMatchObject({ id: paid.id, status: 'completed' });
    expect(fresh.id).not.toBe(paid.id);
    expect(sameFresh.id).toBe(fresh.id);
    expect(stayed.id).toBe(fresh.id);
  });

  it('returns the same error for an inactive, an unknown and a malformed code', async () => {
    const link = await bench.link();
    const scope = { organizationId: link.organizationId, accountId: null };
    const session = await openLinkAs(link.code);
    await bench.offered.setActive(scope, link.pointOfSaleId, link.id, false);

    const answers = await Promise.all(
      [link.code, link.code.toLowerCase() + 'x', 'no code', ''].map((code) =>
        openLinkAs(code).catch((error: Error) => error.message),
      ),
    );

    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^There is no such payment link/);
    expect(await bench.count('checkouts')).toBe(1);
    expect(session.status).toBe('created');
  });
});

describe('Reading a payment link', () => {
  it('shows what is offered, and only the payer’s own session', async () => {
    const { code } = await bench.link();
    const { offered } = await bench.readLink.read(code, PAYER);
    const opened = await openLinkAs(code);

    expect(offered?.options.map(({ asset, amount }) => [asset.symbol, amount])).toEqual([
      ['USDX', 10_000_000n],
    ]);
    expect((await bench.readLink.read(code, PAYER)).session?.id).toBe(opened.id);
    expect((await bench.readLink.read(code, OTHER_PAYER)).session).toBeUndefined();
    expect((await bench.readLink.read(code, undefined)).session).toBeUndefined();
  });
});

describe('Selecting an asset for a payment link', () => {
  it('selects it for the session of the payer', async () => {
    await bench.pointsOfSale.change(bench.point, {
      paymentOptions: [DOLLAR.uniqueAssetId, EURO.uniqueAssetId],
    });
    const { code } = await bench.link();
    const opened = await openLinkAs(code);

    const selected = await bench.selectForLink.select(code, PAYER, EURO.uniqueAssetId);

    expect(opened.status).toBe('pending');
    expect(selected).toMatchObject({ id: opened.id, status: 'created', selected: { currency: 'EURX' } });
  });
});

/** Runs the work immediately, like a process that does not know of concurrent openings. */
const runWithoutQueue = <T>(_payer: string, work: () => Promise<T>) => work();

describe('The management of the payment links of a point of sale', () => {
  it('lists the newest links first, by page and by cursor', async () => {
    const links = [await bench.link(), await bench.link(), await bench.link()];
    const { id: pointOfSaleId, organizationId } = bench.point;
    const scope = { organizationId, accountId: null };

    const page = (number: number) => bench.offered.list(scope, pointOfSaleId, { page: number, pageSize: 2 });

    expect((await page(1)).items.map(({ link }) => link.id)).toEqual([links[2]!.id, links[1]!.id]);
    const last = await page(2);
    expect([last.total, last.items.map(({ link }) => link)]).toEqual([3, [links[0]]]);
    expect(await page(3)).toEqual({ total: 3, items: [] });
    const byCursor = await readByCursor((request) => bench.offered.list(scope, pointOfSaleId, request));
    expect(byCursor.map(({ link }) => link.id)).toEqual(links.map(({ id }) => id).reverse());
  });

  it('rejects the creation and activation of a link in an account that has just been deleted', async () => {
    const link = await bench.link();
    const { organizationId, accountId, pointOfSaleId, id } = link;
    const scope = { organizationId, accountId };
    await bench.offered.setActive(scope, pointOfSaleId, id, false);
    const deleted = (at: Date | null) =>
      bench.database.query('UPDATE identity.accounts SET deleted_at = $2 WHERE id = $1', [accountId, at]);
    await deleted(link.createdAt);
    const links = new PaymentLinks(bench.database, new DeploymentCell());

    const refused = await Promise.allSettled([
      links.add({ ...link, id: newId(), code: 'A'.repeat(22) }),
      links.setActive(scope, pointOfSaleId, id, true),
    ]);

    expect(refused).toMatchObject(Array(2).fill({ reason: { code: 'not_found' } }));
    await deleted(null);
  });

  it('hides links from other organizations, accounts and points of sale', async () => {
    const link = await bench.link();
    const { organizationId } = bench.point;
    const foreign = await bench.pointsOfSale.open();
    const strangers = [
      { organizationId: foreign.organizationId, accountId: null },
      { organizationId, accountId: newId<AccountId>() },
    ];
    const pointOfSaleId = link.pointOfSaleId;

    for (const scope of strangers) {
      const creates = { scope, pointOfSaleId, amount: '1', coinCode: 'USDX' };
      await expect(bench.offered.list(scope, pointOfSaleId, { page: 1, pageSize: 50 })).rejects.toMatchObject(
        { code: 'not_found' },
      );
      await expect(bench.offered.setActive(scope, pointOfSaleId, link.id, false)).rejects.toMatchObject({
        code: 'not_found',
      });
      await expect(bench.createLink.create(creates)).rejects.toMatchObject({ code: 'not_found' });
    }
    const scope = { organizationId, accountId: null };
    const switched = bench.offered.setActive(scope, foreign.id, link.id, false);

    await expect(switched).rejects.toMatchObject({ code: 'not_found' });
    const stillActive = {
      code: link.code,
      payerSecret: 'p'.repeat(32),
      forceNew: false,
      caller: '203.0.113.7',
    };
    expect((await bench.openLink.open(stillActive)).status).toBe('created');
  });

  it('requires the approval of the organization for a link', async () => {
    bench.approval.isApproved = false;
    await expect(bench.link()).rejects.toMatchObject({ code: 'organization_not_approved' });
    bench.approval.isApproved = true;
  });

  it('requires a price that an asset can pay, and an online point of sale, for a link', async () => {
    await expect(bench.link({ amount: '0.001' })).rejects.toMatchObject({
      errors: [{ field: 'amount', rule: 'minimum_amount' }],
    });
    const till = await bench.pointsOfSale.open({ type: 'physical' });
    await expect(bench.link({}, till)).rejects.toMatchObject({ kind: 'conflict', code: 'state_conflict' });
  });
});
