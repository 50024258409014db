import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import { keysOf, verify } from '#shared/naspip/naspip-token.js';
import type { ChargeRequest } from '../../contract/charge-requests.js';
import { QuoteAssets } from '#contexts/rates/application/quote-assets.js';
import { NetworkFeeHints } from '../../infrastructure/checkout/http/network-fee-hints.js';
import { ReceiptStates } from '../../infrastructure/requests/persistence/views/receipt-states.js';
import { CheckoutPageModels } from '../../infrastructure/checkout/http/checkout-page-models.js';
import { presentInstruction } from '../../infrastructure/checkout/http/wallet-answer.dto.js';
import { renderCheckoutPage } from '../../infrastructure/checkout/pages/checkout-page.js';
import { visible } from '#shared/web/testing/visible-text.js';
import { CheckoutSettings } from '../../infrastructure/requests/checkout-settings.js';
import { CheckoutPresenter } from '../../infrastructure/requests/http/checkout-presenter.js';
import { PostgresAuditedPayments } from '../../infrastructure/watching/persistence/postgres-audited-payments.js';
import { openCheckouts, type Checkouts } from '../../testing/checkout/open-checkouts.js';
import { DOLLAR, NETWORK } from '../../testing/requests/collecting-world.js';
import { HashedAddresses } from '../../testing/requests/hashed-addresses.js';
import { NO_DELIVERIES, pay } from '../../testing/requests/open-payments.js';
import { TokenModel } from '../../testing/authorizations/token-model.js';
import { TokenToShow } from '../requests/payment-tokens.js';
import { SignaturePayments } from '../requests/signature-payments.js';
import { ResolvePaymentToken } from './resolve-payment-token.js';

let checkouts: Checkouts;
let charge: ChargeRequest;
beforeEach(async () => {
  checkouts = await openCheckouts();
  charge = await checkouts.charges.open(checkouts.charge());
});
afterEach(() => checkouts.close());

const sessionIdOf = ({ hostedCheckoutUrl }: ChargeRequest) => hostedCheckoutUrl.split('/').at(-1)!;

function payloadOf(token: string) {
  const { payload } = verify(token, keysOf(checkouts.tokens.publicKeys()), charge.createdAt);
  return payload;
}

/** The session's page and its poll show this. */
async function shown() {
  const { catalogue, priceOptions, urls, tokens, platform } = checkouts;
  const session = (await checkouts.session({ sessionId: sessionIdOf(charge) }))!;
  const signatures = new SignaturePayments(catalogue, new TokenModel(0n));
  const presenter = new CheckoutPresenter(
    catalogue,
    priceOptions,
    urls,
    new TokenToShow(tokens, urls),
    signatures,
  );
  const origins = { publicUrl: 'https://api.example', checkoutHost: 'https://pay.example' };
  const wallets = [{ name: 'Harbour', base: 'https://wallet.example/pay' }];
  const settings = new CheckoutSettings({ ...origins, wallets, cookieKeys: new SigningKeyRing([]) });
  const quotes = new QuoteAssets(checkouts.rates, catalogue);
  const fees = new NetworkFeeHints({ known: () => undefined }, quotes, catalogue);
  const pages = new CheckoutPageModels(
    ...([catalogue, new HashedAddresses(), presenter, settings, NO_DELIVERIES, fees] as const),
    new ReceiptStates(platform.database),
    { of: () => Promise.resolve({ name: 'Corner Coffee' }) },
  );
  const model = await pages.modelOf(session, '"etag"', await platform.clock.now());
  const polled = presenter.forPayer(session);
  return { model, polled, page: visible(renderCheckoutPage(model, 'en')) };
}

/** The answer to a wallet that asks at `checkout_url`. */
async function walletAnswer() {
  const { queries, urls, platform, selecting } = checkouts;
  const resolve = new ResolvePaymentToken(queries, selecting(), urls, platform.clock);
  return presentInstruction(await resolve.execute(sessionIdOf(charge), undefined));
}

async function paid(cents: number): Promise<void> {
  checkouts.chain.mine(pay(charge, cents));
  await checkouts.follow();
}

