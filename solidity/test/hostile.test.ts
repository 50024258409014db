import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Address } from 'viem';
import { native, settleData } from './support/forwarders.js';
import { merchant, only, openTill, operator, type Mode, type Till } from './support/till.js';

describe('A batch with a hostile token or recipient', () => {
  let till: Till;

  beforeAll(async () => {
    till = await openTill();
  });

  afterAll(() => till.world.stop());

  const token: [Mode, string, [bigint, bigint], [bigint, bigint]][] = [
    // what the token does, what is reported, what merchant and operator get, what the event says
    ['SayNothing', 'Settled', [9_900n, 100n], [9_900n, 100n]],
    ['TakeFee', 'Settled', [9_801n, 99n], [9_900n, 100n]],
    ['SayTrueYetStay', 'Settled', [0n, 0n], [10_000n, 0n]],
    ['SayMuch', 'Settled', [9_900n, 100n], [9_900n, 100n]],
    ['SayFalse', 'Failed', [0n, 0n], [0n, 0n]],
    ['SayTwo', 'Failed', [0n, 0n], [0n, 0n]],
    ['SayShort', 'Failed', [0n, 0n], [0n, 0n]],
    ['SayFalseYetMove', 'Failed', [0n, 0n], [0n, 0n]],
    ['BurnGas', 'Failed', [0n, 0n], [0n, 0n]],
    ['Bomb', 'Failed', [0n, 0n], [0n, 0n]],
    ['BurnOnBalance', 'Failed', [0n, 0n], [0n, 0n]],
    ['BombOnBalance', 'Failed', [0n, 0n], [0n, 0n]],
  ];
  for (const [mode, name, received, told] of token) {
    it(`reports ${name} for a token in mode ${mode}, and pays the next item`, async () => {
      const [hostile, neighbour] = [till.fresh(), till.fresh()];
      await till.pay(hostile.address, till.token, 10_000n);
      await till.pay(neighbour.address, native, 10_000n);
      const before = [await till.balance(merchant, till.token), await till.balance(operator, till.token)];
      await till.setToken(mode);

      const { outcomes } = await till.settle([only(hostile, till.token), only(neighbour, native)]);

      await till.setToken('Well');
      const after = [await till.balance(merchant, till.token), await till.balance(operator, till.token)];
      expect(outcomes.map((outcome) => outcome.name)).toEqual([name, 'Settled']);
      expect([after[0]! - before[0]!, after[1]! - before[1]!]).toEqual(received);
      if (name === 'Settled') expect([outcomes[0]!.args.toSettlement, outcomes[0]!.args.toFee]).toEqual(told);
      else expect(await till.balance(hostile.address, till.token)).toBe(10_000n);
    });
  }

  for (const mode of ['SayFalse', 'BurnGas', 'Bomb'] as const) {
    it(`moves nothing to a settlement address in mode ${mode}, and pays the next item`, async () => {
      const settlement = await till.hostileRecipient();
      const [hostile, neighbour] = [till.fresh({ settlement }), till.fresh()];
      for (const { address } of [hostile, neighbour]) await till.pay(address, native, 10_000n);
      await till.setRecipient(settlement, mode);

      const { outcomes } = await till.settle([only(hostile, native), only(neighbour, native)]);

      expect(outcomes.map(({ name }) => name)).toEqual(['Failed', 'Settled']);
      expect((outcomes[0]!.args.reason as string).length).toBeLessThanOrEqual(2 + 2 * 256);
      expect(await till.balance(hostile.address, native)).toBe(10_000n);
      await till.setRecipient(settlement, 'Well');
      expect((await till.settle([only(hostile, native)])).outcomes[0]!.args).toMatchObject({
        toSettlement: 9_900n,
        toFee: 100n,
      });
    });

    it(`pays the fee to the settlement address if the fee recipient is in mode ${mode}`, async () => {
      const feeRecipient = await till.hostileRecipient();
      await till.setRecipient(feeRecipient, mode);
      const forwarder = till.fresh({ feeRecipient });
      await till.pay(forwarder.address, native, 10_000n);

      const { outcomes } = await till.settle([only(forwarder, native)]);

      expect(outcomes).toMatchObject([{ name: 'Settled', args: { toSettlement: 10_000n, toFee: 0n } }]);
    });
  }

  it('keeps the payment of a blocked settlement address, and waives the fee of a blocked fee recipient', async () => {
    const forwarder = till.fresh();
    await till.pay(forwarder.address, till.token, 10_000n);

    await till.act(till.token, 'HostileToken', 'setBlocked', [merchant, true]);
    const blocked = await till.settle([only(forwarder, till.token)]);
    await till.act(till.token, 'HostileToken', 'setBlocked', [merchant, false]);
    await till.act(till.token, 'HostileToken', 'setBlocked', [operator, true]);
    const unpaidFee = await till.settle([only(forwarder, till.token)]);
    await till.act(till.token, 'HostileToken', 'setBlocked', [operator, false]);

    expect(blocked.outcomes).toMatchObject([{ name: 'Failed' }]);
    expect(unpaidFee.outcomes).toMatchObject([
      { name: 'Settled', args: { toSettlement: 10_000n, toFee: 0n } },
    ]);
  });

  it('stops without reverting settled items when the gas runs out', async () => {
    const settlement = await till.hostileRecipient();
    await till.setRecipient(settlement, 'BurnGas');
    const [good, burner, last] = [till.fresh(), till.fresh({ settlement }), till.fresh()];
    for (const { address } of [good, burner, last]) await till.pay(address, native, 10_000n);

    const { outcomes } = await till.settle(
      [good, burner, last].map((each) => only(each, native)),
      { gas: 1_300_000n },
    );

    expect(outcomes).toMatchObject([
      { name: 'Settled' },
      { name: 'Failed' },
      { name: 'Stopped', args: { group: 2n, item: 0n } },
    ]);
  });

  it('pays nothing twice to a token, settlement address or fee recipient that re-enters', async () => {
    const [settlement, feeRecipient] = [await till.hostileRecipient(), await till.hostileRecipient()];
    const forwarder = till.fresh({ settlement, feeRecipient });
    const other = till.fresh({ feeRecipient });
    for (const { address } of [forwarder, other]) {
      await till.pay(address, native, 10_000n);
      await till.pay(address, till.token, 10_000n);
    }
    const again = settleData([only(forwarder, native), only(forwarder, till.token), only(other, native)], {
      payout: 10_000n,
      creation: 0n,
      reserve: 0n,
    });
    const actors: [Address, string][] = [
      [settlement, 'HostileRecipient'],
      [feeRecipient, 'HostileRecipient'],
      [till.token, 'HostileToken'],
    ];
    for (const [actor, contract] of actors) await till.act(actor, contract, 'setCall', [till.factory, again]);
    for (const recipient of [settlement, feeRecipient]) await till.setRecipient(recipient, 'Reenter');
    await till.setToken('Reenter');

    const { outcomes } = await till.settle([only(forwarder, native), only(forwarder, till.token)], {
      limits: { payout: 900_000n },
    });

    await till.setToken('Well');
    for (const [actor, contract] of actors) expect(await till.reentered(actor, contract)).toBe(false);
    expect(outcomes).toMatchObject([
      { name: 'Settled', args: { toSettlement: 9_900n, toFee: 100n } },
      { name: 'Settled', args: { toSettlement: 9_900n, toFee: 100n } },
    ]);
    expect(await till.balance(other.address, native)).toBe(10_000n);
  });
});
