import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CheckoutUrls } from './checkout-urls.js';
import { presentListed } from '../../infrastructure/requests/http/listed-payment-request.dto.js';
import { ListedPaymentRequests } from '../../infrastructure/requests/persistence/views/listed-payment-requests.js';
import { openCheckouts, type Checkouts } from '../../testing/checkout/open-checkouts.js';
import { DOLLAR, ETHER, NETWORK, OTHER_NETWORK } from '../../testing/requests/collecting-world.js';
import { pay } from '../../testing/requests/open-payments.js';
import type { CheckoutView, PaymentRequestView } from './payment-request-view.js';

const TOLERANCE = { basisPoints: 100, atMost: '0.05' };

let checkouts: Checkouts;
beforeEach(async () => {
  checkouts = await openCheckouts();
  await checkouts.pointsOfSale.change(checkouts.shop, { underpaymentTolerance: TOLERANCE });
});
afterEach(() => checkouts.close());

/** All networks are read past the window and its grace, and what counts is final. */
async function readPast({ expiresAt }: Pick<PaymentRequestView, 'expiresAt'>): Promise<void> {
  for (const network of [NETWORK, OTHER_NETWORK]) {
    const chain = checkouts.chainOf(network);
    chain.mineBeyond(new Date(expiresAt.getTime() + 300_000));
    chain.mineEmpty(5);
    await checkouts.follow(network);
  }
}

async function listed(request: Pick<PaymentRequestView, 'id' | 'organizationId' | 'pointOfSaleId'>) {
  const list = new ListedPaymentRequests(checkouts.database, checkouts.pointsOfSale);
  const scope = { organizationId: request.organizationId, accountId: null };
  const paging = { page: 1, pageSize: 50 };
  const { items } = await list.page(scope, request.pointOfSaleId, { created: {} }, paging);
  const urls = new CheckoutUrls('https://api.example', 'https://pay.example');
  const { status, fulfilled } = presentListed(
    items.find(({ id }) => id === request.id)!,
    urls,
  );
  return { status, fulfilled };
}

async function readAs(request: Pick<PaymentRequestView, 'id' | 'organizationId' | 'pointOfSaleId'>) {
  const { status, fulfilled } = await checkouts.read(request);
  return { status, fulfilled };
}

const OPEN = { status: 'created', fulfilled: false };
const ACCEPTED = { status: 'underpaid', fulfilled: true };
const UNDERPAID = { status: 'underpaid', fulfilled: false };

describe('A payment that falls short of its price by a little', () => {
  it('is fulfilled beside its status, wherever the request is read', async () => {
    const direct = await checkouts.request({}, checkouts.shop);
    const chosen = await checkouts.select(await checkouts.checkout(), DOLLAR);
    const before = [await readAs(direct), await listed(chosen)];
    checkouts.chain.mine(pay(direct, 995), pay(chosen.selected!, 995));

    await readPast(chosen);

    expect(before).toEqual([OPEN, OPEN]);
    for (const request of [direct, chosen])
      expect([await readAs(request), await listed(request)]).toEqual([ACCEPTED, ACCEPTED]);
    expect(await checkouts.session(chosen)).toMatchObject(ACCEPTED);
    expect(await checkouts.read(chosen)).toMatchObject({ checkout: ACCEPTED, receivedAmount: 9_950_000n });
    expect(await checkouts.breaches()).toEqual({});
  });

  it('is not where the shortfall is worth more than the bound at the locked rate', async () => {
    const ether = await checkouts.select(await checkouts.checkout(), ETHER);
    const { amount, address } = ether.selected!;
    checkouts.chain.mine({ to: address, amount: amount - amount / 150n, token: ETHER.token });

    await readPast(ether);

    expect(await readAs(ether)).toEqual(UNDERPAID);
    expect(await checkouts.breaches()).toEqual({});
  });

  it.each([
    ['USD', ACCEPTED],
    ['EUR', UNDERPAID],
  ])(
    'keeps to the currency of the tolerance, which a pegged asset has too: %s',
    async (currency, expected) => {
      await checkouts.pointsOfSale.change(checkouts.shop, {
        underpaymentTolerance: { ...TOLERANCE, currency },
      });
      const direct = await checkouts.request({}, checkouts.shop);
      const chosen = await checkouts.select(await checkouts.checkout(), DOLLAR);
      checkouts.chain.mine(pay(direct, 995), pay(chosen.selected!, 995));

      await readPast(chosen);

      expect([await readAs(direct), await readAs(chosen)]).toEqual([expected, expected]);
    },
  );

  it('is judged by the tolerance of its creation, whatever the account accepts later', async () => {
    const create = () => checkouts.request({}, checkouts.shop);
    const [accepted, before] = [await create(), await checkouts.checkout()];
    await checkouts.pointsOfSale.change(checkouts.shop, { underpaymentTolerance: undefined });
    const strict = await create();
    const selected = await checkouts.select(before, DOLLAR);
    checkouts.chain.mine(pay(accepted, 995), pay(strict, 995), pay(selected.selected!, 995));

    await readPast(strict);

    expect([await readAs(accepted), await readAs(selected), await readAs(strict)]).toEqual([
      ACCEPTED,
      ACCEPTED,
      UNDERPAID,
    ]);
  });

  it('stays fulfilled when the chain loses its payment after all, as the status stays', async () => {
    const request = await checkouts.request({}, checkouts.shop);
    const { number } = checkouts.chain.mine(pay(request, 995));
    await readPast(request);

    checkouts.chain.takeBack(checkouts.chain.tip.number - number + 1);
    checkouts.chain.mineEmpty(30);
    await checkouts.follow();

    expect(await readAs(request)).toEqual(ACCEPTED);
    expect((await checkouts.read(request)).transfers[0]!.reversedAt).toBeDefined();
  });

  it('is booked as what was received, and what comes later is a deposit', async () => {
    const request = await checkouts.request({}, checkouts.shop);
    checkouts.chain.mine(pay(request, 995));
    await readPast(request);

    checkouts.chain.mine(pay(request, 5));
    checkouts.chain.mineEmpty(5);
    await checkouts.follow();

    expect(await readAs(request)).toEqual(ACCEPTED);
    const { transfers } = await checkouts.read(request);
    expect(transfers.map(({ amount, bookedAs }) => [amount, bookedAs])).toEqual([
      [9_950_000n, 'payment_in'],
      [50_000n, 'deposit'],
    ]);
  });
});

describe('Verifying accepted underpayments', () => {
  let requests: { accepted: CheckoutView; underpaid: CheckoutView };
  beforeEach(async () => {
    const accepted = await checkouts.select(await checkouts.checkout(), DOLLAR);
    const underpaid = await checkouts.select(await checkouts.checkout(), DOLLAR);
    checkouts.chain.mine(pay(accepted.selected!, 995), pay(underpaid.selected!, 990));
    await readPast(underpaid);
    requests = { accepted, underpaid };
  });

  it.each([
    ['accepted', 'underpayment_accepted = false'],
    ['underpaid', 'underpayment_accepted = true'],
    ['underpaid', `underpayment_tolerance = '{"basisPoints": 500, "atMost": "1"}'`],
  ] as const)('notices that one which is %s has %s', async (which, set) => {
    let broken: string[] = [];
    await checkouts.database
      .run(async () => {
        const text = `UPDATE payments.payment_requests SET ${set} WHERE id = $1`;
        await checkouts.database.write(text, [requests[which].id]);
        broken = Object.keys(await checkouts.breaches());
        throw new Error('undone');
      })
      .catch(() => undefined);

    expect(broken).toContain('accepted-underpayments-are-tolerated');
  });
});
