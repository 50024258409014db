import { describe, expect, it } from '@jest/globals';
import { ValidatedFinality } from './validated-finality.js';

const CONFIRMATIONS = 6;
const catalogue = { network: () => ({ finality: { kind: 'confirmations', confirmations: CONFIRMATIONS } }) };

describe('Finality by confirmations', () => {
  it('is counted from the newest block read, though the node reports a greater number', async () => {
    const finality = new ValidatedFinality(null as never, catalogue as never, null as never);
    const head = { number: 150, hash: 'ab', parentHash: 'cd', time: new Date(0) };

    expect(await finality.validate('erc20', 145, head, { number: 100, hash: 'ab' })).toBe(95);
    expect(await finality.validate('erc20', 94, head, { number: 100, hash: 'ab' })).toBe(94);
  });
});
