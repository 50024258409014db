import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getAddress, zeroAddress, type Address, type Hex } from 'viem';
import {
  addressOf,
  artifacts,
  deployFactory,
  derive,
  deployment,
  factoryAbi,
  mintData,
  saltOf,
  settleData,
  type Terms,
} from './support/forwarders.js';
import { startWorld, type World } from './support/world.js';

describe('A deployment of the committed artifacts', () => {
  let world: World;

  beforeAll(async () => {
    world = await startWorld();
  });

  afterAll(() => world.stop());

  it('creates the committed factory and implementation by the deterministic deployer', async () => {
    const factory = await deployFactory(world);

    const implementation = await world.client.readContract({
      address: factory,
      abi: factoryAbi,
      functionName: 'implementation',
    });

    expect(factory).toBe(deployment.factory);
    expect(implementation).toBe(deployment.implementation);
    expect(await world.client.getCode({ address: factory })).toHaveLength(
      artifacts.ForwarderFactory.deployedBytecode.length,
    );
    expect(await world.client.getCode({ address: implementation as Address })).toHaveLength(
      artifacts.Forwarder.deployedBytecode.length,
    );
  });

  it('has the same deposit address off chain, in the factory and after deployment', async () => {
    const factory = await deployFactory(world);
    const token = await world.deploy(artifacts.TestToken, ['USD Coin', 'USDC', 6]);
    const settlement = getAddress('0x5e771e5e771e5e771e5e771e5e771e5e771e5e77');
    const salt = saltOf('0198c0de-7000-7abc-8def-0123456789ab');

    for (const homeChainId of [1n, 137n, 31337n, 42161n, 11297108109n, 2n ** 64n - 1n]) {
      for (const feeBasisPoints of [0, 1, 10_000]) {
        const terms: Terms = {
          settlement,
          feeRecipient: feeBasisPoints ? `0x${'fe'.repeat(20)}` : zeroAddress,
          feeBasisPoints,
          homeChainId,
        };
        expect(await addressOf(world, factory, terms, salt)).toBe(derive(terms, salt));
        if (homeChainId !== 31337n) continue;

        await world.send({ to: token, data: mintData(derive(terms, salt), 100n) });
        await world.send({
          to: factory,
          data: settleData([{ terms, token, undeployed: false, salts: [salt] }]),
        });

        const code = (await world.client.getCode({ address: derive(terms, salt) })) as Hex;
        expect(code.toLowerCase()).toContain(settlement.slice(2).toLowerCase());
      }
    }
  });

  it('has no address for invalid terms', async () => {
    const factory = await deployFactory(world);
    const good: Terms = {
      settlement: `0x${'11'.repeat(20)}`,
      feeRecipient: `0x${'22'.repeat(20)}`,
      feeBasisPoints: 1,
      homeChainId: 1n,
    };

    for (const flaw of [
      { settlement: zeroAddress },
      { feeRecipient: zeroAddress },
      { feeBasisPoints: 0 },
      { feeBasisPoints: 10_001 },
      { homeChainId: 0n },
    ]) {
      await expect(addressOf(world, factory, { ...good, ...flaw }, saltOf('00'))).rejects.toThrow();
    }
  });
});
