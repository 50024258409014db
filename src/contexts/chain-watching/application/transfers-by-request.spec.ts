import { describe, expect, it } from '@jest/globals';
import { newId, type PaymentRequestId } from '#shared/kernel/ids.js';
import { transfer } from '#contexts/payments/testing/requests/payment-request-builder.js';
import { keepOnlyTransfers, mergeDistinctTransfers } from './transfers-by-request.js';

const one = { ...transfer(1n, 4), uniqueAssetId: 'nsandbox_t0xab' };
const read = new Map([[newId() as PaymentRequestId, [one]]]);
const countKept = (changes: object) => keepOnlyTransfers(read, [{ ...one, ...changes }]).size;

describe('A transfer of two reads of a block', () => {
  it('is the same whatever the spelling of its asset, and counted once', () => {
    expect(countKept({ id: newId(), uniqueAssetId: 'nsandbox_t0xAB' })).toBe(1);
    expect([...mergeDistinctTransfers(read, read).values()]).toEqual([[one]]);
  });

  it.each([
    [{ kind: 'call' }],
    [{ transactionHash: '0x' }],
    [{ index: 1 }],
    [{ uniqueAssetId: 'nsandbox_t0xac' }],
    [{ from: '0x' }],
    [{ to: '0x' }],
    [{ toTag: '7' }],
    [{ amount: 2n }],
    [{ blockHash: '0x' }],
  ])('is another one with %p', (changes) => {
    expect(countKept(changes)).toBe(0);
  });
});
