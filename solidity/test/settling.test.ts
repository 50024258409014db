import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getAddress, slice, toFunctionSelector, type Address } from 'viem';
import { native } from './support/forwarders.js';
import { merchant, only, openTill, operator, type Till } from './support/till.js';

describe('Settling a forwarder', () => {
  let till: Till;

  beforeAll(async () => {
    till = await openTill();
  });

  afterAll(() => till.world.stop());

  for (const kind of ['ERC-20', 'native'] as const) {
    it(`pays ${kind} received before and after deployment`, async () => {
      const asset = kind === 'native' ? native : till.token;
      const forwarder = till.fresh();
      const [merchantBefore, operatorBefore] = await held(till, asset);

      for (const amount of [10_099n, 20_000n]) {
        await till.pay(forwarder.address, asset, amount);
        const { outcomes } = await till.settle([only(forwarder, asset)]);

        const fee = amount / 100n;
        expect(outcomes).toEqual([settled(forwarder.address, asset, amount - fee, fee)]);
      }

      const [merchantAfter, operatorAfter] = await held(till, asset);
      expect([merchantAfter - merchantBefore, operatorAfter - operatorBefore]).toEqual([29_799n, 300n]);
      expect(await till.balance(forwarder.address, asset)).toBe(0n);
    });
  }

  it('pays several terms and assets in one batch, and a duplicate once', async () => {
    const [first, second, third] = [till.fresh(), till.fresh(), till.fresh({ feeBasisPoints: 0 })];
    for (const { address } of [first, second]) await till.pay(address, till.token, 1_000n);
    await till.pay(third.address, native, 1_000n);

    const { outcomes } = await till.settle([
      {
        terms: first.terms,
        token: till.token,
        undeployed: false,
        salts: [first.salt, second.salt, first.salt],
      },
      only(third, native),
    ]);

    expect(outcomes).toEqual([
      settled(first.address, till.token, 990n, 10n),
      settled(second.address, till.token, 990n, 10n),
      settled(third.address, native, 1_000n, 0n),
    ]);
  });

  it('pays correctly even if the caller is wrong about deployments', async () => {
    const [deployed, fresh, empty] = [till.fresh(), till.fresh(), till.fresh()];
    await till.pay(deployed.address, native, 1_000n);
    await till.settle([only(deployed, native)]);
    for (const { address } of [deployed, fresh]) {
      for (const asset of [native, till.token]) await till.pay(address, asset, 1_000n);
    }

    const { outcomes } = await till.settle([
      { ...only(deployed, till.token, true), salts: [deployed.salt, fresh.salt, empty.salt, fresh.salt] },
      only(deployed, native, true),
      only(fresh, native, true),
    ]);

    expect(outcomes).toEqual([
      settled(deployed.address, till.token, 990n, 10n),
      settled(fresh.address, till.token, 990n, 10n),
      settled(deployed.address, native, 990n, 10n),
      settled(fresh.address, native, 990n, 10n),
    ]);
    expect(await till.world.client.getCode({ address: empty.address })).toBeUndefined();
  });

  it('keeps the funds if a creation has too little gas, and pays them with more gas', async () => {
    const [first, second] = [till.fresh(), till.fresh()];
    for (const { address } of [first, second]) await till.pay(address, till.token, 1_000n);
    const group = { ...only(first, till.token, true), salts: [first.salt, second.salt] };

    const tooLittle = await till.settle([group], { limits: { creation: 30_000n } });
    const left = await till.balance(first.address, till.token);
    const enough = await till.settle([group], { limits: { creation: 60_000n } });

    const notCreated = toFunctionSelector('NotCreated()');
    expect(tooLittle.outcomes).toEqual([
      { name: 'Failed', args: { forwarder: first.address, token: till.token, reason: notCreated } },
      { name: 'Failed', args: { forwarder: second.address, token: till.token, reason: notCreated } },
    ]);
    expect(left).toBe(1_000n);
    expect(enough.outcomes).toEqual([
      settled(first.address, till.token, 990n, 10n),
      settled(second.address, till.token, 990n, 10n),
    ]);
  });

  it('stops before a creation that could not be paid, and reverts with a limit above the block limit', async () => {
    const forwarder = till.fresh();
    await till.pay(forwarder.address, till.token, 1_000n);

    const stopped = await till.settle([only(forwarder, till.token)], { limits: { creation: 14_500_000n } });
    const refused = await till.settle([only(forwarder, till.token)], { limits: { creation: 2n ** 200n } });

    expect(stopped.outcomes).toEqual([{ name: 'Stopped', args: { group: 0n, item: 0n } }]);
    expect(refused).toEqual({ status: 'reverted', outcomes: [] });
    expect(await till.world.client.getCode({ address: forwarder.address })).toBeUndefined();
  });

  it('records the amounts in its event, and the terms in the code of the forwarder', async () => {
    const stranger: Address = `0x${'57'.repeat(20)}`;
    await till.world.fund(stranger);
    await till.world.control.impersonateAccount({ address: stranger });
    const forwarder = till.fresh({ feeBasisPoints: 250 });
    await till.pay(forwarder.address, till.token, 10_000n);

    const { outcomes } = await till.settle([only(forwarder, till.token)], { from: stranger });

    const { args } = outcomes[0]!;
    const code = (await till.world.client.getCode({ address: args.forwarder as Address }))!;
    expect(args).toMatchObject({
      forwarder: forwarder.address,
      token: till.token,
      toSettlement: 9_750n,
      toFee: 250n,
    });
    expect([slice(code, 45, 65), slice(code, 65, 85)].map((part) => getAddress(part))).toEqual([
      merchant,
      operator,
    ]);
  });

  it('takes no fee if it rounds to zero, and everything at 10,000 basis points', async () => {
    const [small, whole] = [till.fresh(), till.fresh({ feeBasisPoints: 10_000 })];
    await till.pay(small.address, till.token, 99n);
    await till.pay(whole.address, till.token, 99n);

    const { outcomes } = await till.settle([only(small, till.token), only(whole, till.token)]);

    expect(outcomes).toEqual([
      settled(small.address, till.token, 99n, 0n),
      settled(whole.address, till.token, 0n, 99n),
    ]);
  });

  it('reports invalid terms and addresses without a token, and pays the others', async () => {
    const [invalid, odd, good] = [till.fresh({ feeBasisPoints: 10_001 }), till.fresh(), till.fresh()];
    await till.pay(good.address, till.token, 100n);

    const { outcomes } = await till.settle([
      only(invalid, till.token),
      only(odd, '0x00000000000000000000000000000000000c0de5'),
      only(odd, '0x0000000000000000000000000000000000000002'),
      only(good, till.token),
    ]);

    expect(outcomes.map(({ name }) => name)).toEqual(['Failed', 'Failed', 'Failed', 'Settled']);
  });

  it('pays nothing under forged terms', async () => {
    const forwarder = till.fresh();
    const thief: Address = '0x00000000000000000000000000000000000bad00';
    await till.pay(forwarder.address, till.token, 10_000n);
    const forged = [
      ...[{ settlement: thief }, { feeRecipient: thief, feeBasisPoints: 10_000 }],
      ...[{ feeBasisPoints: 0 }, { homeChainId: 1n }],
    ];

    await till.settle(
      forged.map((changes) => only({ ...forwarder, terms: { ...forwarder.terms, ...changes } }, till.token)),
    );

    expect(await till.balance(forwarder.address, till.token)).toBe(10_000n);
    expect(await till.balance(thief, till.token)).toBe(0n);
  });

  it('computes the fee of the largest balance without overflow', async () => {
    const forwarder = till.fresh({ feeBasisPoints: 9_999 });
    const all = 2n ** 256n - 1n - 10n ** 12n;
    await till.pay(forwarder.address, till.token, all);

    const { outcomes } = await till.settle([only(forwarder, till.token)]);

    const fee = (all * 9_999n) / 10_000n;
    expect(outcomes).toEqual([settled(forwarder.address, till.token, all - fee, fee)]);
  });
});

async function held(till: Till, asset: Address): Promise<[bigint, bigint]> {
  return [await till.balance(merchant, asset), await till.balance(operator, asset)];
}

function settled(forwarder: Address, token: Address, toSettlement: bigint, toFee: bigint) {
  return { name: 'Settled', args: { forwarder, token, toSettlement, toFee } };
}
