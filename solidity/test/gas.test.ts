import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodePacked, keccak256, toHex, zeroAddress, type Address, type Hex } from 'viem';
import { addressOf, artifacts, deployFactory, mintData, native, outcomes, settleData, type Terms } from './support/forwarders.js';
import { startWorld, type World } from './support/world.js';

const settlement: Address = '0x5e771e5e771e5e771e5e771e5e771e5e771e5e77';
const feeRecipient: Address = '0xfeefeefeefeefeefeefeefeefeefeefeefeefee1';

describe('What settling costs', () => {
  let world: World;
  let factory: Address;
  let token: Address;
  const measured: Record<string, Record<string, number>> = {};

  beforeAll(async () => {
    world = await startWorld();
    factory = await deployFactory(world);
    token = await world.deploy(artifacts.TestToken!, ['USD Coin', 'USDC', 6]);
    for (const holder of [settlement, feeRecipient]) {
      await world.send({ to: token, data: mintData(holder, 1n) });
      await world.fund(holder, '1');
    }
  });

  afterAll(() => world.stop());

  for (const asset of ['ERC-20', 'native'] as const) {
    for (const feeBasisPoints of [0, 100]) {
      for (const count of [1, 20, 100]) {
        it(`is counted for ${count} × ${asset} with a fee of ${feeBasisPoints} basis points`, async () => {
          const terms: Terms = {
            settlement,
            feeRecipient: feeBasisPoints ? feeRecipient : zeroAddress,
            feeBasisPoints,
            homeChainId: 31337n,
          };
          const salts = Array.from({ length: count }, (_, i) => uuidSalt(`${asset}${feeBasisPoints}${count}${i}`));
          const forwarders = await Promise.all(salts.map((salt) => addressOf(world, factory, terms, salt)));
          const payAll = async () => {
            for (const forwarder of forwarders) {
              if (asset === 'native') await world.fund(forwarder, '1');
              else await world.send({ to: token, data: mintData(forwarder, 1_000_000n) });
            }
          };
          const data = settleData([{ terms, token: asset === 'native' ? native : token, salts }]);

          await payAll();
          const first = await world.send({ to: factory, data });
          await payAll();
          const later = await world.send({ to: factory, data });

          expect(outcomes(first, factory).filter(({ name }) => name === 'Settled')).toHaveLength(count);
          expect(outcomes(later, factory).filter(({ name }) => name === 'Settled')).toHaveLength(count);
          const row = (measured[`${asset}, ${feeBasisPoints} bps`] ??= {});
          row[`first × ${count}`] = Math.round(Number(first.gasUsed) / count);
          row[`later × ${count}`] = Math.round(Number(later.gasUsed) / count);
        });
      }
    }
  }

  it('prints', () => { console.table(measured); });
});

function uuidSalt(seed: string): Hex {
  return `${keccak256(toHex(seed)).slice(0, 34)}${'00'.repeat(16)}` as Hex;
}
