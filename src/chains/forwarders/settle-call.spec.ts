import { describe, expect, it } from '@jest/globals';
import { type AbiFunction, getAbiItem, toFunctionSelector } from 'viem';
import { newId } from '#shared/kernel/ids.js';
import { FORMER_FACTORIES } from './forwarder-artifacts.js';
import { settlementGasLimits } from '#contexts/networks/domain/settlement-plan/settlement-gas.js';
import {
  FACTORY_ABI,
  type ForwarderPayout,
  factoryGasLimits,
  countPayoutsBefore,
  encodeSettleCall,
  sortIntoGroups,
} from './settle-call.js';

const address = (digits: string) => `0x${digits.repeat(20)}`;
const LIMITS = settlementGasLimits(55_000n);

/** A payout of a token to this settlement address. */
const payout = (settlementAddress: string, changes: object = {}, terms: object = {}) =>
  ({
    asset: { uniqueAssetId: 'token', symbol: 'USDC', token: address('0a') },
    terms: { settlementAddress, feeRecipient: address('0f'), feeBasisPoints: 100, ...terms },
    isDeployed: false,
    paymentRequestId: newId(),
    ...changes,
  }) as unknown as ForwarderPayout;

describe('A settlement call', () => {
  it('has a single limit only for the oldest factory', () => {
    const selectorOf = (factory: string) =>
      encodeSettleCall({ factory, chainId: 1 } as never, [payout(address('01'))], LIMITS).slice(0, 10);
    const [oldest, previous] = FORMER_FACTORIES as [string, string];

    const settle = toFunctionSelector(getAbiItem({ abi: FACTORY_ABI, name: 'settle' }) as AbiFunction);

    expect([previous, address('fa')].map(selectorOf)).toEqual([settle, settle]);
    expect(selectorOf(oldest)).not.toBe(settle);
  });

  it.each([
    ['the factory', address('fa')],
    ['a former factory', FORMER_FACTORIES[0]!],
  ])('numbers its payouts by the groups and items before them: %s', (_, factory) => {
    const [one, other] = [address('01'), address('02')];
    const payouts = sortIntoGroups([one, other, one, other, one].map((each) => payout(each)));
    const data = encodeSettleCall(
      { factory, chainId: 1 } as never,
      payouts,
      factoryGasLimits(factory, LIMITS),
    );

    expect(payouts.map(({ terms }) => terms.settlementAddress)).toEqual([one, one, one, other, other]);
    expect(
      [
        [0, 0],
        [0, 2],
        [1, 0],
        [1, 1],
      ].map(([group, item]) => countPayoutsBefore(factory, data, group!, item!)),
    ).toEqual([0, 2, 3, 4]);
  });

  it.each<[string, object, object]>([
    ['asset', { asset: { uniqueAssetId: 'other', token: address('0b') } }, {}],
    ['fee recipient', {}, { feeRecipient: address('0e') }],
    ['fee', {}, { feeBasisPoints: 101 }],
    ['existing contract', { isDeployed: true }, {}],
  ])('has a separate group for another %s, but not for another spelling', (_, changes, terms) => {
    const other = payout(address('0c'), changes, terms);
    const [first, ...more] = [address('0c'), address('0C')].map((each) => payout(each));

    expect(sortIntoGroups([first!, other, ...more])).toEqual([first, ...more, other]);
  });
});
