import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { openLedger, type TestLedger } from '../testing/open-ledger.js';
import {
  anOwner,
  COIN,
  floatWithdrawalEvent,
  refundEvent,
  topUpEvent,
  type Owner,
} from '../testing/source-events.js';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await openLedger();
});
afterEach(async () => {
  expect(await ledger.breaches()).toEqual({});
});
afterAll(() => ledger.close());

const list = (owner: Owner, filter = {}) =>
  ledger.queries.page(owner, { created: {}, ...filter }, { page: 1, pageSize: 50 });

describe('A float in the books', () => {
  it('is topped up, pays refunds and its withdrawal, and the gas of both', async () => {
    const owner = anOwner();
    const [completed, failed, withdrawn, cancelled] = [newId(), newId(), newId(), newId()];
    const paymentRequestId = newId();
    const gas = { uniqueAssetId: COIN, amount: '21' };
    const refund = (id: string, status: string, facts = {}) =>
      refundEvent(owner, id, {
        paymentRequestId,
        referenceId: 'order-7',
        status: status as 'pending',
        ...facts,
      });
    await ledger.publish([
      topUpEvent(owner),
      topUpEvent(owner, { uniqueAssetId: COIN, currency: 'ETH', decimals: 18, amount: '100' }),
      refund(completed, 'pending', { to: undefined }),
      refund(completed, 'processing'),
      refund(completed, 'completed', { gas, transactionHash: '0x01' }),
      refund(failed, 'processing'),
      refund(failed, 'failed', { gas, transactionHash: '0x02' }),
      refund(cancelled, 'pending'),
      refund(cancelled, 'failed'),
      floatWithdrawalEvent(owner, withdrawn, {}),
      floatWithdrawalEvent(owner, withdrawn, { status: 'completed', gas, transactionHash: '0x03' }),
    ]);

    await ledger.untilRead(ledger.runner());

    expect(await ledger.balances(owner)).toEqual({ refund_float: 2_000_000, merchant_payable: -2_000_000 });
    expect(await ledger.balances(owner, COIN)).toEqual({
      refund_float: 37,
      merchant_payable: -100,
      gas_spent: 63,
    });
    const { items } = await list(owner);
    expect(
      items.map(({ type, status, grossAmount, transactionHash }) => [
        type,
        status,
        grossAmount,
        transactionHash?.slice(0, 4),
      ]),
    ).toEqual([
      ['withdraw', 'completed', 2_000_000n, '0x03'],
      ['refund', 'failed', 1_000_000n, '0x02'],
      ['refund', 'completed', 1_000_000n, '0x01'],
      ['deposit', 'completed', 100n, '0x5e'],
      ['deposit', 'completed', 5_000_000n, '0x5e'],
    ]);
    expect(items[2]).toMatchObject({ paymentRequestId, referenceId: 'order-7', settlementId: null });
    expect((await list(owner, { status: 'failed' })).total).toBe(1);
    expect((await list(owner, { type: 'refund', status: 'completed' })).total).toBe(1);
    expect((await list(owner, { status: 'processing' })).total).toBe(0);
    expect((await list(owner, { referenceId: 'order-7', status: 'completed' })).total).toBe(1);
  });
});
