import { describe, expect, it, jest } from '@jest/globals';
import { SameChain } from '#contexts/networks/testing/same-chain.js';
import { TokenModel } from '../../testing/authorizations/token-model.js';
import { COIN, DOLLAR, NETWORK, SmallCatalogue } from '../../testing/requests/collecting-world.js';
import type { CheckoutView, SelectedAssetView } from './payment-request-view.js';
import { SignaturePayments } from './signature-payments.js';

const LIMITS = { perPayment: 1n, perOrganizationAndDay: 1n, perDay: 1n };

function newSignaturePayments(token = new TokenModel(0n)) {
  const catalogue = SmallCatalogue.withCoin();
  catalogue.sponsor(NETWORK, LIMITS);
  return {
    catalogue,
    token,
    payments: new SignaturePayments(catalogue, new SameChain({ authorizedTransfers: token })),
  };
}

/** Requests the token domain in the background, which the model returns immediately, and reads the result. */
async function requestDomainsAndRead(
  payments: SignaturePayments,
  view: Pick<CheckoutView, 'paymentOptions'> = selectedSession(),
) {
  payments.requestTokenDomains(view);
  await new Promise(setImmediate);
}

function selectedSession(
  fields: Partial<SelectedAssetView> = {},
  status: 'created' | 'completed' = 'created',
) {
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
    const { payments } = newSignaturePayments();
    expect([payments.findSignaturePayment(selectedSession()), payments.knownDomainCount]).toEqual([
      undefined,
      0,
    ]);

    await requestDomainsAndRead(payments);

    expect(payments.findSignaturePayment(selectedSession())).toMatchObject({
      token: DOLLAR.token,
      to: '0xAB',
      value: 6n,
    });
    expect(payments.knownDomainCount).toBe(1);
  });

  it('is not offered if nothing is missing, the session ended, or the asset or network does not support it', async () => {
    const { catalogue, payments } = newSignaturePayments();
    const views = [
      selectedSession({ receivedAmount: 10n }),
      selectedSession({}, 'completed'),
      selectedSession({ uniqueAssetId: COIN.uniqueAssetId }),
      { status: 'created' as const, paymentOptions: [DOLLAR.uniqueAssetId] },
    ];
    await requestDomainsAndRead(payments);
    for (const view of views) await requestDomainsAndRead(payments, view);
    expect(views.map((view) => payments.findSignaturePayment(view))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);

    catalogue.sponsor(NETWORK);

    expect(payments.findSignaturePayment(selectedSession())).toBeUndefined();
  });

  it('is offered for a session with an option that supports it, selected or not', async () => {
    const { catalogue, payments } = newSignaturePayments();
    const [one, coin] = [{ paymentOptions: [COIN, DOLLAR].map(({ uniqueAssetId }) => uniqueAssetId) }, COIN];
    const before = payments.isOffered(one);
    await requestDomainsAndRead(payments, one);
    const after = [payments.isOffered(one), payments.isOffered({ paymentOptions: [coin.uniqueAssetId] })];

    catalogue.sponsor(NETWORK);

    expect([before, ...after, payments.isOffered(one)]).toEqual([false, true, false, false]);
  });

  it('is hidden while the node is unavailable, and queries the node again after a pause', async () => {
    const { token, payments } = newSignaturePayments();
    token.isAway = true;
    const asked = jest.spyOn(token, 'eip712Domain');
    const clock = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    await requestDomainsAndRead(payments);
    await requestDomainsAndRead(payments);
    expect([payments.findSignaturePayment(selectedSession()), asked.mock.calls.length]).toEqual([
      undefined,
      1,
    ]);
    token.isAway = false;
    clock.mockReturnValue(6_001);

    await requestDomainsAndRead(payments);
    clock.mockRestore();

    expect(payments.findSignaturePayment(selectedSession())).toBeDefined();
  });

  it('is loaded at the start, waiting at most one second for a node', async () => {
    const { payments } = newSignaturePayments();
    await payments.requestAllTokenDomains();
    const hanging = newSignaturePayments();
    hanging.token.eip712Domain = () => new Promise(() => undefined);
    jest.useFakeTimers();

    const begun = hanging.payments.requestAllTokenDomains();
    await jest.advanceTimersByTimeAsync(1_000);
    jest.useRealTimers();

    await expect(begun).resolves.toBeUndefined();
    expect([
      payments.findSignaturePayment(selectedSession())?.token,
      hanging.payments.findSignaturePayment(selectedSession()),
    ]).toEqual([DOLLAR.token, undefined]);
  });
});
