import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeFunctionData, keccak256, toHex, type Abi, type Address, type Hex } from 'viem';
import { artifacts, deployment, native, settleData } from './support/forwarders.js';
import { merchant, only, openTill, operator, type Till } from './support/till.js';

describe('A settlement that any caller may send', () => {
  let till: Till;

  beforeAll(async () => {
    till = await openTill();
  });

  afterAll(() => till.world.stop());

  it('is possible outside the home chain only for the settlement address', async () => {
    const forwarder = till.fresh({ homeChainId: 1n });
    await till.pay(forwarder.address, till.token, 10_000n);
    await till.world.fund(merchant);
    await till.world.control.impersonateAccount({ address: merchant });

    const refused = await till.settle([only(forwarder, till.token)]);
    expect(await till.balance(forwarder.address, till.token)).toBe(10_000n);
    const allowed = await till.settle([only(forwarder, till.token)], { from: merchant });

    expect(refused.outcomes).toMatchObject([{ name: 'Failed', args: { forwarder: forwarder.address } }]);
    expect(allowed.outcomes).toMatchObject([
      { name: 'Settled', args: { toSettlement: 9_900n, toFee: 100n } },
    ]);
  });

  it('cannot use any other function of a deployed forwarder', async () => {
    const forwarder = till.fresh();
    for (const asset of [native, till.token]) await till.pay(forwarder.address, asset, 10_000n);
    await till.settle([only(forwarder, native)]);

    const functions = (artifacts.Forwarder.abi as Abi).filter(({ type }) => type === 'function');
    expect(functions).toMatchObject([{ name: 'settle' }]);
    let seed: Hex = keccak256(toHex('calldata'));
    const attempts: Promise<boolean>[] = [];
    for (let i = 0; i < 300; i++) {
      seed = keccak256(seed);
      // A third calls the one function there is with arguments that would pay; the rest name anything.
      const token = i % 2 ? till.token : native;
      const wellFormed = encodeFunctionData({
        abi: artifacts.Forwarder.abi as Abi,
        functionName: 'settle',
        args: [token, BigInt(i % 10_000), 200_000n],
      });
      const data = i % 3 === 0 ? wellFormed : (seed.slice(0, 4 + 2 * (i % 30)) as Hex);
      const from = [
        merchant,
        operator,
        `0x${seed.slice(26)}` as Address,
        deployment.implementation! as Address,
      ][i % 4]!;
      const to = i % 4 < 3 ? forwarder.address : (deployment.implementation as Address);
      attempts.push(
        till.world.client.call({ account: from, to, data }).then(
          () => true,
          () => false,
        ),
      );
    }

    expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(0);
  });

  it('pays exactly the right amounts or nothing if the caller sends too little gas', async () => {
    const feeRecipient = await till.hostileRecipient();
    await till.act(feeRecipient, 'HostileRecipient', 'setNeeds', [190_000n]);
    const forwarder = till.fresh({ feeRecipient });
    const plans = [
      ...range(20_000, 640_000, 20_000).map((payout) => ({ limits: { payout }, gas: 3_000_000 })),
      ...range(60_000, 940_000, 40_000).map((gas) => ({ limits: { payout: 600_000 }, gas })),
      ...range(60_000, 940_000, 40_000).map((gas) => ({ limits: { payout: 10_000, reserve: 0 }, gas })),
      ...range(0, 240_000, 20_000).map((fee) => ({ limits: { fee }, gas: 3_000_000 })),
    ];
    const seen = new Set<string>();
    await till.pay(forwarder.address, native, 10_000n);

    for (const plan of plans) {
      const before = [await till.balance(merchant, native), await till.balance(feeRecipient, native)];
      await till.settle([only(forwarder, native)], { gas: BigInt(plan.gas), limits: inGas(plan.limits) });
      const after = [await till.balance(merchant, native), await till.balance(feeRecipient, native)];

      const moved = `${after[0]! - before[0]!}+${after[1]! - before[1]!}`;
      seen.add(moved);
      if (moved !== '0+0') await till.pay(forwarder.address, native, 10_000n);
    }

    expect([...seen].sort()).toEqual(['0+0', '9900+100']);
  });

  it('pays the full fee even if a caller starves the fee transfer of a first settlement', async () => {
    const feeRecipient = await till.hostileRecipient();
    await till.act(feeRecipient, 'HostileRecipient', 'setNeeds', [190_000n]);
    const fees: unknown[][] = [];

    for (const payout of [100_000n, 300_000n, 400_000n, 480_000n, 505_000n, 520_000n]) {
      const forwarder = till.fresh({ feeRecipient });
      await till.pay(forwarder.address, native, 10_000n);
      const starved = await till.settle([only(forwarder, native)], { limits: { payout, fee: 0n } });
      const whole = await till.settle([only(forwarder, native)]);
      const settled = [...starved.outcomes, ...whole.outcomes].filter(({ name }) => name === 'Settled');
      fees.push(settled.map(({ args }) => args.toFee));
    }

    expect(fees).toEqual(Array(6).fill([100n]));
  });

  it('has enough gas for an expensive fee transfer if the caller allows it', async () => {
    const feeRecipient = await till.hostileRecipient();
    await till.act(feeRecipient, 'HostileRecipient', 'setNeeds', [300_000n]);
    const fees: unknown[] = [];

    for (const fee of [0n, 200_000n, 310_000n]) {
      const forwarder = till.fresh({ feeRecipient });
      await till.pay(forwarder.address, native, 10_000n);
      const { outcomes } = await till.settle([only(forwarder, native)], {
        limits: { fee, payout: 900_000n },
      });
      fees.push(outcomes[0]!.args.toFee);
    }

    expect(fees).toEqual([0n, 0n, 100n]);
  });

  it('costs at most 57,000 gas more if the caller is wrong about deployments', async () => {
    const costs: bigint[] = [];
    const forwarder = till.fresh();
    for (const undeployed of [false, false, true]) {
      await till.pay(forwarder.address, till.token, 10_000n);
      const data = settleData([only(forwarder, till.token, undeployed)]);
      costs.push((await till.world.send({ to: till.factory, data })).gasUsed);
    }

    expect(costs[2]! - costs[1]!).toBeGreaterThan(0n);
    expect(costs[2]! - costs[1]!).toBeLessThanOrEqual(57_000n);
  });

  it('reverts nothing if its gas is too low to create a forwarder', async () => {
    for (const undeployed of [false, true]) {
      for (const gas of range(80_000, 260_000, 4_000)) {
        const items = [till.fresh({ feeBasisPoints: 0 }), till.fresh({ feeBasisPoints: 0 })];
        for (const { address } of items) await till.pay(address, native, 10_000n);
        const group = { ...only(items[0]!, native, undeployed), salts: items.map(({ salt }) => salt) };

        const { status, outcomes } = await till.settle([group], {
          limits: { reading: 10_000n, payout: 0n },
          gas: BigInt(gas),
        });

        // Nothing can be paid with an allowance of zero; what matters is that no creation undoes the batch.
        expect([gas, status]).toEqual([gas, 'success']);
        expect(outcomes.map(({ name }) => name)).not.toContain('Settled');
      }
    }
  });

  it('does not let a stranger create a forwarder', async () => {
    const data = encodeFunctionData({
      abi: artifacts.ForwarderFactory.abi as Abi,
      functionName: 'deploy',
      args: [`0x${'00'.repeat(32)}`, '0x60006000f3'],
    });

    for (const account of [merchant, operator]) {
      await expect(till.world.client.call({ account, to: till.factory, data })).rejects.toThrow();
    }
    await expect(
      till.world.client.call({ account: till.factory, to: till.factory, data }),
    ).resolves.toBeDefined();
  });

  it('reverts if it has less gas than one item needs', async () => {
    const forwarder = till.fresh();
    await till.pay(forwarder.address, native, 10_000n);

    const receipt = await till.world.send({
      to: till.factory,
      data: settleData([only(forwarder, native)]),
      gas: 400_000n,
    });

    expect(receipt.status).toBe('reverted');
  });
});

function inGas(limits: Record<string, number>): Record<string, bigint> {
  return Object.fromEntries(Object.entries(limits).map(([name, gas]) => [name, BigInt(gas)]));
}

function range(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => from + i * step);
}
