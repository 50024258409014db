import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NATIVE } from '#contexts/settlement/domain/refunds/refund-float.js';
import { RefundsOnChain, SUM } from '#contexts/settlement/testing/refunds/refunds-on-chain.js';
import { PAYER, type RefundsWorld } from '#contexts/settlement/testing/refunds/refunds-world.js';

const HOSTILE = `0x${'0e'.repeat(20)}`;

let refunds: RefundsOnChain;
let world: RefundsWorld;
beforeEach(async () => {
  refunds = await RefundsOnChain.open();
  ({ world } = refunds);
});
afterEach(() => refunds.close());

const reservedNonces = () =>
  world
    .rows<{ id: string }>('SELECT id FROM networks.sendings ORDER BY nonce')
    .then((rows) => rows.map(({ id }) => id));

describe('A receiver that burns 26 million gas', () => {
  it('is refused before approval', async () => {
    await refunds.becomesHostile(HOSTILE);

    await expect(refunds.refund(HOSTILE)).rejects.toMatchObject({
      code: 'state_conflict',
      message: expect.stringMatching(/the limit is 200000 .* Use another address/),
    });
  });

  it('that becomes one after approval keeps no nonce, and later refunds are paid', async () => {
    const hostile = await refunds.refund(HOSTILE);
    await refunds.becomesHostile(HOSTILE);
    const later = await refunds.refund(PAYER);

    await refunds.paid();

    expect(await reservedNonces()).toEqual([later]);
    expect([await world.status(hostile), await world.status(later)]).toEqual(['processing', 'completed']);
    await world.process().cancel.execute(world.scope, hostile);
    expect(await world.holding(NATIVE)).toMatchObject({ reserved: 0n, refunded: SUM });
  });

  it('that has jammed a float already is passed by once the operator cancels its nonce', async () => {
    const hostile = await refunds.refund(HOSTILE);
    await refunds.reserve(hostile, 'refund', { to: HOSTILE, data: '0x', value: SUM, gasLimit: 32_500_000n });
    await refunds.becomesHostile(HOSTILE);
    const later = await refunds.refund(PAYER);
    await refunds.paid();
    const jammed = [
      await refunds.sending.state(hostile),
      await refunds.sending.situation(hostile),
      await world.status(later),
    ];

    await refunds.sending.cancel(hostile);
    await refunds.paid();

    expect(jammed).toEqual(['signed', 'above_block', 'processing']);
    expect([await world.status(hostile), await world.status(later)]).toEqual(['failed', 'completed']);
    const [{ failure, gas }] = (await world.rows<{ failure: string; gas: string }>(
      'SELECT failure, gas FROM settlement.refund_float_payouts WHERE id = $1',
      [hostile],
    )) as [{ failure: string; gas: string }];
    expect(failure).toBe('The operator cancelled its transaction before it was executed.');
    expect(BigInt(gas)).toBe((await refunds.sending.sender.fate(hostile))!.gasCost);
    expect(await world.holding(NATIVE)).toMatchObject({ reserved: 0n, refunded: SUM });
  });
});
