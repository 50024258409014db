import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keccak256, toHex, zeroAddress, type Address, type Hex } from 'viem';
import { testContract } from '#chains/evm/testing/chain-contracts.js';
import {
  deployFactory,
  derive,
  mintData,
  native,
  outcomes,
  settleData,
  type Terms,
} from '../support/forwarders.js';
import { startWorld, type World } from '../support/world.js';

const settlement: Address = '0x5e771e5e771e5e771e5e771e5e771e5e771e5e77';
const feeRecipient: Address = '0xfeefeefeefeefeefeefeefeefeefeefeefeefee1';

/** Gas for each payment, refunds included. The node, its fork and the compiler are pinned, so gas is exact. */
const figures = {
  'ERC-20, 0 bps': [92_509, 48_766, 55_431, 13_200, 53_871, 11_952],
  'ERC-20, 100 bps': [106_558, 58_401, 64_471, 16_900, 62_698, 15_482],
  'native, 0 bps': [93_266, 46_915, 60_977, 14_626, 59_617, 13_266],
  'native, 100 bps': [107_961, 57_196, 72_858, 22_093, 71_379, 20_614],
};
const columns = ['first × 1', 'later × 1', 'first × 20', 'later × 20', 'first × 100', 'later × 100'];

describe('The gas of a settlement', () => {
  let world: World;
  let factory: Address;
  let token: Address;
  const measured: Record<string, Record<string, number>> = {};

  beforeAll(async () => {
    world = await startWorld();
    factory = await deployFactory(world);
    token = await world.deploy(testContract('PlainToken'), []);
    for (const holder of [settlement, feeRecipient]) {
      await world.send({ to: token, data: mintData(holder, 1n) });
      await world.fund(holder, '1');
    }
  });

  afterAll(() => {
    console.table(measured);
    return world.stop();
  });

  for (const asset of ['ERC-20', 'native'] as const) {
    for (const feeBasisPoints of [0, 100]) {
      for (const count of [1, 20, 100]) {
        it(`is measured for ${count} × ${asset} with a fee of ${feeBasisPoints} basis points`, async () => {
          const terms: Terms = {
            settlement,
            feeRecipient: feeBasisPoints ? feeRecipient : zeroAddress,
            feeBasisPoints,
            homeChainId: 31337n,
          };
          const salts = Array.from({ length: count }, (_, i) =>
            salt(`${asset}${feeBasisPoints}${count}${i}`),
          );
          const payAll = async () => {
            for (const forwarder of salts.map((each) => derive(terms, each))) {
              if (asset === 'native') await world.fund(forwarder, '1');
              else await world.send({ to: token, data: mintData(forwarder, 1_000_000n) });
            }
          };
          const dataFor = (undeployed: boolean) =>
            settleData([{ terms, token: asset === 'native' ? native : token, undeployed, salts }]);

          await payAll();
          // With native coin there is nothing to spare: its balance has touched the account already.
          const first = await world.send({ to: factory, data: dataFor(asset === 'ERC-20') });
          await payAll();
          const later = await world.send({ to: factory, data: dataFor(false) });

          for (const receipt of [first, later]) {
            const settled = outcomes(receipt, factory).filter(({ name }) => name === 'Settled');
            expect(settled).toHaveLength(count);
          }
          const name = `${asset}, ${feeBasisPoints} bps`;
          const each = { first: Number(first.gasUsed) / count, later: Number(later.gasUsed) / count };
          const row = (measured[name] ??= {});
          row[`first × ${count}`] = Math.round(each.first);
          row[`later × ${count}`] = Math.round(each.later);
        });
      }
    }
  }

  it('equals the figures in the published table', () => {
    const told = Object.entries(figures).map(([name, row]) => [
      name,
      Object.fromEntries(row.map((gas, i) => [columns[i], gas])),
    ]);

    expect(measured).toEqual(Object.fromEntries(told));
  });
});

/** Sixteen random-looking bytes, as a request's id has, then sixteen zeros. */
function salt(seed: string): Hex {
  return `${keccak256(toHex(seed)).slice(0, 34)}${'00'.repeat(16)}` as Hex;
}
