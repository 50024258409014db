import { describe, expect, it, jest } from '@jest/globals';
import { SameChain } from '#contexts/networks/testing/same-chain.js';
import { TokenModel } from '../../testing/authorizations/token-model.js';
import { COIN, DOLLAR, NETWORK, SmallCatalogue } from '../../testing/requests/collecting-world.js';
import type { CheckoutView, SelectedView } from './payment-request-view.js';
import { SignaturePayments } from './signature-payments.js';

const LIMITS = { perPayment: 1n, perOrganizationAndDay: 1n, perDay: 1n };

function open(token = new TokenModel(0n)) {
  const catalogue = SmallCatalogue.withCoin();
  catalogue.sponsor(NETWORK, LIMITS);
  return {
    catalogue,
    token,
    payments: new SignaturePayments(catalogue, new SameChain({ authorizedTransfers: token })),
  };
}

/** Requests the token domain in the background, which the model returns immediately, and reads the result. */
async function learnt(payments: SignaturePayments, view: Pick<CheckoutView, 'paymentOptions'> = session()) {
  payments.learn(view);
  await new Promise(setImmediate);
}

function session(fields: Partial<SelectedView> = {}, status: 'created' | 'completed' = 'created') {
  const { uniqueAssetId, decimals } = DOLLAR;
  const selected = {
    network: NETWORK,
    uniqueAssetId,
    currency: 'USDX',
    decimals,
    amount: 10n,
    receivedAmount: 4n,
  };
  return {
    status,
    paymentOptions: [fields.uniqueAssetId ?? uniqueAssetId],
    selected: { ...selected, address: '0xAB', headNumber: 1, transfers: [], ...fields },
  };
}

describe('The payment of a session by signature', () => {
  it('is offered for the missing amount once the domain of the token is known', async () => {
    const { payments } = open();
    expect([payments.of(session()), payments.known]).toEqual([undefined, 0]);

    await learnt(payments);

    expect(payments.of(session())).toMatchObject({ token: DOLLAR.token, to: '0xAB', value: 6n });
    expect(payments.known).toBe(1);
  });

  it('is not offered if nothing is missing, the session ended, or the asset or network does not support it', async () => {
    const { catalogue, payments } = open();
    const views = [
      session({ receivedAmount: 10n }),
      session({}, 'completed'),
      session({ uniqueAssetId: COIN.uniqueAssetId }),
      { status: 'created' as const, paymentOptions: [DOLLAR.uniqueAssetId] },
    ];
    await learnt(payments);
    for (const view of views) await learnt(payments, view);
    expect(views.map((view) => payments.of(view))).toEqual([undefined, undefined, undefined, undefined]);

    catalogue.sponsor(NETWORK);

    expect(payments.of(session())).toBeUndefined();
  });

  it('is offered for a session with an option that supports it, selected or not', async () => {
    const { catalogue, payments } = open();
    const [one, coin] = [{ paymentOptions: [COIN, DOLLAR].map(({ uniqueAssetId }) => uniqueAssetId) }, COIN];
    const before = payments.isOffered(one);
    await learnt(payments, one);
    const after = [payments.isOffered(one), payments.isOffered({ paymentOptions: [coin.uniqueAssetId] })];

    catalogue.sponsor(NETWORK);

    expect([before, ...after, payments.isOffered(one)]).toEqual([false, true, false, false]);
  });

  it('is hidden while the node is unavailable, and queries the node again after a pause', async () => {
    const { token, payments } = open();
    token.isAway = true;
    const asked = jest.spyOn(token, 'domainOf');
    const clock = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    await learnt(payments);
    await learnt(payments);
    expect([payments.of(session()), asked.mock.calls.length]).toEqual([undefined, 1]);
    token.isAway = false;
    clock.mockReturnValue(6_001);

    await learnt(payments);
    clock.mockRestore();

    expect(payments.of(session())).toBeDefined();
  });

  it('is loaded at the start, waiting at most one second for a node', async () => {
    const { payments } = open();
    await payments.begin();
    const hanging = open();
    hanging.token.domainOf = () => new Promise(() => undefined);
    jest.useFakeTimers();

    const begun = hanging.payments.begin();
    await jest.advanceTimersByTimeAsync(1_000);
    jest.useRealTimers();

    await expect(begun).resolves.toBeUndefined();
    expect([payments.of(session())?.token, hanging.payments.of(session())]).toEqual([
      DOLLAR.token,
      undefined,
    ]);
  });
});
