import { describe, expect, it } from '@jest/globals';
import {
  type EndpointNonceObservation,
  type EndpointReceipt,
  type UnresponsiveEndpoint,
  findOnChainStatus,
  isUsedByOtherTransaction,
  matchUnrecordedAttempt,
} from './on-chain-status.js';

const NONCE = 5;
const OURS = {
  hash: '0xaa',
  blockNumber: 9,
  blockHash: '0x09',
  parentHash: '0x08',
  succeeded: true,
  gasCost: 21n as bigint | null,
};
const REVERTED = { ...OURS, blockNumber: 8, blockHash: '0x08', parentHash: '0x07', succeeded: false };
const SILENT: UnresponsiveEndpoint = { endpoint: 'the silent one', silence: 'timeout' };

function view(
  latestCount: number,
  finalNumber: number | null,
  receipt: EndpointReceipt | null = null,
): EndpointNonceObservation {
  return { endpoint: 'one', latestCount, head: 20, finalNumber, receipt };
}

describe('The fate of a nonce', () => {
  it.each<[string, (EndpointNonceObservation | UnresponsiveEndpoint)[], string]>([
    ['nothing, where no endpoint answers', [SILENT, SILENT], 'none'],
    ['nothing, where it is in no block', [view(5, 9)], 'none'],
    ['mined, by a receipt in a block that is not final', [view(6, 8, OURS)], 'mined'],
    ['mined, where no block is final yet', [view(6, null, OURS)], 'mined'],
    ['mined, by the receipt of one of two endpoints', [view(5, 8), view(6, 8, OURS)], 'mined'],
    [
      'final, by the same receipt in a block that is final to all',
      [view(6, 9, OURS), view(6, 12, OURS)],
      'final',
    ],
    ['mined only, while another endpoint lags', [view(6, 9, OURS), view(5, 8)], 'mined'],
    ['mined only, while the block is not final to another', [view(6, 9, OURS), view(6, 8, OURS)], 'mined'],
    ['mined only, while another is silent', [view(6, 9, OURS), SILENT], 'mined'],
    ['mined only, where another final chain lacks the receipt', [view(6, 9, OURS), view(6, 9)], 'mined'],
    ['mined only, where a fork shows another outcome', [view(6, 7, REVERTED), view(6, 9, OURS)], 'mined'],
    ['mined only, where final chains show two outcomes', [view(6, 9, OURS), view(6, 9, REVERTED)], 'mined'],
    ['used, where it is counted and no attempt has a receipt', [view(6, 9)], 'used'],
    ['nothing, while one endpoint does not answer', [view(6, 9), SILENT], 'none'],
    ['nothing, while one endpoint does not count it', [view(6, 9), view(5, 9)], 'none'],
    ['nothing, where there is no endpoint', [], 'none'],
  ])('is %s', (_, views, kind) => {
    expect(findOnChainStatus(NONCE, views).kind).toBe(kind);
  });

  it.each<[string, Partial<EndpointReceipt>]>([
    ['another transaction', { hash: '0xab' }],
    ['another block number', { blockNumber: 8 }],
    ['another block', { blockHash: '0x0a' }],
    ['another parent', { parentHash: '0x0a' }],
    ['another outcome', { succeeded: false }],
    ['another cost', { gasCost: 22n }],
  ])('is mined but not agreed if two endpoints show different receipts: %s', (_, other) => {
    const views = [view(6, 9, OURS), view(6, 9, { ...OURS, ...other })];

    const ofFirst = { ...OURS, gasCost: null };
    expect(findOnChainStatus(NONCE, views)).toMatchObject({
      kind: 'mined',
      isAgreed: false,
      receipt: ofFirst,
    });
  });

  it('is doubted only where an endpoint reports less than another', () => {
    const doubts = (...views: EndpointNonceObservation[]) => findOnChainStatus(NONCE, views);

    expect(doubts(view(6, 8, OURS), view(6, null, OURS))).toMatchObject({ doubts: [] });
    expect(doubts(view(6, 9, OURS), view(6, 8, OURS))).toMatchObject({
      doubts: ['one does not report block 9 as final yet'],
    });
  });

  it('is never reverted by one of two endpoints, however high its blocks are', () => {
    const made = { ...REVERTED, blockNumber: 10 ** 10 };

    for (const honest of [view(5, 9), view(6, 9), view(6, 8, OURS), view(6, 9, OURS), SILENT])
      for (const views of [
        [view(6, 10 ** 10, made), honest],
        [honest, view(6, 10 ** 10, made)],
      ])
        expect(findOnChainStatus(NONCE, views).kind).toBe('mined');
  });

  it('has no known cost before it is final, nor if an endpoint names no price', () => {
    const unpriced = { ...OURS, gasCost: null };

    expect(findOnChainStatus(NONCE, [view(6, 8, OURS)])).toMatchObject({ receipt: { gasCost: null } });
    expect(findOnChainStatus(NONCE, [view(6, 9, OURS)])).toMatchObject({
      kind: 'final',
      receipt: { gasCost: 21n },
    });
    for (const views of [
      [view(6, 9, OURS), view(6, 9, unpriced)],
      [view(6, 9, unpriced), view(6, 9, OURS)],
    ])
      expect(findOnChainStatus(NONCE, views)).toMatchObject({ kind: 'final', receipt: { gasCost: null } });
  });
});

const use = (hash: string) => ({ hash, blockNumber: 9, signed: null });

describe('A nonce', () => {
  it('counts as used by another transaction only if that is none of ours', () => {
    expect(isUsedByOtherTransaction(use('0xbb'), ['0xaa'])).toBe(true);
    expect(isUsedByOtherTransaction(use('0xaa'), ['0xaa'])).toBe(false);
    expect(isUsedByOtherTransaction(null, ['0xaa'])).toBe(false);
  });

  it.each([
    ['the same call at another price and gas limit', { gasLimit: 2n }, 'calls'],
    [
      'a transaction of the key to itself that moves nothing',
      { to: '0xab', value: 0n, data: '0x' },
      'cancels',
    ],
    ['one to itself with coin', { to: '0xab', data: '0x' }, null],
    ['one to itself with data', { to: '0xab', value: 0n }, null],
    ['another recipient', { to: '0x02' }, null],
    ['another value', { value: 2n }, null],
    ['other data', { data: '0x02' }, null],
  ])('is used by a lost attempt of ours only if the call repeats or cancels it: %s', (_, changes, lost) => {
    const call = { to: '0x01', value: 1n, data: '0x01', gasLimit: 1n };
    const signed = { call: { ...call, ...changes }, fees: { maxFee: 9n, priorityFee: 1n }, raw: '0x' };

    expect(matchUnrecordedAttempt({ ...use('0xbb'), signed }, { call, sender: '0xab' })).toBe(lost);
    expect(matchUnrecordedAttempt(use('0xbb'), { call, sender: '0xab' })).toBeNull();
  });
});
