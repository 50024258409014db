import { afterEach, describe, expect, it } from '@jest/globals';
import { NETWORK, SmallCatalogue } from '../../testing/requests/collecting-world.js';
import { openPayments, type Payments } from '../../testing/requests/open-payments.js';

let payments: Payments;
afterEach(() => payments.close());

const finalByTag = () =>
  new SmallCatalogue(
    new SmallCatalogue()
      .networks()
      .map((network) => ({ ...network, finality: { kind: 'finalized', typicalConfirmations: 64 } as const })),
  );
const begun = async () => {
  await payments.turn();
  return (await payments.watched.cursor(NETWORK))!.head.number;
};

describe('Beginning to follow a network', () => {
  it('begins below what is final', async () => {
    payments = await openPayments();
    payments.chain.mineEmpty(300);

    expect(await begun()).toBe(300 - 2 - 256);
  });

  it('begins at the first block of a young chain that has no finalized block yet', async () => {
    payments = await openPayments(null, finalByTag());
    payments.chain.mineEmpty(256);

    expect(await begun()).toBe(0);
  });

  it('does not begin at the first block of a long chain whose node has no finalized block at the moment', async () => {
    payments = await openPayments(null, finalByTag());
    payments.chain.mineEmpty(257);

    await expect(payments.turn()).rejects.toThrow('it reports no finalized block below its head 257');
    expect(await payments.watched.cursor(NETWORK)).toBeNull();
  });

  it('begins at the first block of a chain that has fewer blocks than confirmations are asked for', async () => {
    payments = await openPayments(400);
    payments.chain.mineEmpty(300);

    expect(await begun()).toBe(0);
  });
});
