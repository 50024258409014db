import { describe, expect, it } from '@jest/globals';
import { findFinalBlockOnReadChain } from './gather-findings.js';

const finality = { kind: 'confirmations', confirmations: 6 } as const;

describe('Finality by confirmations', () => {
  it('is counted from the newest block read, though the node reports a greater number', async () => {
    const head = { number: 150, hash: 'ab', parentHash: 'cd', time: new Date(0) };
    const final = (finalNumber: number, readTo = 100) =>
      findFinalBlockOnReadChain(
        null as never,
        null as never,
        'erc20',
        finality,
        { head, finalNumber },
        { number: readTo, hash: 'ab' },
      );

    expect(await final(145)).toBe(95);
    expect(await final(94)).toBe(94);
    expect(await final(94, 4)).toBeNull();
    expect([await final(149, 150), await final(149, 151)]).toEqual([145, 149]);
  });
});
