import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NATIVE } from '#contexts/settlement/domain/refunds/refund-float.js';
import { RefundsOnChain, SUM } from '#contexts/settlement/testing/refunds/refunds-on-chain.js';
import { PAYER, type RefundsWorld, SETTLED_TO } from '#contexts/settlement/testing/refunds/refunds-world.js';

let refunds: RefundsOnChain;
let world: RefundsWorld;
beforeEach(async () => {
  refunds = await RefundsOnChain.open();
  ({ world } = refunds);
  await world.settleTo(SETTLED_TO);
});
// Terms are made up.
afterEach(() => refunds.close(['settlement-terms-are-versioned', 'settlement-terms-are-as-audited']));

describe('A withdrawal whose settlement address is changed', () => {
  it('once it has a nonce fails without effect, and the refund behind it is paid', async () => {
    const id = await refunds.withdraw();
    await refunds.reserve(id, 'float_withdrawal', {
      to: SETTLED_TO,
      data: '0x',
      value: SUM,
      gasLimit: 21_000n,
    });

    await world.settleTo(PAYER);
    const later = await refunds.refund(PAYER);
    await refunds.paid();

    expect(await world.status(later)).toBe('completed');
    expect(await ended(id)).toEqual({
      status: 'failed',
      failure: expect.stringContaining('settlement address was changed'),
    });
    expect(await world.holding(NATIVE)).toMatchObject({ reserved: 0n, refunded: SUM, withdrawn: 0n });
  });

  it('before it has a nonce fails at once, and gets none', async () => {
    const id = await refunds.withdraw();

    await world.settleTo(PAYER);
    await refunds.paid();

    expect(await ended(id)).toEqual({
      status: 'failed',
      failure: expect.stringContaining('no longer the settlement address'),
    });
    expect(await refunds.sending.sender.fate(id)).toBeNull();
    expect(await world.holding(NATIVE)).toMatchObject({ reserved: 0n, withdrawn: 0n });
  });
});

const ended = async (id: string) =>
  (await world.rows('SELECT status, failure FROM settlement.refund_float_payouts WHERE id = $1', [id]))[0];