describe('The token of a charge', () => {
  it('carries the payment, as that of a request without a page does', async () => {
    expect(payloadOf(charge.token)).toEqual({
      payment: {
        id: charge.id,
        address: charge.address,
        uniqueAssetId: DOLLAR.uniqueAssetId,
        isOpen: false,
        amount: '10',
        expiresAt: charge.expiresAt,
      },
      order: expect.objectContaining({
        total: '10',
        coinCode: 'USDX',
        merchant: { name: 'Corner Coffee' },
      }),
    });
    expect((await checkouts.session({ sessionId: sessionIdOf(charge) }))!.token).toBe(charge.token);
  });

  it('asks for the rest once a part was received, wherever it is shown', async () => {
    await paid(400);

    const [found] = await checkouts.charges.find(checkouts.shop.organizationId, [charge.id]);
    const { model, polled } = await shown();
    const { payment, order } = payloadOf(found!.token) as never as Record<'payment' | 'order', object>;
    expect(payment).toMatchObject({ id: charge.id, address: charge.address, amount: '6' });
    expect(order).toMatchObject({ total: '10', merchant: { name: 'Corner Coffee' } });
    expect([model.token, polled.token]).toEqual([found!.token, found!.token]);
    expect(model.wallets.map(({ url }) => url)).toEqual([
      `https://wallet.example/pay?naspip_token=${encodeURIComponent(found!.token)}`,
    ]);
  });

  it('asks for the whole again once a reorganisation has taken that part away', async () => {
    await paid(400);
    checkouts.chain.takeBack(1);
    checkouts.chain.mineEmpty(2);
    await checkouts.follow();

    expect((await shown()).model.token).toBe(charge.token);
  });

  it.each([
    ['nobody touched', `token = token`, 0],
    [
      'was put in place of another',
      `token = (SELECT token FROM payments.payment_requests o WHERE o.id <> r.id)`,
      1,
    ],
  ])('is audited against its request: one that %s', async (_what, change, flaws) => {
    const other = await checkouts.request();
    await checkouts.platform.database.query(
      `UPDATE payments.payment_requests r SET ${change} WHERE r.id = $1`,
      [charge.id],
    );

    const audited = await new PostgresAuditedPayments(checkouts.database).tokens(NETWORK, '', 10);

    const found = audited.map(({ token, createdAt, paymentRequestId: id, asked }) =>
      checkouts.tokens.flawOf(token, createdAt, { id, ...asked }),
    );
    expect(audited.map(({ paymentRequestId }) => paymentRequestId).sort()).toEqual(
      [charge.id, other.id].sort(),
    );
    expect(found.filter((flaw) => flaw !== null)).toHaveLength(flaws);
  });
});

describe('The page of a charge', () => {
  it('shows what to pay and where, like that of any other checkout', async () => {
    const { model, polled, page } = await shown();

    expect(page).toContain(charge.address);
    expect(page).toContain('10 USDX');
    expect(model).toMatchObject({ status: 'created', token: charge.token, options: [{ symbol: 'USDX' }] });
    expect(polled).toMatchObject({
      id: charge.id,
      status: 'created',
      amount: '10',
      coin_code: 'USDX',
      selected: { address: charge.address, missing_amount: '10' },
    });
  });

  it('keeps its one asset selected, whatever the payer posts', async () => {
    const session = { sessionId: sessionIdOf(charge) };
    const again = await checkouts.select(session, DOLLAR);

    expect(again.selected!.address).toBe(charge.address);
    expect(await checkouts.told(charge)).toEqual(['created']);
  });

  it('has a checkout_url that answers the payment, and after a part the rest', async () => {
    const whole = await walletAnswer();
    await paid(400);

    expect(whole).toMatchObject({
      payment: { id: charge.id, address: charge.address, amount: '10', is_open: false },
      order: { total: '10', merchant: { name: 'Corner Coffee' } },
    });
    expect(await walletAnswer()).toMatchObject({ payment: { amount: '6' }, order: { total: '10' } });
  });
});

describe('Paying a charge', () => {
  it('tells the same events, with the same fields, as paying any other checkout', async () => {
    const shop = await checkouts.shopFor(DOLLAR);
    const price = { amount: '10.00', coinCode: 'USDX', referenceId: 'subscription-7' };
    const checkout = await checkouts.checkout(price, shop);
    const { address } = checkout.selected!;

    checkouts.chain.mine(pay(charge, 1000), pay({ address }, 1000));
    checkouts.chain.mineEmpty(2);
    await checkouts.follow();

    const events = async (id: string) =>
      checkouts.platform.database.query<{ type: string; data: object }>(
        'SELECT type, data FROM platform.events WHERE aggregate_id = $1 ORDER BY position',
        [id],
      );
    const shape = (rows: { type: string; data: object }[]) =>
      rows.map(({ type, data }) => [type, (data as { status?: string }).status, Object.keys(data).sort()]);
    const ofCharge = await events(charge.id);
    expect(shape(ofCharge)).toEqual(shape(await events(checkout.id)));
    expect(ofCharge[0]!.data).toMatchObject({ status: 'created', referenceId: 'subscription-7' });
    expect(await checkouts.told(charge)).toEqual(['created', 'processing', 'completed', 'ledger step']);
  });

  it('expires it where nobody does', async () => {
    checkouts.chain.mineBeyond(new Date(charge.expiresAt.getTime() + 60_000));
    await checkouts.follow();

    const [found] = await checkouts.charges.find(checkouts.shop.organizationId, [charge.id]);
    expect(found).toEqual({ ...charge, status: 'expired' });
  });
});
