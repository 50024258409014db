import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import type { PaymentPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { openPaymentLinks } from '../../testing/open-payment-links.js';
import { DOLLAR, EURO } from '../../testing/requests/collecting-world.js';
import { pay } from '../../testing/requests/open-payments.js';
import { AssetShownAtTillError } from '../../domain/requests/asset-change-rule.js';
import { SessionAliases } from '../../infrastructure/checkout/persistence/postgres-checkout-queries.js';
import { PayerMails } from '../../infrastructure/receipts/persistence/payer-mails.js';
import { RequestReceiptMail } from '../receipts/request-receipt-mail.js';
import { ReceiptSettings } from '../../domain/receipts/mail-outcome-rule.js';
import { TillOccupiedError, type EnteredAmountInput } from './pay-entered-amount.js';

type Bench = Awaited<ReturnType<typeof openPaymentLinks>>;

let bench: Bench;
let till: PaymentPointOfSale;

beforeAll(async () => {
  bench = await openPaymentLinks();
  // The network is read, so requests can be created on it.
  await bench.follow();
});
beforeEach(async () => {
  till = await bench.pointsOfSale.open({ type: 'physical', openAmount: true });
});
afterAll(() => bench.close(['ledger-confirmed-posted-once']));

const displayedSession = async () => (await bench.readTillCode.read(till.id)).shown;

const createCashierRequest = async (amount = '10') =>
  bench.createCheckout.create({
    scope: till,
    pointOfSaleId: till.id,
    amount,
    coinCode: DOLLAR.symbol,
    at: await bench.platform.clock.now(),
  });

const payEnteredAmount = (input: Partial<EnteredAmountInput> = {}) =>
  bench.payEnteredAmount.pay({
    code: till.id,
    amount: '5',
    coinCode: DOLLAR.symbol,
    caller: '203.0.113.7',
    ...input,
  });

const expiryOf = async (request: Parameters<Bench['read']>[0]) => (await bench.read(request)).expiresAt;

describe('The code of a till', () => {
  it('shows the newest request of the cashier until a payment to it is detected', async () => {
    expect(await displayedSession()).toBeUndefined();

    await createCashierRequest('10');
    const session = await createCashierRequest('12');
    expect(await displayedSession()).toMatchObject({
      session: { id: session.id, amount: '12' },
      isDirect: false,
    });

    bench.chain.mine(pay({ ...session, ...session.selected! }, 500));
    await bench.follow();
    expect(await displayedSession()).toBeUndefined();
  });

  it('shows nothing after the window, and is not found for an online point of sale', async () => {
    await createCashierRequest();
    await bench.platform.advance(500);
    await bench.follow();

    expect(await displayedSession()).toBeUndefined();
    const online = await bench.pointsOfSale.open();
    await expect(bench.readTillCode.read(online.id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('The alias of a session', () => {
  const offer = async () => {
    till = await bench.pointsOfSale.open({
      type: 'physical',
      paymentOptions: [DOLLAR.uniqueAssetId, EURO.uniqueAssetId],
    });
    const session = await createCashierRequest();
    return { session, alias: (await displayedSession())!.session };
  };

  it('returns the session until a payment is detected, and leaves transfers in other assets out', async () => {
    const session = await createCashierRequest();
    const { sessionId: alias } = (await displayedSession())!.session;
    const aliases = new SessionAliases(bench.database);
    bench.chain.mine(pay({ ...session, ...session.selected! }, 500, EURO.token));
    await bench.follow();
    expect((await bench.checkouts.find(session.sessionId))!.otherAssets).toHaveLength(1);
    expect(await bench.checkouts.find(alias)).not.toHaveProperty('otherAssets');
    expect(alias).not.toBe(session.sessionId);
    expect(await bench.checkouts.find(alias)).toMatchObject({ id: session.id, sessionId: alias });
    expect(await aliases.isPaid(alias)).toBe(false);

    bench.chain.mine(pay({ ...session, ...session.selected! }, 500));
    await bench.follow();

    expect(await bench.checkouts.find(alias)).toBeUndefined();
    const paid = [alias, session.sessionId, '\0'].map((id) => aliases.isPaid(id));
    expect(await Promise.all(paid)).toEqual([true, false, false]);
    expect(await bench.checkouts.find(session.sessionId)).toMatchObject({ status: 'processing' });
    await expect(bench.selectAsset.select(alias, DOLLAR.uniqueAssetId)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('accepts no address for a receipt mail', async () => {
    const { session, alias } = await offer();
    const { database } = bench;
    const mails = new PayerMails(database, new DeploymentCell('k'), new ReceiptSettings(2));
    const asking = new RequestReceiptMail(bench.checkouts, mails, database);
    const ask = (id: string, email: string) => asking.registerRecipient(id, email, 'en', Buffer.alloc(32));

    await expect(ask(alias.sessionId, 'eve@mail.example')).rejects.toMatchObject({ code: 'not_found' });
    await ask(session.sessionId, 'anna@mail.example');

    const [mail] = await database.query(
      'SELECT recipient FROM payments.payer_mails WHERE payment_request_id = $1',
      [session.id],
    );
    expect(mail).toEqual({ recipient: 'anna@mail.example' });
  });

  it('selects an asset, and replaces none that is shown at the till', async () => {
    const { session, alias } = await offer();
    await bench.selectAsset.select(alias.sessionId, DOLLAR.uniqueAssetId);

    await expect(bench.selectAsset.select(alias.sessionId, EURO.uniqueAssetId)).rejects.toBeInstanceOf(
      AssetShownAtTillError,
    );
    await bench.selectAsset.select(session.sessionId, EURO.uniqueAssetId);
    await expect(bench.selectAsset.select(alias.sessionId, DOLLAR.uniqueAssetId)).rejects.toBeInstanceOf(
      AssetShownAtTillError,
    );

    expect((await bench.checkouts.find(alias.sessionId))?.selected?.uniqueAssetId).toBe(EURO.uniqueAssetId);
  });

  it('selects one asset for two concurrent selections', async () => {
    const { alias } = await offer();

    const both = await Promise.allSettled(
      [DOLLAR, EURO].map(({ uniqueAssetId }) => bench.selectAsset.select(alias.sessionId, uniqueAssetId)),
    );

    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('An amount that a payer types', () => {
  it('opens a checkout that the code does not show, and that no other request ends', async () => {
    const session = await payEnteredAmount({ amount: '7.50' });

    expect(session).toMatchObject({ amount: '7.5', pointOfSaleId: till.id, status: 'created' });
    expect(await displayedSession()).toBeUndefined();

    await payEnteredAmount({ amount: '6', replaces: 'another' });
    const made = await createCashierRequest();
    expect(await expiryOf(session)).toEqual(session.expiresAt);
    expect(await displayedSession()).toMatchObject({ session: { id: made.id } });
  });

  it('is rejected while a request of the cashier is open', async () => {
    for (const make of [() => createCashierRequest(), () => bench.request({}, till)]) {
      const request = await make();
      const before = await bench.countStored();

      await expect(payEnteredAmount()).rejects.toBeInstanceOf(TillOccupiedError);

      expect(await expiryOf(request)).toEqual(request.expiresAt);
      expect(await bench.countStored()).toBe(before);
    }
  });

  it('opens a session for each concurrent payer', async () => {
    const typing = Array.from({ length: 20 }, (_, n) => payEnteredAmount({ caller: `198.51.100.${n}` }));

    expect(new Set((await Promise.all(typing)).map(({ sessionId }) => sessionId)).size).toBe(20);
  });

  it('replaces the earlier request of the same payer, unless a payment of it is signed', async () => {
    const replaced = await payEnteredAmount();
    const second = await payEnteredAmount({ amount: '6', replaces: replaced.sessionId });
    expect(await expiryOf(replaced)).toEqual(second.createdAt);

    const first = await payEnteredAmount();
    const { uniqueAssetId, address, amount } = first.selected!;
    await bench.database.query(
      `INSERT INTO payments.authorizations (id, payment_request_id, organization_id, account_id, network, token, unique_asset_id,
         from_address, to_address, value, valid_after, valid_before, nonce, signature, reserved_cost, limit_of_payment,
         limit_of_organization, limit_of_day)
       SELECT r.id, r.id, r.organization_id, r.account_id, a[1], lower(a[2]), $2, '0x' || repeat('1', 40), lower($3), $4, 0, 1,
         '0x' || repeat('2', 64), '\\x01', 0, 0, 0, 0
       FROM payments.payment_requests r, regexp_match($2, '^n(.+)_t(.+)$') a WHERE r.id = $1`,
      [first.id, uniqueAssetId, address, amount.toString()],
    );

    await payEnteredAmount({ amount: '6', replaces: first.sessionId });

    expect(await expiryOf(first)).toEqual(first.expiresAt);
    await bench.database.query(
      `UPDATE payments.authorizations SET state = 'failed', ended_at = platform.now(), gas_cost = 0, failure = 'too late',
         failure_reason = 'time' WHERE payment_request_id = $1`,
      [first.id],
    );
  });

  it('is shown again only to the payer who typed it, until it ends', async () => {
    const { sessionId } = await payEnteredAmount();
    const other = await bench.pointsOfSale.open({ type: 'physical', openAmount: true });

    expect(await bench.readTillCode.read(till.id, sessionId)).toMatchObject({ own: { sessionId } });
    expect((await bench.readTillCode.read(till.id)).own).toBeUndefined();
    expect((await bench.readTillCode.read(other.id, sessionId)).own).toBeUndefined();
    await bench.platform.advance(600);
    bench.chain.mineAt(await bench.platform.clock.now());
    await bench.follow();
    await bench.expireUnselected.expire();
    expect((await bench.readTillCode.read(till.id, sessionId)).own).toBeUndefined();
  });

  it('is rejected unless it is a plain decimal', async () => {
    for (const amount of ['0', '-1', '1e3', '0x10', '1.0000001', '9'.repeat(90), "1'--", '٣', ''])
      await expect(payEnteredAmount({ amount })).rejects.toMatchObject({ errors: [{ field: 'amount' }] });
  });

  it('requires the currency of the till, and a till that currently accepts typed amounts', async () => {
    const euros = await bench.pointsOfSale.open({ type: 'physical', openAmount: true, tillCoin: 'EUR' });

    await expect(payEnteredAmount({ coinCode: 'EUR' })).rejects.toMatchObject({
      errors: [{ field: 'coin_code' }],
    });
    await expect(payEnteredAmount({ code: euros.id })).rejects.toMatchObject({
      errors: [{ field: 'coin_code' }],
    });
    // The copy in memory still allows it.
    await bench.pointsOfSale.change(till, { openAmount: false });
    await expect(payEnteredAmount()).rejects.toMatchObject({ code: 'state_conflict' });
    expect(await displayedSession()).toBeUndefined();
  });
});
