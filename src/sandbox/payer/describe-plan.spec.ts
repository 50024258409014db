import { describe, expect, it } from '@jest/globals';
import { sandboxNetwork } from '../chain/sandbox-chain.js';
import type { PaymentPlan } from './payment-plan.js';
import { describePlan } from './describe-plan.js';

const NETWORK = sandboxNetwork('http://127.0.0.1:1');
const [USDC, USDT] = NETWORK.assets as [(typeof NETWORK.assets)[0], (typeof NETWORK.assets)[0]];
const EXPIRES = new Date('2030-01-01T00:08:00Z');

const PLAN: PaymentPlan = {
  requestId: 'id',
  posId: 'pos',
  network: NETWORK,
  asset: USDC,
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  merchant: 'Corner Coffee',
  asked: { asset: USDC, amount: 10_000_000n },
  transfers: [10_000_000n],
  expiresAt: EXPIRES,
};
const words = (plan: Partial<PaymentPlan>, fromContract = false, sendAt?: Date) =>
  describePlan({ ...PLAN, ...plan }, { fromContract, sendAt });

describe('What the sandbox wallet says before it pays', () => {
  it.each([
    [{}, false, 'Paying 10 USDC, exactly what is asked'],
    [{ transfers: [9_000_000n] }, false, 'Paying 9 USDC, less than the 10 USDC asked'],
    [
      { transfers: [6_000_000n, 5_000_000n] },
      false,
      'Paying 11 USDC, more than the 10 USDC asked, in 2 transfers',
    ],
    [{}, true, 'Paying 10 USDC, exactly what is asked, by a contract call'],
    [
      { transfers: [5_000_000n, 5_000_000n] },
      true,
      'Paying 10 USDC, exactly what is asked, in 2 transfers of one contract call',
    ],
  ])('compares it with what is asked: %#', (plan, fromContract, sentence) => {
    expect(words(plan, fromContract)[0]).toBe(sentence);
    expect(words(plan, fromContract).join()).not.toContain('note');
  });

  it('says plainly that an asset is not the one that is asked', () => {
    const said = words({ asset: USDT });

    expect(said[0]).toBe('Paying 10 USDT, which is not what is asked: that is 10 USDC');
    expect(said.at(-1)).toBe(
      '  note      USDT does not pay a request for USDC; it becomes a deposit once that has ended',
    );
  });

  it('says when it sends, and how that lies to the end of the window', () => {
    const [late, early] = [new Date('2030-01-01T00:10:00Z'), new Date('2030-01-01T00:07:30Z')];

    expect(words({}, false, late)).toContain('  sends     2030-01-01T00:10:00.000Z, 120 s after it expires');
    expect(words({}, false, early)).toContain('  sends     2030-01-01T00:07:30.000Z, 30 s before it expires');
  });
});
