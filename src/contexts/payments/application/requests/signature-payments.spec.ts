import { describe, expect, it, jest } from '@jest/globals';
import { TokenModel } from '../../testing/authorizations/token-model.js';
import { COIN, DOLLAR, NETWORK, SmallCatalogue } from '../../testing/requests/collecting-world.js';
import type { SelectedView } from './payment-request-view.js';
import { SignaturePayments } from './signature-payments.js';

const LIMITS = { perPayment: 1n, perOrganizationAndDay: 1n, perDay: 1n };

function open(token = new TokenModel(0n)) {
  const catalogue = SmallCatalogue.withCoin();
  catalogue.sponsor(NETWORK, LIMITS);
  return { catalogue, token, payments: new SignaturePayments(catalogue, token) };
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
  return { status, selected: { ...selected, address: '0xAB', headNumber: 1, transfers: [], ...fields } };
}

describe('Whether a session can be paid by a signature', () => {
  it('is known once the domain of its token is, with what is missing', async () => {
    const { payments } = open();
    expect([payments.of(session()), payments.known]).toEqual([undefined, 0]);

    await payments.learn(session());

    expect(payments.of(session())).toMatchObject({ token: DOLLAR.token, to: '0xAB', value: 6n });
    expect(payments.known).toBe(1);
  });

  it('is no where nothing is missing, it has ended, the asset has no contract, or nobody pays for it', async () => {
    const { catalogue, payments } = open();
    const views = [
      session({ receivedAmount: 10n }),
      session({}, 'completed'),
      session({ uniqueAssetId: COIN.uniqueAssetId }),
      { status: 'created' as const },
    ];
    await payments.learn(session());
    for (const view of views) await payments.learn(view);
    expect(views.map((view) => payments.of(view))).toEqual([undefined, undefined, undefined, undefined]);

    catalogue.sponsor(NETWORK);

    expect(payments.of(session())).toBeUndefined();
  });

  it('is no for a token that takes none, which is asked once', async () => {
    const { token, payments } = open();
    token.isPlain = true;
    const asked = jest.spyOn(token, 'domainOf');

    for (let n = 0; n < 3; n += 1) await payments.learn(session());

    expect([payments.of(session()), asked.mock.calls.length]).toEqual([undefined, 1]);
  });

  it('is hidden while the node is away, asked again after a pause, and shown then', async () => {
    const { token, payments } = open();
    token.isAway = true;
    const asked = jest.spyOn(token, 'domainOf');
    const clock = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    await payments.learn(session());
    await payments.learn(session());
    expect([payments.of(session()), asked.mock.calls.length]).toEqual([undefined, 1]);
    token.isAway = false;
    clock.mockReturnValue(6_001);

    await payments.learn(session());
    clock.mockRestore();

    expect(payments.of(session())).toBeDefined();
  });

  it('keeps nobody waiting for long', async () => {
    const { token, payments } = open();
    token.domainOf = () => new Promise(() => undefined);
    jest.useFakeTimers();

    const learnt = payments.learn(session());
    await jest.advanceTimersByTimeAsync(1_000);
    jest.useRealTimers();

    await expect(learnt).resolves.toBeUndefined();
  });
});
