import { describe, expect, it } from '@jest/globals';
import type { DuePayout } from '../../contract/settlement-planning.js';
import {
  packIntoBatches,
  settlementGasLimits,
  gasPerPayout,
  gasBeforeRefunds,
  settlementTransactionGas,
  maxSettlementGas,
} from './settlement-gas.js';
import {
  withSimulatedAmounts,
  duplicatePayouts,
  planDifferences,
  plannedPayout,
  type SettlementCallEvent,
} from './settlement-plan.js';

const TOKEN = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const dollar: DuePayout['asset'] = {
  uniqueAssetId: `nsandbox_t${TOKEN}`,
  network: 'sandbox',
  token: TOKEN,
  symbol: 'USDT',
  name: 'Test Dollar',
  decimals: 6,
  minimumAmount: 1n,
};
const ether = { ...dollar, uniqueAssetId: 'nsandbox_tETH', token: 'ETH', symbol: 'ETH' };

function due(changes: Partial<DuePayout> = {}): DuePayout {
  return {
    depositAddress: `0x${'d1'.repeat(20)}`,
    derivation: {},
    terms: { settlementAddress: '0x5e', feeRecipient: '0xfe', feeBasisPoints: 100 },
    paymentRequestId: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    asset: dollar,
    gross: 10_099n,
    ...changes,
  };
}

const payouts = [due(), due({ depositAddress: `0x${'d2'.repeat(20)}`, asset: ether, gross: 5n })].map(
  plannedPayout,
);
const [ofDollar, ofEther] = payouts as [ReturnType<typeof plannedPayout>, ReturnType<typeof plannedPayout>];
const paid = (payout: typeof ofDollar, token: string | null): SettlementCallEvent => ({
  kind: 'settled',
  depositAddress: payout.depositAddress,
  token,
  toSettlement: payout.toSettlement,
  toFee: payout.toFee,
});
const asPlanned = [paid(ofDollar, TOKEN), paid(ofEther, null)];
const kinds = (events: SettlementCallEvent[], of = payouts) =>
  planDifferences(of, events).map(({ kind, depositAddress }) => [kind, depositAddress.slice(0, 4)]);

describe('A planned payout', () => {
  it('rounds the fee down and leaves the rest to the settlement address', () => {
    expect([ofDollar.toSettlement, ofDollar.toFee]).toEqual([9_999n, 100n]);
    expect([ofEther.toSettlement, ofEther.toFee]).toEqual([5n, 0n]);
  });
});

describe('A simulated settlement', () => {
  it('differs in all payouts if the call is reverted, with the reason', () => {
    const [first, ...others] = planDifferences(payouts, [{ kind: 'reverted', reason: '0x12' }]);

    expect([first!.kind, others.length]).toEqual(['failed', 1]);
    expect(first!.says).toContain('would not be paid out: the whole call is reverted (0x12).');
  });

  it.each<[string, SettlementCallEvent[], string[][]]>([
    ['an address that holds nothing', [asPlanned[0]!], [['not_paid_out', '0xd2']]],
    [
      'a smaller payout',
      [{ ...asPlanned[0]!, toSettlement: 9_998n } as never, asPlanned[1]!],
      [['other_amounts', '0xd1']],
    ],
    [
      'a smaller fee',
      [{ ...asPlanned[0]!, toFee: 99n } as never, asPlanned[1]!],
      [['other_amounts', '0xd1']],
    ],
    [
      'a fee beside the whole amount',
      [{ ...asPlanned[0]!, toSettlement: 10_099n, toFee: 1n } as never, asPlanned[1]!],
      [['other_amounts', '0xd1']],
    ],
    [
      'a fee that its recipient refuses, where the rest does not get it',
      [{ ...asPlanned[0]!, toSettlement: 10_098n, toFee: 0n } as never, asPlanned[1]!],
      [['other_amounts', '0xd1']],
    ],
    [
      'a payout that fails',
      [asPlanned[0]!, { kind: 'failed', depositAddress: ofEther.depositAddress, token: null, reason: '0x' }],
      [['failed', '0xd2']],
    ],
    ['a payout that nobody planned', [...asPlanned, paid(ofDollar, null)], [['unplanned', '0xd1']]],
    ['a second payout of the same', [...asPlanned, asPlanned[0]!], [['unplanned', '0xd1']]],
    ['gas that runs low', [asPlanned[0]!, { kind: 'stopped', group: 1, item: 0 }], [['too_costly', '0xd2']]],
  ])('differs from the plan by %s', (_, events, differences) => {
    expect(kinds(events)).toEqual(differences);
  });

  it('differs in nothing if a fee recipient refuses its share, which the settlement address gets', () => {
    const refused = { ...asPlanned[0]!, toSettlement: 10_099n, toFee: 0n } as SettlementCallEvent;

    expect(kinds([refused, asPlanned[1]!])).toEqual([]);
    const [simulated, other] = withSimulatedAmounts(payouts, [refused, asPlanned[1]!]);
    expect(simulated).toEqual({ ...ofDollar, toSettlement: 10_099n, toFee: 0n, isFeeRefused: true });
    expect(other).toEqual(ofEther);
  });
});

describe('A settlement plan', () => {
  it('contains each asset of an address once, also if an address has two assets', () => {
    const other = { ...ofDollar, asset: ether };

    expect(duplicatePayouts([ofDollar, other])).toEqual([]);
    expect(duplicatePayouts([ofDollar, other, ofDollar]).map(({ kind }) => kind)).toEqual(['listed_twice']);
  });

  it('is cut into batches that fit, in its order, none of which could take the next payout too', () => {
    const cut = (costs: bigint[]) => packIntoBatches(costs, (cost) => cost, 50n);

    expect(cut([20n, 30n, 1n, 49n, 50n])).toEqual([[20n, 30n], [1n, 49n], [50n]]);
    expect(cut([20n, 31n, 19n, 1n])).toEqual([[20n], [31n, 19n], [1n]]);
    expect(cut([])).toEqual([]);
  });
});

describe('The gas of a settlement', () => {
  it.each([
    [30_000_000n, 15_000_000n],
    [60_000_000n, 2n ** 24n],
  ])('is at most half of a block, and at most what EIP-7825 allows: a block of %d', (block, most) => {
    expect(maxSettlementGas(block)).toBe(most);
  });

  it('includes gas that is refunded later, and one payout that uses all that it may', () => {
    const limits = settlementGasLimits(200_000n);

    expect(gasBeforeRefunds(800_001n)).toBe(1_000_002n);
    expect(limits.creation).toBe(250_000n);
    expect(gasPerPayout(limits)).toBe(101_588n + 660_318n + 253_969n + 20_000n);
    expect(settlementTransactionGas(800_000n, limits)).toBe(1_000_000n + gasPerPayout(limits));
  });
});
